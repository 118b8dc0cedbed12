/** Releases that were brought in from elsewhere, written down with their repository. Nobody is told: they are no news. */
import { attachImported } from '#domains/code/attachments'
import { countChange } from '#domains/code/repositories'
import type { TxContext } from '#platform/context'
import type { NewReleaseRow } from '../tables.ts'
import { insertRelease } from './store.ts'

export interface ImportedRelease extends Omit<NewReleaseRow, 'repository_id' | 'author_id'> {
  /** Numbers of files that were stored and belong to nobody yet. */
  readonly assets: readonly string[]
}

/** In the order in which they are given, which is that of their numbers. A tag has one release, the first. */
export async function insertImportedReleases(
  ctx: TxContext,
  repositoryId: number,
  authorId: number,
  releases: readonly ImportedRelease[],
): Promise<void> {
  let published = 0
  for (const { assets, ...facts } of releases) {
    const row = { ...facts, repository_id: repositoryId, author_id: authorId }
    const release = await insertRelease(ctx.db, row)
    if (release === undefined) continue
    if (!release.is_draft) published += 1
    await attachImported(ctx, { kind: 'release', id: release.id }, assets)
  }
  await countChange(ctx, repositoryId, { releases: published })
}
