/**
 * Counts the bytes of an owner's packages; equal content is counted once. Transactions that add or delete content of one
 * owner take turns, because each must see the files of the others.
 */
import { sql } from 'kysely'
import { countBytes } from '#domains/people/quotas'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import type { BlobRow } from '../tables.ts'

/** Before blobs are locked: the other order could deadlock. */
export async function lockUsage(tx: Tx, ownerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('package bytes'), ${ownerId}::int)`.execute(tx)
}

/** Call under the lock, before a file names the content. */
export async function countAdded(
  ctx: TxContext,
  ownerId: number,
  { id, bytes }: Pick<BlobRow, 'id' | 'bytes'>,
): Promise<void> {
  const there = await ctx.db
    .selectFrom('package_file')
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .select('package_file.id')
    .where('package_file.blob_id', '=', id)
    .where('package_version.owner_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  // Compat: Gitea answers 403.
  if (there === undefined) countBytes(ctx, { ownerId, kind: 'packages', bytes, refusal: 'forbidden' })
}

/** Call after the files were deleted, while the blobs exist. */
export async function countFreed(ctx: TxContext, ownerId: number, blobIds: readonly number[]): Promise<void> {
  await lockUsage(ctx.db, ownerId)
  const { rows } = await sql<{
    bytes: number
  }>`select coalesce(sum(bytes), 0)::bigint as bytes from package_blob
    where id = any(${[...blobIds]}::bigint[]) and not exists (
      select from package_file join package_version on package_version.id = package_file.version_id
      where package_file.blob_id = package_blob.id and package_version.owner_id = ${ownerId})`.execute(ctx.db)
  countBytes(ctx, { ownerId, kind: 'packages', bytes: -(rows[0]?.bytes ?? 0) })
}
