/** What counts issues: labels, milestones, the repository and projects. */

import { countChange } from '#domains/code/repositories'
import { countLabels } from '#domains/work/labels'
import { countMoved } from '#domains/work/milestones'
import { countInProjects } from '#domains/work/projects'
import type { TxContext } from '#platform/context'
import { listLabelsOf } from '../labeling/store.ts'
import type { IssueRow } from '../tables.ts'

/**
 * An issue was one, and is another; null where it was not there, or is no more.
 * Invariant: labels are locked before milestones, those before the repository, and that before projects, whoever counts.
 */
export async function countIssue(
  ctx: TxContext,
  before: IssueRow | null,
  after: IssueRow | null,
): Promise<void> {
  const closed = Number(after?.is_closed ?? false) - Number(before?.is_closed ?? false)
  const issues = Number(after !== null) - Number(before !== null)
  // Labels of a new issue are counted as they are put on.
  if (before !== null && (closed !== 0 || issues !== 0)) {
    const labels = (await listLabelsOf(ctx.db, [before.id])).get(before.id) ?? []
    const ids = labels.map(({ id }) => id)
    await countLabels(ctx.db, ids, { issues, closed_issues: closed })
  }
  await countMoved(ctx.db, before, after)
  const issue = after ?? before
  if (issue !== null && issues !== closed)
    await countChange(ctx, issue.repository_id, {
      [issue.is_pull ? 'open_pulls' : 'open_issues']: issues - closed,
    })
  // A new issue is counted as it is put into projects.
  if (before !== null && (closed !== 0 || issues !== 0))
    await countInProjects(ctx.db, before.id, { open_issues: issues - closed, closed_issues: closed })
}
