/**
 * Counts the bytes of a repository, beside its other counters and for its owner. The row of the repository is locked
 * before its counters, so its owner and the bytes that a transfer takes along are certain.
 */
import { countBytes, type UsageKind } from '#domains/people/quotas'
import { listLivePacks, type StorageId } from '#git'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import type { RepositoryUsage } from '../tables.ts'

type Counter = keyof RepositoryUsage

const COUNTERS = {
  bytes: 'git',
  wiki_bytes: 'git',
  artifact_bytes: 'artifacts',
  log_bytes: 'logs',
  attachment_bytes: 'attachments',
} as const satisfies Record<Counter, UsageKind>

/** More bytes than the owner may have are refused, if `isLimited`. */
export async function countRepositoryBytes(
  ctx: TxContext,
  repositoryId: number,
  change: { readonly counter: Counter; readonly bytes: number; readonly isLimited?: boolean },
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
  const bytes = packs.reduce((sum, pack) => sum + pack.bytes, 0)
  await countPacks(ctx, storageId, bytes, true)
}

/** For a repository that comes to an owner or leaves it. */
export function countAllBytes(
  ctx: TxContext,
  ownerId: number,
  counts: Partial<RepositoryUsage>,
  { sign, refusal }: { readonly sign: 1 | -1; readonly refusal?: 'too_large' | 'forbidden' },
): void {
  for (const [counter, kind] of Object.entries(COUNTERS) as [Counter, UsageKind][])
    countBytes(ctx, { ownerId, kind, bytes: sign * (counts[counter] ?? 0), ...(refusal && { refusal }) })
}

export function readBytes(ctx: TxContext, repositoryId: number): Promise<RepositoryUsage> {
  return ctx.db
    .selectFrom('repository_count')
    .select(Object.keys(COUNTERS) as Counter[])
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
}

async function count(
  ctx: TxContext,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
  { counter, bytes, isLimited }: { counter: Counter; bytes: number; isLimited?: boolean },
): Promise<void> {
  await ctx.db
    .updateTable('repository_count')
    .set((eb) => ({ [counter]: eb(counter, '+', bytes) }))
    .where('repository_id', '=', id)
    .execute()
  const change = { ownerId: owner_id, kind: COUNTERS[counter], bytes }
  countBytes(ctx, isLimited ? { ...change, refusal: 'too_large' } : change)
}

/** For a recount: nobody counts bytes of the owner's repositories meanwhile. */
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
