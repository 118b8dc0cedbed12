/** Issues with all that is shown of them: a fixed number of queries, however many there are. */
import { listAttachments } from '#domains/attachments'
import type { Repository } from '#domains/repositories'
import { findAccountsById } from '#domains/users'
import type { Context } from '#platform/context'
import { listAssigneeIds } from '../assigning/store.ts'
import { listLabelsOf } from '../labeling/store.ts'
import { findMilestones } from '../milestones/store.ts'
import type { IssueRow } from '../tables.ts'
import { type Issue, presentIssue } from './wire.ts'

export function showIssues(ctx: Context, repo: Repository, issues: readonly IssueRow[]): Promise<Issue[]> {
  return showIssuesOf(ctx, [repo], issues)
}

/** Of several repositories. What has gone with its repository meanwhile is left out. */
export async function showIssuesOf(
  ctx: Context,
  repositories: readonly Repository[],
  issues: readonly IssueRow[],
): Promise<Issue[]> {
  const ids = issues.map(({ id }) => id)
  const assigneeIds = await listAssigneeIds(ctx.db, ids)
  const people = [...issues.flatMap(({ author_id }) => author_id ?? []), ...[...assigneeIds.values()].flat()]
  const around = {
    viewer: ctx.actor,
    assigneeIds,
    accounts: await findAccountsById(ctx.db, people),
    labels: await listLabelsOf(ctx.db, ids),
    attachments: await listAttachments(ctx.db, 'issue', ids),
    milestones: await findMilestones(
      ctx.db,
      issues.flatMap(({ milestone_id }) => milestone_id ?? []),
    ),
    site: ctx.site,
  }
  const byId = new Map(repositories.map((repo) => [repo.id, repo]))
  return issues.flatMap((issue) => {
    const repo = byId.get(issue.repository_id)
    return repo === undefined ? [] : presentIssue(issue, { ...around, repo })
  })
}

export async function showIssue(ctx: Context, repo: Repository, issue: IssueRow): Promise<Issue> {
  const [shown] = await showIssues(ctx, repo, [issue])
  return shown as Issue
}
