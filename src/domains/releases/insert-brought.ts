/** Releases that were brought in from elsewhere, written down with their repository. Nobody is told: they are no news. */
import assert from 'node:assert/strict'
import { countChange } from '#domains/repositories'
import type { TxContext } from '#platform/context'
import { insertRelease } from './store.ts'
import type { NewReleaseRow } from './tables.ts'

export interface BroughtRelease extends Omit<NewReleaseRow, 'repository_id' | 'author_id'> {
  /** Numbers of files that were stored and belong to nobody yet. */
  readonly assets: readonly string[]
}

/** In the order in which they are given, which is that of their numbers. A tag has one release, the first. */
export async function insertBrought(
  ctx: TxContext,
  repositoryId: number,
  authorId: number,
  releases: readonly BroughtRelease[],
): Promise<void> {
  let published = 0
  for (const { assets, ...facts } of releases) {
    const row = { ...facts, repository_id: repositoryId, author_id: authorId }
    const release = await insertRelease(ctx.db, row)
    if (release === undefined) continue
    if (!release.is_draft) published += 1
    await bind(ctx, release.id, assets)
  }
  await countChange(ctx, repositoryId, { releases: published })
}

async function bind(ctx: TxContext, releaseId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  const { numUpdatedRows } = await ctx.db
    .updateTable('release_asset')
    .set({ release_id: releaseId })
    .where('uuid', 'in', [...uuids])
    .where('release_id', 'is', null)
    .executeTakeFirst()
  assert(numUpdatedRows === BigInt(uuids.length), 'files are not swept before their release is written')
}
