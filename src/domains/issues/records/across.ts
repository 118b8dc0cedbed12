/** Issues of any repositories, as far as the caller may read them: a fixed number of queries, however many there are. */
import { loadInOrder, type Repository } from '#domains/repositories'
import type { Context } from '#platform/context'
import type { IssueRow } from '../tables.ts'
import { mayRead } from './open-issue.ts'
import { loadAround } from './show-issues.ts'
import { findIssuesById } from './store.ts'
import { type Issue, presentIssue } from './wire.ts'

/** Where an issue is, and of which kind. */
export type Placed = Pick<IssueRow, 'id' | 'repository_id' | 'is_pull'>

/** In their order, without those that the caller may not read. */
export async function keepReadable<T extends Placed>(ctx: Context, issues: readonly T[]): Promise<T[]> {
  const repos = await findRepositoriesOf(ctx, issues)
  return issues.filter((issue) => isReadable(issue, repos.get(issue.repository_id)))
}

/** By their ids. What the caller may not read, or is gone, is not among them. */
export async function showReadable(ctx: Context, ids: readonly number[]): Promise<Map<number, Issue>> {
  if (ids.length === 0) return new Map()
  const issues = await findIssuesById(ctx.db, ids)
  const repos = await findRepositoriesOf(ctx, issues)
  const around = await loadAround(ctx, issues)
  const shown = new Map<number, Issue>()
  for (const issue of issues) {
    const repo = repos.get(issue.repository_id)
    if (repo !== undefined && isReadable(issue, repo))
      shown.set(issue.id, presentIssue(issue, { ...around, repo }))
  }
  return shown
}

async function findRepositoriesOf(ctx: Context, issues: readonly Placed[]): Promise<Map<number, Repository>> {
  const ids = new Set(issues.map(({ repository_id }) => repository_id))
  return new Map((await loadInOrder(ctx, [...ids])).map((repo) => [repo.id, repo]))
}

function isReadable(issue: Placed, repo: Repository | undefined): boolean {
  return repo !== undefined && mayRead(repo, issue.is_pull)
}
