/** Releases with their authors and assets: one query for each, whatever the number of releases. */
import { listAttachments } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { ReleaseRow } from '../tables.ts'
import { findRelease } from './store.ts'
import { type Around, presentRelease, type Release } from './wire.ts'

export async function showReleases(
  ctx: Context,
  repo: Repository,
  releases: readonly ReleaseRow[],
): Promise<Release[]> {
  const authorIds = releases.flatMap(({ author_id }) => author_id ?? [])
  const ids = releases.map(({ id }) => id)
  const around: Around = {
    repo,
    authors: await findAccountsById(ctx.db, authorIds),
    assets: await listAttachments(ctx.db, 'release', ids),
    site: ctx.site,
  }
  return releases.map((row) => presentRelease(row, around))
}

/** For webhooks, which run later; undefined when the release has been deleted. */
export async function showRelease(ctx: Context, repo: Repository, id: number): Promise<Release | undefined> {
  const row = await findRelease(ctx.db, repo.id, id)
  return row === undefined ? undefined : (await showReleases(ctx, repo, [row]))[0]
}
