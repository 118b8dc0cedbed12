/** The dependencies of an issue that the caller may see. */
import type { Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import { notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { keepReadable, showReadable } from '../records/across.ts'
import { mayWrite, type SeenIssue } from '../records/open-issue.ts'
import type { Issue } from '../records/wire.ts'
import { hasDependencies } from './depend.ts'
import { listLinked } from './store.ts'
import { type HiddenIssue, presentHidden } from './wire.ts'

/** Omits issues that the caller may not read. */
export async function listBlocked(ctx: Context, issue: SeenIssue, page: Page): Promise<Issue[]> {
  const linked = await keepReadable(ctx, await listLinked(ctx.db, issue, 'blocked'))
  const ids = linked.slice(page.offset, page.offset + page.limit).map(({ id }) => id)
  const shown = await showReadable(ctx, ids)
  return ids.flatMap((id) => shown.get(id) ?? [])
}

/** Compat: issues that the caller may not read are counted and shown as hidden. */
export async function listBlockers(
  ctx: Context,
  tracker: Tracker,
  issue: SeenIssue,
  page: Page,
): Promise<Paged<Issue | HiddenIssue>> {
  if (!hasDependencies(tracker)) throw notFound('dependencies', issue.number)
  const linked = await listLinked(ctx.db, issue, 'blockers')
  const ids = linked.slice(page.offset, page.offset + page.limit).map(({ id }) => id)
  const shown = await showReadable(ctx, ids)
  const hidden = presentHidden(mayWrite(tracker, issue.is_pull), ctx.site, issue.created_at)
  return { items: ids.map((id) => shown.get(id) ?? hidden), total: linked.length }
}
