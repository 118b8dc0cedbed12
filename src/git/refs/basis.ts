/**
 * Proves that the new targets of refs exist and will stay. Git has checked them, but in cache files that anyone may
 * delete and in packs that may have been retired since; the proof relies on PostgreSQL alone.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Basis, Lease } from '../cache/cache.ts'
import { GitFailure, runGit } from '../command/run.ts'
import { findInIndexes } from '../packs/pack-index.ts'
import type { PublishedPack } from '../packs/publish.ts'
import { isZeroOid } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import type { RefChange } from './update.ts'

const WALK_TIMEOUT_MS = 600_000

/**
 * The basis of a change made on top of a lease: every new tip is in a published pack or in a pack of the repository.
 * Refused when it is in neither: a file that git has read is gone.
 */
export async function standOn(
  lease: Pick<Lease, 'path' | 'basis'>,
  tips: readonly string[],
  packs: readonly PublishedPack[],
): Promise<Basis> {
  const others = tips.filter((oid) => !packs.some(({ holds }) => holds.has(oid)))
  const found = others.length === 0 ? others : await findInIndexes(join(lease.path, 'objects/pack'), others)
  if (new Set(found).size < new Set(others).size) throw lost()
  return lease.basis()
}

/** Everything sent is published: git's connectivity check covered all of it. */
export function assertObjectsPresent(packs: readonly PublishedPack[], objects: number): void {
  const published = packs.reduce((sum, pack) => sum + pack.object_count, 0)
  if (published < objects) throw lost()
}

/** The basis of a change that writes no objects: everything its tips reach must exist, which has not been checked yet. */
export async function standOnTips(
  ctx: Context,
  storageId: StorageId,
  tips: readonly string[],
): Promise<Basis> {
  await using lease = await ctx.cache.lease(ctx, storageId)
  const walk = {
    name: 'rev-list',
    flags: ['--objects', '--quiet', '--stdin', '--not', '--all'] as const,
  }
  const input = tips.map((oid) => `${oid}\n`).join('')
  try {
    await runGit(ctx, walk, { path: lease.path, input, timeoutMs: WALK_TIMEOUT_MS })
  } catch (error) {
    if (error instanceof GitFailure && error.code !== null) throw lost()
    throw error
  }
  return await standOn(lease, tips, [])
}

/** New targets of refs. In an atomic update an object that another ref pointed to already exists, so it needs no proof. */
export function tipsOf({ updates, isAtomic }: RefChange): string[] {
  const known = new Set(isAtomic ? updates.map(({ old }) => old) : [])
  return [...new Set(updates.map((it) => it.new))].filter((oid) => !isZeroOid(oid) && !known.has(oid))
}

/**
 * In the transaction, under the lock: the packs the change was built on still belong to the repository. Garbage packs
 * that expired since are restored; packs released since, or a generation lost in a failover, refuse the change.
 *
 * Invariant: a pack leaves a repository only when other packs have all its objects, or as garbage proven unreachable.
 */
export async function assertStands(ctx: TxContext, storage: Storage, basis: Basis): Promise<void> {
  const unknown = [...basis.stamps].filter((stamp) => stamp !== storage.stamp)
  if (unknown.length === 0) return
  if (storage.released_generation > basis.generation) throw tooLate()
  const { rows } = await sql<{ known: number; bytes: number }>`with taken_back as (
      update git_storage_pack named
      set retired_at = null, retired_generation = null, added_generation = ${storage.generation + 1}
      from git_pack where git_pack.id = named.pack_id and git_pack.kind = 'garbage'
        and named.storage_id = ${storage.id} and named.retired_generation > ${basis.generation}
      returning git_pack.bytes)
    select count(*) as known, (select coalesce(sum(bytes), 0)::bigint from taken_back) as bytes from git_generation
    where storage_id = ${storage.id} and stamp = any(${unknown}::uuid[])`.execute(ctx.db)
  if (rows[0]?.known !== unknown.length) throw tooLate()
  await ctx.countPacks(ctx, storage.id, rows[0].bytes, false)
}

function lost(): Problem {
  return new Problem('unavailable', 'missing necessary objects, please try again')
}

function tooLate(): Problem {
  return new Problem('unavailable', 'repository was repacked concurrently, please try again')
}
