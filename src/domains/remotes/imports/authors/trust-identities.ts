/**
 * Gives imported records to people who sign in with the forge that the records are from: the id that its OpenID provider
 * vouches for is the id of the author. Names prove nothing.
 */
import { OperationEntry } from '#domains/instance/audit'
import { type Account, findAccountsById } from '#domains/people/users'
import { findLinked, type LinkedIdentity } from '#domains/sign-in/sources'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Host } from '../tables.ts'
import { orderSettling } from './settle-author.ts'
import { type AuthorKey, decide, getHost, listHostsAt, listUndecided, lockAuthor } from './store.ts'

/** Forges whose OpenID subject is the id that their API calls `id`. */
const VOUCHES: Readonly<Record<Host['service'], boolean>> = {
  gitlab: true,
  gitea: true,
  // It has no OpenID sign-in.
  github: false,
  // A folder may name people who never wrote what it has.
  export: false,
}
const ID = /^[1-9]\d{0,14}$/
const AT_ONCE = 200

/** After an import: those of its host who have linked an identity before. */
export async function trustIdentities(ctx: Context, payload: unknown): Promise<void> {
  const { host_id } = payload as Pick<AuthorKey, 'host_id'>
  const { service, url } = await getHost(ctx.db, host_id)
  if (!VOUCHES[service]) return
  for (let after = 0; ; ) {
    ctx.signal.throwIfAborted()
    const authors = await listUndecided(ctx.db, host_id, after, AT_ONCE)
    const last = authors.at(-1)
    if (last === undefined) return
    after = last.author_id
    const ids = authors.map(({ author_id }) => author_id)
    await transact(ctx, (ctx) => trust(ctx, url, host_id, ids))
  }
}

export async function trustLinked(ctx: TxContext, { issuer, subject }: LinkedIdentity): Promise<void> {
  if (!ID.test(subject)) return
  const url = issuer.replace(/\/+$/, '')
  for (const { id, service } of await listHostsAt(ctx.db, url))
    if (VOUCHES[service]) await trust(ctx, url, id, [Number(subject)])
}

async function trust(ctx: TxContext, url: string, hostId: number, ids: readonly number[]): Promise<void> {
  const linked = await findLinked(ctx.db, url, ids.map(String))
  const accounts = await findAccountsById(ctx.db, [...linked.values()])
  for (const author_id of ids) {
    const account = accounts.get(linked.get(String(author_id)) ?? 0)
    if (account !== undefined) await give(ctx, { host_id: hostId, author_id }, account)
  }
}

async function give(ctx: TxContext, key: AuthorKey, account: Account): Promise<void> {
  const author = await lockAuthor(ctx.db, key)
  if (author === undefined || author.decided_by === 'administrator' || author.account_id === account.id)
    return
  await decide(ctx.db, key, { account_id: account.id, decided_by: 'identity', decided_at: ctx.now() })
  await orderSettling(ctx, [key])
  const origin = { address: null, network: '', requestId: null }
  const entry = new OperationEntry(ctx, 'assignImportedAuthorByIdentity', origin, {
    via: 'process',
    credential: null,
    account,
  })
  entry.about(account, key)
  await entry.writeIn(ctx.db)
}
