/**
 * Asks directories about their people: those who are gone cannot sign in any more, and groups decide about teams as at a
 * sign-in. A directory that does not answer, or has no such base, changes nothing, and one that misses many removes none.
 */
import type { Client } from 'ldapts'
import { findAccountById, setProhibited } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { FOUND, selectIdentities } from '../identities/store.ts'
import { followGroups } from '../mappings/follow-groups.ts'
import { getSource, selectSources, shareSource } from '../records/store.ts'
import { type IdentityRow, isOf, type SourceOf } from '../tables.ts'
import { endConfirmation, passesBrake, selectMissed } from './brake.ts'
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

/** One directory, now. */
export async function orderCheck(ctx: TxContext, { id }: Pick<IdentityRow, 'id'>): Promise<void> {
  await addJobs(ctx, [jobOf({ source_id: id, since: ctx.now().toISOString() })])
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
  if (identities.length > 0)
    await withDirectory(ctx, source, async (client) => {
      for (const identity of identities) await checkPerson(ctx, source, identity, client)
    })
  // Invariant: people are removed after the whole directory was asked.
  const isOver = identities.length < BATCH && (await removeMissed(ctx, source))
  if (!isOver) await transact(ctx, (ctx) => addJobs(ctx, [jobOf(payload)]))
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
    await changeIdentity(ctx, identity, (ctx, current) =>
      edit(ctx, current, { checked_at: ctx.now(), missed_at: null }),
    )
    return
  }
  await changeIdentity(ctx, identity, (ctx, current) => follow(ctx, current, person))
}

async function follow(ctx: TxContext, identity: IdentityRow, person: Person | undefined): Promise<void> {
  const now = ctx.now()
  const { profile } = person ?? {}
  if (profile === undefined) {
    const isKnown = identity.gone_at !== null || identity.removed_at !== null
    await edit(ctx, identity, { checked_at: now, missed_at: isKnown ? null : now })
    return
  }
  const account = await findAccountById(ctx.db, identity.account_id)
  if (account === undefined) return
  await restore(ctx, identity)
  await followGroups(ctx, identity, account, profile.groups ?? [])
  await edit(ctx, identity, {
    checked_at: now,
    ...FOUND,
    login: profile.login,
    email: profile.email ?? '',
  })
}

/** Removes the people whom the directory does not have, unless they are too many. False if some are left for another job. */
async function removeMissed(ctx: Context, source: SourceOf<'ldap'>): Promise<boolean> {
  if (!(await passesBrake(ctx, source))) return true
  const missed = await selectMissed(ctx.db, source.id).orderBy('id').limit(BATCH).execute()
  for (const identity of missed) await changeIdentity(ctx, identity, remove)
  if (missed.length === BATCH) return false
  await endConfirmation(ctx, source)
  return true
}

async function remove(ctx: TxContext, identity: IdentityRow): Promise<void> {
  // The person has signed in, or a check has found them.
  if (identity.missed_at === null) return
  const account = await findAccountById(ctx.db, identity.account_id)
  if (account === undefined) return
  // An account of the forge's own keeps its own ways in; its identity opens nothing without an entry.
  const isTheirs = account.source_id === identity.source_id || account.only_source_id === identity.source_id
  const isProhibited = isTheirs && !account.prohibits_login
  if (isProhibited) await setProhibited(ctx, account.id, true)
  await followGroups(ctx, identity, account, [])
  const now = ctx.now()
  await edit(ctx, identity, { missed_at: null, gone_at: now, ...(isProhibited && { removed_at: now }) })
}

/** The identity as it is now, if it still exists. */
async function changeIdentity(
  ctx: Context,
  { id, source_id }: IdentityRow,
  change: (ctx: TxContext, current: IdentityRow) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await shareSource(ctx.db, source_id)
    const current = await selectIdentities(ctx.db).where('id', '=', id).forUpdate().executeTakeFirst()
    if (current !== undefined) await change(ctx, current)
  })
}

async function edit({ db }: TxContext, { id }: IdentityRow, patch: Partial<IdentityRow>): Promise<void> {
  await db.updateTable('external_identity').set(patch).where('id', '=', id).execute()
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
