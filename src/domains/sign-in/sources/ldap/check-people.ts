/**
 * Asks directories about their people: those who are gone cannot sign in any more, and groups decide about teams as at a
 * sign-in. A directory that does not answer, or has no such base, changes nothing.
 */
import type { Client } from 'ldapts'
import { findAccountById, setProhibited } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { selectIdentities } from '../identities/store.ts'
import { followGroups } from '../mappings/follow-groups.ts'
import { getSource, selectSources, shareSource } from '../records/store.ts'
import { type IdentityRow, isOf, type SourceOf } from '../tables.ts'
import { findBySubject, type Person, withDirectory } from './directory.ts'

const JOB = 'check_directory'
const ATTEMPTS_MAX = 3
/** People of one job, on one connection; the next ones are another job. */
const BATCH = 50

interface Payload {
  readonly source_id: number
  /** Identities that were checked later than this are done. */
  readonly since: string
}

export async function orderChecks(ctx: Context): Promise<void> {
  await transact(ctx, async (ctx) => {
    const sources = await selectSources(ctx.db)
      .where('is_enabled', '=', true)
      .where('kind', '=', 'ldap')
      .execute()
    const since = ctx.now().toISOString()
    await addJobs(
      ctx,
      sources.map(({ id }) => jobOf({ source_id: id, since })),
    )
  })
}

export const directoryJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => checkBatch(ctx, payload as Payload) },
]

function jobOf(payload: Payload) {
  return { kind: JOB, payload, key: `${JOB}:${payload.source_id}`, attemptsMax: ATTEMPTS_MAX }
}

async function checkBatch(ctx: Context, payload: Payload): Promise<void> {
  const source = await getSource(ctx.db, payload.source_id)
  if (!isOf(source, 'ldap') || !source.is_enabled) return
  const identities = await selectIdentities(ctx.db)
    .where('source_id', '=', source.id)
    .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', new Date(payload.since))]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (identities.length === 0) return
  await withDirectory(ctx, source, async (client) => {
    for (const identity of identities) await checkPerson(ctx, source, identity, client)
  })
  if (identities.length === BATCH) await transact(ctx, (ctx) => addJobs(ctx, [jobOf(payload)]))
}

async function checkPerson(
  ctx: Context,
  source: SourceOf<'ldap'>,
  identity: IdentityRow,
  client: Client,
): Promise<void> {
  const person = await findBySubject(client, source, identity.subject)
  if (person === 'several') {
    ctx.log.warn({ identity: { id: identity.id } }, 'a directory has several entries for one person')
    return
  }
  await transact(ctx, async (ctx) => {
    await shareSource(ctx.db, source.id)
    const current = await selectIdentities(ctx.db)
      .where('id', '=', identity.id)
      .forUpdate()
      .executeTakeFirst()
    if (current !== undefined) await follow(ctx, current, person)
  })
}

async function follow(ctx: TxContext, identity: IdentityRow, person: Person | undefined): Promise<void> {
  const account = await findAccountById(ctx.db, identity.account_id)
  if (account === undefined) return
  const { profile } = person ?? {}
  // An account of the forge's own keeps its own ways in; its identity opens nothing without an entry.
  const isTheirs = account.source_id === identity.source_id || account.only_source_id === identity.source_id
  if (profile !== undefined) await restore(ctx, identity)
  else if (isTheirs && !account.prohibits_login) await remove(ctx, identity)
  await followGroups(ctx, identity, account, profile?.groups ?? [])
  await ctx.db
    .updateTable('external_identity')
    .set({
      checked_at: ctx.now(),
      ...(profile && { login: profile.login, email: profile.email ?? '' }),
    })
    .where('id', '=', identity.id)
    .execute()
}

async function remove(ctx: TxContext, { id, account_id }: IdentityRow): Promise<void> {
  await setProhibited(ctx, account_id, true)
  await ctx.db.updateTable('external_identity').set({ removed_at: ctx.now() }).where('id', '=', id).execute()
}

/** Only a prohibition of the directory's own ends; an administrator's stays, and so does a suspension. */
export async function restore(
  ctx: TxContext,
  { id, account_id, removed_at }: Pick<IdentityRow, 'id' | 'account_id' | 'removed_at'>,
): Promise<void> {
  if (removed_at === null || !(await setProhibited(ctx, account_id, false))) return
  await ctx.db.updateTable('external_identity').set({ removed_at: null }).where('id', '=', id).execute()
}

/** An administrator's prohibition outlasts the return of a person to the directory. */
export async function keepProhibited(ctx: TxContext, { account_id }: { account_id: number }): Promise<void> {
  await ctx.db
    .updateTable('external_identity')
    .set({ removed_at: null })
    .where('account_id', '=', account_id)
    .execute()
}
