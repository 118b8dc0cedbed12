/** Inserts imported releases. No events are emitted. */
import { attachImported } from '#domains/code/attachments'
import { countChange } from '#domains/code/repositories'
import type { TxContext } from '#platform/context'
import type { NewReleaseRow } from '../tables.ts'
import { insertRelease } from './store.ts'

export interface ImportedRelease extends Omit<NewReleaseRow, 'repository_id' | 'author_id'> {
  /** An account here; the person who imports when absent, with `original_author`. */
  readonly author_id?: number
  /** Uuids of stored attachments that have no owner yet. */
  readonly assets: readonly string[]
}

/** Inserts in the given order, which becomes the order of ids. When a tag repeats, the first release wins. */
export async function insertImportedReleases(
  ctx: TxContext,
  repositoryId: number,
  authorId: number,
  releases: readonly ImportedRelease[],
): Promise<void> {
  let published = 0
  for (const { assets, ...facts } of releases) {
    const row = { author_id: authorId, ...facts, repository_id: repositoryId }
    const release = await insertRelease(ctx.db, row)
    if (release === undefined) continue
    if (!release.is_draft) published += 1
    await attachImported(ctx, repositoryId, { kind: 'release', id: release.id }, assets)
  }
  await countChange(ctx, repositoryId, { releases: published })
}
