/**
 * The one way refs and packs change: one transaction that locks the repository, compares and swaps every ref, names the
 * packs, and runs whatever must happen with it. Pushes and server-side writes both end here.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, OutcomeUnknown, type TxContext, transact } from '#platform/context'
import type { Basis } from '../cache/cache.ts'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { lockStorage, type RefChange, type RefResult, type RefUpdate, updateRefs } from '../refs/update.ts'
import { growGeneration } from '../storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { assertStands, standOnTips, tipsOf } from './basis.ts'

export interface RefsChange extends RefChange {
  readonly storageId: StorageId
  /** Absent where refs only come to point to what is there already. */
  readonly written?: Written
}

/** Packs that were published, and what they were built on. */
export interface Written {
  readonly packs: readonly PublishedPack[]
  readonly basis: Basis
}

/** How much larger a repository is by it. */
export function bytesWritten({ written }: RefsChange): number {
  return written?.packs.reduce((sum, pack) => sum + pack.bytes, 0) ?? 0
}

/** What else happens in the transaction that moves the refs; given the updates that were done. */
export type AlongWith = (ctx: TxContext, storage: Storage, done: readonly RefUpdate[]) => Promise<void>

/** A standby may be away for as long as operators take to notice. */
const SETTLE_MS_MAX = 120_000
const SETTLE_PAUSE_MS = 500

/**
 * Those who move refs of one repository wait for each other, so whether they still may is asked when the wait is over,
 * not when the transaction begins.
 */
export async function commitRefs(
  { reopen, ...ctx }: Context,
  change: RefsChange,
  along: AlongWith,
): Promise<RefResult[]> {
  const basis = change.written?.basis ?? (await findBasis(ctx, change))
  const stamp = randomUUID()
  // Who is in a transaction already may hold what the others wait for.
  using _turn = ctx.db.isTransaction ? undefined : await ctx.turns.take(change.storageId)
  try {
    return await transact(ctx, async (ctx) => {
      const storage = await lockStorage(ctx, change.storageId)
      const actor = reopen === undefined ? ctx.actor : await reopen(ctx)
      return commit({ ...ctx, actor }, storage, { ...change, basis, stamp }, along)
    })
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    return await settle(ctx, change, stamp, error)
  }
}

/** Only what is deleted or renamed stands on nothing. */
async function findBasis(ctx: Context, change: RefsChange): Promise<Basis | undefined> {
  const tips = tipsOf(change)
  return tips.length === 0 ? undefined : standOnTips(ctx, change.storageId, tips)
}

async function commit(
  ctx: TxContext,
  storage: Storage,
  change: RefsChange & { readonly basis: Basis | undefined; readonly stamp: string },
  along: AlongWith,
): Promise<RefResult[]> {
  const { basis, stamp } = change
  if (basis !== undefined) await assertStands(ctx, storage, basis)
  const results = await updateRefs(ctx, storage, change)
  const done = results.filter(({ refusal }) => refusal === undefined).map(({ update }) => update)
  if (done.length === 0) return results
  await addPacks(ctx, storage, change.written?.packs ?? [])
  const answers = results.map(({ update, refusal }) => [update.name, refusal ?? null])
  await growGeneration(ctx.db, storage.id, { now: ctx.now(), stamp, results: Object.fromEntries(answers) })
  await along(ctx, storage, done)
  return results
}

/**
 * COMMIT was sent and not answered, so nobody knows whether it happened. Locking the repository waits until the other
 * transaction has ended one way or the other; then the push is there, or it never will be. Whatever keeps us from asking
 * says nothing about it, so it is asked again; and whoever must be told something before it is known is told that.
 */
async function settle(
  ctx: Context,
  change: RefsChange,
  stamp: string,
  cause: OutcomeUnknown,
): Promise<RefResult[]> {
  const endsAt = performance.now() + SETTLE_MS_MAX
  for (;;) {
    try {
      const results = await findResults(ctx, change.storageId, stamp)
      if (results === undefined) throw cause.cause
      return change.updates.map((update) => ({ update, refusal: results[update.name] ?? undefined }))
    } catch (error) {
      if (error === cause.cause) throw error
      ctx.log.warn({ err: error, 'git.storage': change.storageId }, 'outcome of a push is not known yet')
      if (performance.now() > endsAt) throw cause
      await sleep(SETTLE_PAUSE_MS)
    }
  }
}

/** What each ref of a push was answered; undefined when it was rolled back. */
function findResults(
  ctx: Context,
  storageId: StorageId,
  stamp: string,
): Promise<Record<string, string | null> | undefined> {
  return transact(ctx, async (ctx) => {
    await ctx.db.selectFrom('git_storage').select('id').where('id', '=', storageId).forNoKeyUpdate().execute()
    const made = await ctx.db
      .selectFrom('git_generation')
      .select('results')
      .where('stamp', '=', stamp)
      .executeTakeFirst()
    return made?.results ?? undefined
  })
}
