/**
 * The one way to update refs: make room for packs, apply the policy, then one transaction that locks the storage,
 * compares and swaps every ref, names the packs and runs the policy's `together`. A push calls `commitRefs` itself,
 * because it applies the policy before it publishes; all other writers use `moveRefs`. Refs that the forge maintains
 * itself are updated by `setRefs`, in the transaction of the change they record.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, OutcomeUnknown, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Basis } from '../cache/cache.ts'
import { countLivePacks } from '../maintenance/packs/pack-rows.ts'
import { makeRoomForPacks, scheduleCompaction } from '../maintenance/upkeep.ts'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { sumBytes } from '../packs/rows.ts'
import { borrow } from '../push/borrowed-repository.ts'
import { growGeneration, isZeroOid, zeroOid } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { assertStands, standOnTips, tipsOf } from './basis.ts'
import type { RefPolicy, Together } from './policy.ts'
import { listRefs } from './read.ts'
import { findOids, lockStorage, type RefChange, type RefResult, updateRefs } from './update.ts'

export interface RefsChange extends RefChange {
  readonly storageId: StorageId
  /** Absent when refs only point to objects that already exist. */
  readonly written?: Written
}

/** Published packs, and what they were built on. */
export interface Written {
  readonly packs: readonly PublishedPack[]
  readonly basis: Basis
}

/** A change that the policy has allowed. */
export interface DecidedChange extends RefsChange {
  /** Number of live packs when the limit was checked. */
  readonly livePacks: number
  /** What the policy does in the transaction that moves the refs. */
  readonly together: Together | undefined
  /** Further work of the transaction, also when no ref moves. */
  readonly apply?: (ctx: TxContext) => Promise<void>
}

interface Grown {
  readonly packs: readonly PublishedPack[]
  readonly livePacks: number
  readonly stamp?: string
  readonly results?: Readonly<Record<string, string | null>>
}

/** A standby may be down until operators notice. */
const SETTLE_MS_MAX = 120_000
const SETTLE_PAUSE_MS = 500

/** For writes of the forge itself. A refusal for one ref refuses the whole change. */
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
  // `await` keeps the objects open until the commit is done; otherwise a rejection could go unhandled during disposal.
  return await commitRefs(ctx, { ...change, livePacks, together: decision?.together })
}

/** The change's packs are published, but belong to no repository before the commit, so they are linked in here. */
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

/** The number of live packs, after making room for more. A change that only deletes needs none. */
export async function findRoom(
  ctx: Context,
  { storageId, updates }: Pick<RefsChange, 'storageId' | 'updates'>,
): Promise<number> {
  return updates.every((it) => isZeroOid(it.new)) ? 0 : makeRoomForPacks(ctx, storageId)
}

/**
 * Writers of one repository wait for each other, so access is checked again after the wait, not when the transaction
 * begins.
 */
export async function commitRefs({ reopen, ...ctx }: Context, change: DecidedChange): Promise<RefResult[]> {
  const basis = change.written?.basis ?? (await findBasis(ctx, change))
  const stamp = randomUUID()
  // A caller already in a transaction may hold a lock that the others wait for.
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

/** Undefined for a change that only deletes or renames. */
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
  const bytes = sumBytes(packs)
  if (updates.length > 0) await together?.(ctx, { storage, updates, bytes })
  else await ctx.countPacks(ctx, storage.id, bytes, true)
  await apply?.(ctx)
  return results
}

/** Adds packs and starts a new generation. */
async function grow(ctx: TxContext, storage: Storage, { packs, livePacks, ...made }: Grown): Promise<void> {
  await addPacks(ctx, storage, packs)
  await growGeneration(ctx.db, storage.id, { now: ctx.now(), ...made })
  await scheduleCompaction(ctx, storage.id, livePacks + packs.length)
}

/**
 * Points refs to commits, whatever they pointed to before. The commits must already belong to this storage, as targets of
 * refs under the same lock, or come with `written`.
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
  const packs = written?.packs ?? []
  await grow(ctx, storage, { packs, livePacks })
  await ctx.countPacks(ctx, storageId, sumBytes(packs), false)
}

/** Deletes all refs below a prefix that ends with a slash. Objects that become unreachable are collected later. */
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
 * COMMIT was sent and not answered, so its outcome is unknown. Locking the repository waits until that transaction has
 * ended either way; then the push is visible, or never will be. An error of this query proves nothing, so it is repeated;
 * after SETTLE_MS_MAX the caller gets `OutcomeUnknown`.
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

/** The result of each ref of a push; undefined when it was rolled back. */
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
