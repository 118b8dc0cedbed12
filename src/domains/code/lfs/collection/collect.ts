/**
 * Deletes links to objects that no ref of their repository needs. A walk over the pointers marks a link when it finds none
 * to its object; the link is deleted if it is marked for the whole grace, and a walk of the refs as they are when it is
 * deleted has found none either. The bytes of an object without links are deleted by `sweepObjects`, a day later.
 */
import { countRepositoryBytes } from '#domains/code/repositories'
import { areReached, getStorage, listTips, lockStorage, type Storage, type StorageId } from '#git'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { findPointers } from '../objects/pointers.ts'
import {
  deleteLinks,
  findWalk,
  type LinkFacts,
  listLinks,
  markLinks,
  unmarkLinks,
  type WalkRow,
  writeWalk,
} from './store.ts'

const DAY_MS = 86_400_000
/** Of links that a transaction was inserting while a walk began. */
export const OVERLAP_MS = 3_600_000
const LINKS_AT_ONCE = 5_000
/** With more refs than this the next walk reads all commits. */
const TIPS_MAX = 10_000
/** Refs that move during a walk. */
const TRIES_MAX = 3

interface Sorted {
  /** Marked, though a pointer to them was found. */
  readonly referenced: readonly number[]
  readonly unreferenced: readonly number[]
}

/** What a walk has read, at one stamp of the storage. */
interface Walk {
  readonly storage: Storage
  readonly tips: readonly string[]
  readonly begun: Date
}

export async function collectLinks(ctx: Context, payload: unknown): Promise<void> {
  const { storage_id } = payload as { storage_id: StorageId }
  try {
    for (let tries = 1; tries <= TRIES_MAX; tries++)
      if ((await collectOnce(ctx, storage_id)) !== 'raced') return
  } catch (error) {
    // The repository was deleted after the job was ordered.
    if (!(error instanceof Problem && error.kind === 'not_found' && error.details.what === 'git storage'))
      throw error
  }
}

async function collectOnce(ctx: Context, storageId: StorageId): Promise<'done' | 'raced'> {
  const begun = ctx.now()
  // The stamp before the refs: a ref that moves in between changes the stamp.
  const storage = await getStorage(ctx.db, storageId)
  const tips = await listTips(ctx.db, storageId, begun)
  const walk = { storage, tips, begun }
  const before = await findWalk(ctx.db, storageId)
  const sorted = (before && (await sortByNewCommits(ctx, walk, before))) ?? (await sortByAll(ctx, walk))
  if (sorted === undefined) {
    ctx.log.warn({ 'git.storage': storageId }, 'too many small files to find unreferenced lfs objects')
    return 'done'
  }
  for (const ids of chunksOf(sorted.referenced))
    await transact(ctx, (ctx) => unmarkLinks(ctx.db, storageId, ids))
  for (const ids of chunksOf(sorted.unreferenced))
    await transact(ctx, (ctx) => markLinks(ctx.db, storageId, ids, begun))
  for (const ids of chunksOf(sorted.unreferenced)) {
    if ((await deleteUnreferenced(ctx, storage, ids)) === 'raced') return 'raced'
  }
  await transact(ctx, (ctx) =>
    writeWalk(ctx.db, {
      storage_id: storageId,
      stamp: storage.stamp,
      tips: tips.length > TIPS_MAX ? [] : [...tips],
      begun_at: begun,
    }),
  )
  return 'done'
}

/**
 * While refs only go on from where the last walk saw them, the objects that were referenced still are. Undefined if refs
 * were deleted or rewritten, or a link is new that no new commit references: then all commits must be read.
 */
async function sortByNewCommits(ctx: Context, walk: Walk, before: WalkRow): Promise<Sorted | undefined> {
  const { storage, tips } = walk
  if (before.tips.length === 0) return undefined
  if (!(await areReached(ctx, storage.id, { tips, older: before.tips }))) return undefined
  const range = { tips, known: before.tips, isStrict: true }
  const { sizes, isWhole } = await findPointers(ctx, storage.id, range)
  if (!isWhole) return undefined
  const knownUntil = before.begun_at.getTime() - OVERLAP_MS
  return sort(ctx, storage.id, (link) => {
    if (sizes.has(link.oid)) return true
    if (link.unreferenced_since !== null) return false
    return link.created_at.getTime() < knownUntil ? true : undefined
  })
}

/** Undefined if there are too many small files to read. */
async function sortByAll(ctx: Context, { storage, tips }: Walk): Promise<Sorted | undefined> {
  const { sizes, isWhole } = await findPointers(ctx, storage.id, { tips, known: [], isStrict: true })
  return isWhole ? sort(ctx, storage.id, ({ oid }) => sizes.has(oid)) : undefined
}

/** Undefined if `isReferenced` is undefined for a link. */
async function sort(
  ctx: Context,
  storageId: StorageId,
  isReferenced: (link: LinkFacts) => boolean | undefined,
): Promise<Sorted | undefined> {
  const referenced: number[] = []
  const unreferenced: number[] = []
  for (let last = 0; ; ) {
    const links = await listLinks(ctx.db, storageId, last, LINKS_AT_ONCE)
    for (const link of links) {
      const is = isReferenced(link)
      if (is === undefined) return undefined
      if (!is) unreferenced.push(link.object_id)
      else if (link.unreferenced_since !== null) referenced.push(link.object_id)
    }
    last = links.at(-1)?.object_id ?? last
    if (links.length < LINKS_AT_ONCE) return { referenced, unreferenced }
  }
}

/**
 * Invariant: under the lock of the storage no ref moves, so what the walk has read is true until the end of this
 * transaction. A link that a client has named meanwhile is not marked any more.
 */
function deleteUnreferenced(
  ctx: Context,
  walked: Storage,
  ids: readonly number[],
): Promise<'done' | 'raced'> {
  const before = new Date(ctx.now().getTime() - ctx.config['lfs.unreferenced_days'] * DAY_MS)
  return transact(ctx, async (ctx) => {
    const { id, stamp } = await lockStorage(ctx, walked.id)
    if (stamp !== walked.stamp) return 'raced'
    const { links, bytes } = await deleteLinks(ctx.db, id, ids, before)
    if (links === 0) return 'done'
    const repo = await ctx.db
      .selectFrom('repository')
      .select('id')
      .where('storage_id', '=', id)
      .executeTakeFirst()
    if (repo !== undefined) await countRepositoryBytes(ctx, repo.id, { counter: 'lfs_bytes', bytes: -bytes })
    ctx.log.info({ 'git.storage': id, 'lfs.links': links, 'lfs.bytes': bytes }, 'lfs objects unlinked')
    return 'done'
  })
}

function* chunksOf(ids: readonly number[]): Generator<readonly number[]> {
  for (let i = 0; i < ids.length; i += LINKS_AT_ONCE) yield ids.slice(i, i + LINKS_AT_ONCE)
}
