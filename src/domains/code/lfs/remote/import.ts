/** Git LFS of imported repositories, mirrors and push mirrors. */
import type { Readable } from 'node:stream'
import { countRepositoryBytes } from '#domains/code/repositories'
import type { OpenObjects, RefUpdate, Remote, StorageId } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import { type LinkedTo, linkObjects } from '../objects/link.ts'
import { type FoundPointers, findPointers, findPointersIn } from '../objects/pointers.ts'
import { copyLinks, insertLinks, sumLinked } from '../objects/store.ts'
import { storeObject } from '../objects/take.ts'
import type { Pointer } from '../wire.ts'
import { bringObjects } from './bring.ts'
import { remoteLfsOf } from './remote-batch.ts'
import { sendObjects } from './send.ts'

const TOO_MANY = 'Migration failed: repository has too many small files to find Git LFS objects'

export interface LfsRemote {
  readonly remote: Remote
  /** Null: derived from the address of the repository. */
  readonly endpoint: string | null
  readonly timeoutMs: number
}

export interface LfsSource extends LfsRemote {
  readonly bytesMax: number
}

/**
 * Before the refs of an import are committed: the objects of all its commits, linked to its storage, which belongs to no
 * repository yet. `earlier` is the storage of an attempt whose worker died.
 */
export async function importObjects(
  ctx: Context,
  source: LfsSource,
  to: { readonly storageId: StorageId; readonly earlier: StorageId | null },
  pushed: { readonly updates: readonly RefUpdate[]; readonly openObjects: OpenObjects },
): Promise<void> {
  const { storageId, earlier } = to
  if (earlier !== null) await transact(ctx, (ctx) => copyLinks(ctx.db, earlier, storageId, ctx.now()))
  await bring(ctx, source, storageId, await findImported(ctx, pushed), (ctx, { id }) =>
    insertLinks(ctx.db, storageId, [id], ctx.now()),
  )
}

/** The same from files of this machine. `open` answers undefined for an object that is not among them. */
export async function importStoredObjects(
  ctx: Context,
  open: (pointer: Pointer) => Promise<Readable | undefined>,
  storageId: StorageId,
  pushed: { readonly updates: readonly RefUpdate[]; readonly openObjects: OpenObjects },
): Promise<void> {
  const { sizes, isWhole } = await findImported(ctx, pushed)
  if (!isWhole) throw invalid(TOO_MANY)
  for (const [oid, size] of sizes) {
    const source = await open({ oid, size })
    if (source === undefined) continue
    await storeObject(ctx, { oid, size }, source, (ctx, { id }) =>
      insertLinks(ctx.db, storageId, [id], ctx.now()),
    )
  }
}

/** Counts them for the repository that the import creates; refused if they are more than its owner may have. */
export async function countImported(ctx: TxContext, { id, storage_id }: LinkedTo): Promise<void> {
  const bytes = await sumLinked(ctx.db, storage_id)
  await countRepositoryBytes(ctx, id, { counter: 'lfs_bytes', bytes, isLimited: true })
}

/** After a sync: the objects of its new commits, or of all commits. */
export async function syncObjects(
  ctx: Context,
  source: LfsSource,
  repo: LinkedTo,
  range: { readonly tips: readonly string[]; readonly known: readonly string[] },
): Promise<void> {
  const found = await findPointers(ctx, repo.storage_id, range)
  await bring(ctx, source, repo.storage_id, found, (ctx, object) => linkObjects(ctx, repo, [object]))
}

/** Before a push mirror moves refs, so that its readers never see a pointer without its object. */
export function mirrorObjects(
  ctx: Context,
  { remote, endpoint, timeoutMs }: LfsRemote,
  storageId: StorageId,
  since: Date | null,
): Promise<void> {
  return sendObjects(ctx, { storageId, findRemote: () => remoteLfsOf(remote, endpoint), since, timeoutMs })
}

async function findImported(
  ctx: Context,
  pushed: { readonly updates: readonly RefUpdate[]; readonly openObjects: OpenObjects },
): Promise<FoundPointers> {
  const tips = pushed.updates.map((it) => it.new)
  return findPointersIn(ctx, await pushed.openObjects(), { tips, known: [], isStrict: true })
}

async function bring(
  ctx: Context,
  { remote, endpoint, timeoutMs, bytesMax }: LfsSource,
  storageId: StorageId,
  { sizes, isWhole }: FoundPointers,
  link: Parameters<typeof bringObjects>[1]['link'],
): Promise<void> {
  if (!isWhole) throw invalid(TOO_MANY)
  if (sizes.size === 0) return
  await bringObjects(ctx, {
    storageId,
    remote: remoteLfsOf(remote, endpoint),
    sizes,
    bytesMax,
    timeoutMs,
    link,
  })
}
