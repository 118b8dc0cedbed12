/** Updates the issue counters of labels, milestones, the repository and projects. */

import { countChange } from '#domains/code/repositories'
import { countLabels } from '#domains/work/labels'
import { countMoved } from '#domains/work/milestones'
import { countInProjects } from '#domains/work/projects'
import type { TxContext } from '#platform/context'
import { listLabelsOf } from '../labeling/store.ts'
import type { IssueRow } from '../tables.ts'

/**
 * Counts a change of an issue; `before` null: created, `after` null: deleted. Invariant: labels are locked before
 * milestones, these before the repository, and that before projects, in every transaction that counts.
 */
export async function countIssue(
  ctx: TxContext,
  before: IssueRow | null,
  after: IssueRow | null,
): Promise<void> {
  const closed = Number(after?.is_closed ?? false) - Number(before?.is_closed ?? false)
  const issues = Number(after !== null) - Number(before !== null)
  // Labels of a new issue are counted when they are added.
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
  // A new issue is counted when it is added to projects.
  if (before !== null && (closed !== 0 || issues !== 0))
    await countInProjects(ctx.db, before.id, { open_issues: issues - closed, closed_issues: closed })
}
