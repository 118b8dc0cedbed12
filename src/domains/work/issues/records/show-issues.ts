/** Loads issues with everything shown of them: a fixed number of queries. */
import { listAttachments } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import { findMilestones } from '#domains/work/milestones'
import { countIssues, findProjectsOf } from '#domains/work/projects'
import { type Context, once } from '#platform/context'
import { listAssigneeIds } from '../assigning/store.ts'
import { listLabelsOf } from '../labeling/store.ts'
import type { IssueRow } from '../tables.ts'
import { type Around, type Issue, presentIssue } from './wire.ts'

export async function showIssues(
  ctx: Context,
  repo: Repository,
  issues: readonly IssueRow[],
): Promise<Issue[]> {
  const ids = issues.map(({ id }) => id)
  const around = await once(ctx, `around issues ${ids.join()}`, () => loadAround(ctx, issues))
  return issues.map((issue) => presentIssue(issue, { ...around, repo }))
}

/** Everything except their repositories. */
export async function loadAround(ctx: Context, issues: readonly IssueRow[]): Promise<Omit<Around, 'repo'>> {
  const ids = issues.map(({ id }) => id)
  const assigneeIds = await listAssigneeIds(ctx.db, ids)
  const projects = await findProjectsOf(ctx, ids)
  const boards = [...projects.values()].flat()
  const people = [
    ...issues.flatMap(({ author_id }) => author_id ?? []),
    ...[...assigneeIds.values()].flat(),
    ...boards.flatMap(({ creator_id }) => creator_id ?? []),
  ]
  return {
    viewer: ctx.actor,
    assigneeIds,
    projects,
    counts: await countIssues(ctx, [...new Set(boards.map(({ id }) => id))]),
    accounts: await findAccountsById(ctx.db, people),
    labels: await listLabelsOf(ctx.db, ids),
    attachments: await listAttachments(ctx.db, 'issue', ids),
    milestones: await findMilestones(
      ctx.db,
      issues.flatMap(({ milestone_id }) => milestone_id ?? []),
    ),
    site: ctx.site,
  }
}

export async function showIssue(ctx: Context, repo: Repository, issue: IssueRow): Promise<Issue> {
  const [shown] = await showIssues(ctx, repo, [issue])
  return shown as Issue
}
