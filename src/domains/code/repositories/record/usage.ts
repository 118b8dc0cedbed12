/**
 * Counts the bytes of a repository, beside its other counters and for its owner. The row of the repository is locked
 * before its counters, so its owner and the bytes that a transfer takes along are certain.
 */
import { countBytes, type UsageKind } from '#domains/people/quotas'
import { listLivePacks, type StorageId, sumBytes } from '#git'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import type { RepositoryUsage } from '../tables.ts'

export type UsageCounter = keyof RepositoryUsage

/** The kind of storage that each counter of a repository belongs to. */
export const USAGE_COUNTERS = {
  bytes: 'git',
  wiki_bytes: 'git',
  artifact_bytes: 'artifacts',
  log_bytes: 'logs',
  attachment_bytes: 'attachments',
  lfs_bytes: 'lfs',
} as const satisfies Record<UsageCounter, UsageKind>

/** More bytes than the owner may have are refused, if `isLimited`. */
export async function countRepositoryBytes(
  ctx: TxContext,
  repositoryId: number,
  change: { readonly counter: UsageCounter; readonly bytes: number; readonly isLimited?: boolean },
): Promise<void> {
  if (change.bytes === 0) return
  const repo = await ctx.db
    .selectFrom('repository')
    .select(['id', 'owner_id'])
    .where('id', '=', repositoryId)
    .forShare()
    .executeTakeFirst()
  if (repo !== undefined) await count(ctx, repo, change)
}

/** Packs of a repository or its wiki. A storage without a repository yet is counted when it gets one. */
export async function countPacks(
  ctx: TxContext,
  storageId: StorageId,
  bytes: number,
  isLimited: boolean,
): Promise<void> {
  if (bytes === 0) return
  const repo = await ctx.db
    .selectFrom('repository')
    .select(['id', 'owner_id', 'storage_id'])
    .where((eb) => eb.or([eb('storage_id', '=', storageId), eb('wiki_storage_id', '=', storageId)]))
    .forShare()
    .executeTakeFirst()
  if (repo === undefined) return
  const counter = repo.storage_id === storageId ? 'bytes' : 'wiki_bytes'
  await count(ctx, repo, { counter, bytes, isLimited })
}

/** For a wiki that was stored before its repository. */
export async function countWiki(ctx: TxContext, storageId: StorageId): Promise<void> {
  const packs = await listLivePacks(ctx.db, storageId)
  await countPacks(ctx, storageId, sumBytes(packs), true)
}

/** For a repository that comes to an owner or leaves it. */
export function countAllBytes(
  ctx: TxContext,
  ownerId: number,
  counts: Partial<RepositoryUsage>,
  { sign, refusal }: { readonly sign: 1 | -1; readonly refusal?: 'too_large' | 'forbidden' },
): void {
  for (const [counter, kind] of Object.entries(USAGE_COUNTERS) as [UsageCounter, UsageKind][])
    countBytes(ctx, { ownerId, kind, bytes: sign * (counts[counter] ?? 0), ...(refusal && { refusal }) })
}

export function readBytes(ctx: TxContext, repositoryId: number): Promise<RepositoryUsage> {
  return ctx.db
    .selectFrom('repository_count')
    .select(Object.keys(USAGE_COUNTERS) as UsageCounter[])
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
}

async function count(
  ctx: TxContext,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
  { counter, bytes, isLimited }: { counter: UsageCounter; bytes: number; isLimited?: boolean },
): Promise<void> {
  await ctx.db
    .updateTable('repository_count')
    .set((eb) => ({ [counter]: eb(counter, '+', bytes) }))
    .where('repository_id', '=', id)
    .execute()
  const change = { ownerId: owner_id, kind: USAGE_COUNTERS[counter], bytes }
  countBytes(ctx, isLimited ? { ...change, refusal: 'too_large' } : change)
}

/** For a recount: other transactions that count bytes of the owner's repositories wait. */
export async function lockRepositoriesOf(tx: Tx, ownerId: number): Promise<void> {
  await tx
    .selectFrom('repository')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function writeBytes(
  tx: Tx,
  repositoryId: number,
  counts: Partial<RepositoryUsage>,
): Promise<void> {
  await tx.updateTable('repository_count').set(counts).where('repository_id', '=', repositoryId).execute()
}
