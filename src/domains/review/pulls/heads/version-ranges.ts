/** A version of a pull request as a commit range: its merge base and its tip. */
import { findMergeBase, findRef, HEADS, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { SeenPull } from '../records/open-pull.ts'
import { listVersions } from '../records/store.ts'
import type { VersionRow } from '../tables.ts'

export interface VersionRange {
  readonly base: string
  readonly head: string
}

/** Two versions, by number. */
export async function findVersionRanges(
  ctx: Context,
  storageId: StorageId,
  pull: SeenPull,
  numbers: readonly [number, number],
): Promise<readonly [VersionRange, VersionRange]> {
  const versions = await listVersions(ctx.db, pull.issue_id)
  const find = (number: number) => {
    const found = versions.find(({ version }) => version === number)
    if (found === undefined) throw notFound('version', number)
    return rangeOf(ctx, storageId, pull, found)
  }
  return [await find(numbers[0]), await find(numbers[1])]
}

/** Stored with the row, else computed. Without a merge base, the range is empty. */
async function rangeOf(
  ctx: Context,
  storageId: StorageId,
  { base_branch }: SeenPull,
  { merge_base, base_oid, head_oid: head }: VersionRow,
): Promise<VersionRange> {
  if (merge_base !== '') return { base: merge_base, head }
  const tip = base_oid || (await findRef(ctx.db, storageId, HEADS + base_branch))?.oid
  const found = tip === undefined ? undefined : await findMergeBase(ctx, storageId, tip, head)
  return { base: found ?? head, head }
}
