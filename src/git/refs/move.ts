/**
 * The one road for refs: room for packs, policy, then one transaction that locks the storage, compares and swaps every
 * ref, names the packs and runs what the policy does together with it. A push comes to the transaction by itself, because
 * it asks for policy before it publishes; every other writer comes through `moveRefs`. What the forge keeps beside the
 * refs of people is moved by `setRefs`, in the transaction of whatever it tells of.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, OutcomeUnknown, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Basis } from '../cache/cache.ts'
import { countLivePacks } from '../maintenance/packs/pack-rows.ts'
import { assertRoomForPacks, scheduleCompaction } from '../maintenance/upkeep.ts'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { borrow } from '../push/borrowed-repository.ts'
import { growGeneration, isZeroOid, zeroOid } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { assertStands, standOnTips, tipsOf } from './basis.ts'
import type { RefPolicy, Together } from './policy.ts'
import { listRefs } from './read.ts'
import { findOids, lockStorage, type RefChange, type RefResult, updateRefs } from './update.ts'

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

/** A change that policy has let through. */
export interface DecidedChange extends RefsChange {
  /** How many packs there were when room was made for those of the change. */
  readonly livePacks: number
  /** What policy has decided to do with the refs that move. */
  readonly together: Together | undefined
  /** What else is to happen with the packs, also where no ref is moved. */
  readonly apply?: (ctx: TxContext) => Promise<void>
}

interface Grown {
  readonly packs: readonly PublishedPack[]
  readonly livePacks: number
  readonly stamp?: string
  readonly results?: Readonly<Record<string, string | null>>
}

/** A standby may be away for as long as operators take to notice. */
const SETTLE_MS_MAX = 120_000
const SETTLE_PAUSE_MS = 500

/** For what the forge itself writes. A ref that policy refuses refuses all of it. */
export async function moveRefs(ctx: Context, change: RefsChange, policy: RefPolicy): Promise<RefResult[]> {
  const livePacks = await findRoom(ctx, change)
  await using opened = new AsyncDisposableStack()
  let path: Promise<string> | undefined
  const open = async () => opened.use(await openChange(ctx, change)).path
  const decision = await policy.decide?.(ctx, change.updates, () => {
    path ??= open()
    return path
  })
  for (const refusal of decision?.refusals.values() ?? []) throw refusal
  // Its objects are closed when it is done: a refusal that nobody waits for would end the process.
  return await commitRefs(ctx, { ...change, livePacks, together: decision?.together })
}

/** The packs of a change that the forge has made itself are published, but no repository has them before it is done. */
async function openChange(
  ctx: Context,
  change: RefsChange,
): Promise<{ readonly path: string } & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const lease = opening.use(await ctx.cache.lease(ctx, change.storageId))
  const { path } = opening.use(await borrow(ctx, lease))
  for (const pack of change.written?.packs ?? [])
    await ctx.cache.pool.provide(ctx, pack, join(path, 'objects/pack'))
  const opened = opening.move()
  return { path, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** How many packs there are, if there is room for more. Whoever only deletes needs none. */
export async function findRoom(
  ctx: Context,
  { storageId, updates }: Pick<RefsChange, 'storageId' | 'updates'>,
): Promise<number> {
  return updates.every((it) => isZeroOid(it.new)) ? 0 : assertRoomForPacks(ctx, storageId)
}

/**
 * Those who move refs of one repository wait for each other, so whether they still may is asked when the wait is over,
 * not when the transaction begins.
 */
export async function commitRefs({ reopen, ...ctx }: Context, change: DecidedChange): Promise<RefResult[]> {
  const basis = change.written?.basis ?? (await findBasis(ctx, change))
  const stamp = randomUUID()
  // Who is in a transaction already may hold what the others wait for.
  using _turn = ctx.db.isTransaction ? undefined : await ctx.turns.take(change.storageId)
  try {
    return await transact(ctx, async (ctx) => {
      const storage = await lockStorage(ctx, change.storageId)
      const actor = reopen === undefined ? ctx.actor : await reopen(ctx)
      return commit({ ...ctx, actor }, storage, { ...change, basis, stamp })
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
  change: DecidedChange & { readonly basis: Basis | undefined; readonly stamp: string },
): Promise<RefResult[]> {
  const { basis, stamp, livePacks, together, apply } = change
  const packs = change.written?.packs ?? []
  if (basis !== undefined) await assertStands(ctx, storage, basis)
  const results = await updateRefs(ctx, storage, change)
  const updates = results.filter(({ refusal }) => refusal === undefined).map(({ update }) => update)
  if (updates.length === 0 && apply === undefined) return results
  const answers = results.map(({ update, refusal }) => [update.name, refusal ?? null])
  await grow(ctx, storage, { packs, livePacks, stamp, results: Object.fromEntries(answers) })
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0)
  if (updates.length > 0) await together?.(ctx, { storage, updates, bytes })
  await apply?.(ctx)
  return results
}

/** What a storage has by now: more packs, and a generation that says so. */
async function grow(ctx: TxContext, storage: Storage, { packs, livePacks, ...made }: Grown): Promise<void> {
  await addPacks(ctx, storage, packs)
  await growGeneration(ctx.db, storage.id, { now: ctx.now(), ...made })
  await scheduleCompaction(ctx, storage.id, livePacks + packs.length)
}

/**
 * Points refs to commits, whatever they pointed to before. What they point to is of this storage already, as another ref
 * that is held by the same lock, or comes with `written`.
 */
export async function setRefs(
  ctx: TxContext,
  storageId: StorageId,
  refs: readonly { readonly name: string; readonly oid: string }[],
  written?: Written,
): Promise<void> {
  const storage = await lockStorage(ctx, storageId)
  if (written !== undefined) await assertStands(ctx, storage, written.basis)
  const names = refs.map(({ name }) => name)
  const now = await findOids(ctx, storageId, names)
  const zero = zeroOid(storage.object_format)
  const updates = refs.map(({ name, oid }) => ({ name, old: now.get(name) ?? zero, new: oid, peeled: null }))
  const results = await updateRefs(ctx, storage, { updates, isAtomic: true }, now)
  const refused = results.find(({ refusal }) => refusal !== undefined)
  if (refused?.refusal !== undefined)
    throw new Problem('conflict', 'failed to update ref', {
      ref: refused.update.name,
      refusal: refused.refusal,
    })
  const livePacks = written === undefined ? 0 : await countLivePacks(ctx.db, storageId)
  await grow(ctx, storage, { packs: written?.packs ?? [], livePacks })
}

/** Forgets all refs below a name, which ends with a slash. What they alone reached is collected some day. */
export async function dropRefs(ctx: TxContext, storageId: StorageId, below: string): Promise<void> {
  const storage = await lockStorage(ctx, storageId)
  const refs = await listRefs(ctx.db, storageId, { prefixes: [below] })
  if (refs.length === 0) return
  const zero = zeroOid(storage.object_format)
  const updates = refs.map(({ name, oid }) => ({ name, old: oid, new: zero, peeled: null }))
  const now = new Map(refs.map(({ name, oid }) => [name, oid]))
  await updateRefs(ctx, storage, { updates, isAtomic: true }, now)
  await grow(ctx, storage, { packs: [], livePacks: 0 })
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
      ctx.log.warn({ err: error, 'git.storage': change.storageId }, 'push outcome unknown')
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
