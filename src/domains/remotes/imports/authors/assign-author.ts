/** Site administrators, and operators at the machine, say which account the author of imported records is, and take it back. */
import { type Account, findAccount } from '#domains/people/users'
import type { SourceAdmin } from '#domains/sign-in/sources'
import { type Context, transact } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { orderSettling } from './settle-author.ts'
import { type AuthorKey, decide, lockAuthor, selectAuthors } from './store.ts'

export type ListedAuthor = Awaited<ReturnType<ReturnType<typeof selectAuthors>['executeTakeFirstOrThrow']>>

export interface AuthorFilter {
  /** Address of the host. */
  readonly host?: string | undefined
  readonly name?: string | undefined
  readonly isAssigned?: boolean | undefined
}

export function listAuthors(
  ctx: Context,
  _admin: SourceAdmin,
  { host, name, isAssigned }: AuthorFilter,
  page: Page,
): Promise<Paged<ListedAuthor>> {
  let authors = selectAuthors(ctx.db)
  if (host !== undefined) authors = authors.where('import_host.url', '=', host.replace(/\/+$/, ''))
  if (name !== undefined)
    authors = authors.where((eb) => eb(eb.fn('lower', ['imported_author.name']), '=', name.toLowerCase()))
  if (isAssigned !== undefined)
    authors = authors.where('imported_author.account_id', isAssigned ? 'is not' : 'is', null)
  return takePage(authors.orderBy('imported_author.host_id').orderBy('imported_author.author_id'), page)
}

/** Their records in repositories of all owners become the account's. Identities no longer change it. */
export async function assignAuthor(
  ctx: Context,
  _admin: SourceAdmin,
  key: AuthorKey,
  username: string,
): Promise<void> {
  const account = await findAccount(ctx.db, username)
  if (account?.kind !== 'user') throw invalid('user does not exist', { username })
  await decideOn(ctx, key, account)
}

/** The original author shows again. */
export async function releaseAuthor(ctx: Context, _admin: SourceAdmin, key: AuthorKey): Promise<void> {
  await decideOn(ctx, key, null)
}

async function decideOn(ctx: Context, key: AuthorKey, account: Account | null): Promise<void> {
  await transact(ctx, async (ctx) => {
    const author = await lockAuthor(ctx.db, key)
    if (author === undefined) throw notFound('imported author', `${key.host_id}/${key.author_id}`)
    if (account !== null) ctx.audit?.about({ id: account.id, login: account.login })
    await decide(ctx.db, key, {
      account_id: account?.id ?? null,
      decided_by: 'administrator',
      decided_at: ctx.now(),
    })
    await orderSettling(ctx, [key])
  })
}
