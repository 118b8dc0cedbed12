/** Releases with all that is shown of them: one query for authors, one for files, however many there are. */
import { listAttachments } from '#domains/attachments'
import type { CanRead, Repository } from '#domains/repositories'
import { findAccountsById } from '#domains/users'
import type { Context } from '#platform/context'
import type { Page } from '#platform/rest'
import { findRelease, listReleases } from './store.ts'
import type { ReleaseRow } from './tables.ts'
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

/** The newest that are out, for feeds. */
export async function listPublished(ctx: Context, repo: CanRead<'releases'>, page: Page): Promise<Release[]> {
  const filter = { showsDrafts: false, isDraft: undefined, isPrerelease: undefined, tagPart: '' }
  const { items } = await listReleases(ctx.db, repo.id, filter, page)
  return showReleases(ctx, repo, items)
}

/** For those who tell of it later; undefined when it is gone. */
export async function showRelease(ctx: Context, repo: Repository, id: number): Promise<Release | undefined> {
  const row = await findRelease(ctx.db, repo.id, id)
  return row === undefined ? undefined : (await showReleases(ctx, repo, [row]))[0]
}
