/** Issues of any repositories that the caller may read: a fixed number of queries. */
import { loadInOrder, type Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { IssueRow } from '../tables.ts'
import { isShownTo } from './hidden.ts'
import { mayRead } from './open-issue.ts'
import { loadAround } from './show-issues.ts'
import { findIssuesById } from './store.ts'
import { type Issue, presentIssue } from './wire.ts'

/** An issue's repository and kind. */
export type Placed = Pick<IssueRow, 'id' | 'repository_id' | 'is_pull' | 'is_hidden'>

/** Keeps the order, and omits issues that the caller may not read. */
export async function keepReadable<T extends Placed>(ctx: Context, issues: readonly T[]): Promise<T[]> {
  const repos = await findRepositoriesOf(ctx, issues)
  return issues.filter((issue) => isReadable(ctx, issue, repos.get(issue.repository_id)))
}

/** By id. Omits deleted issues and those that the caller may not read. */
export async function showReadable(ctx: Context, ids: readonly number[]): Promise<Map<number, Issue>> {
  if (ids.length === 0) return new Map()
  const issues = await findIssuesById(ctx.db, ids)
  return presentReadable(ctx, await findRepositoriesOf(ctx, issues), issues)
}

/** The same for rows that are loaded already. */
export async function presentReadable(
  ctx: Context,
  repos: ReadonlyMap<number, Repository>,
  issues: readonly IssueRow[],
): Promise<Map<number, Issue>> {
  const readable = issues.filter((issue) => isReadable(ctx, issue, repos.get(issue.repository_id)))
  const around = await loadAround(ctx, readable)
  return new Map(
    readable.flatMap((issue) => {
      const repo = repos.get(issue.repository_id)
      return repo === undefined ? [] : [[issue.id, presentIssue(issue, { ...around, repo })] as const]
    }),
  )
}

function findRepositoriesOf(ctx: Context, issues: readonly Placed[]): Promise<Map<number, Repository>> {
  return findRepositories(
    ctx,
    issues.map(({ repository_id }) => repository_id),
  )
}

export async function findRepositories(
  ctx: Context,
  ids: readonly number[],
): Promise<Map<number, Repository>> {
  return new Map((await loadInOrder(ctx, [...new Set(ids)])).map((repo) => [repo.id, repo]))
}

function isReadable(ctx: Context, issue: Placed, repo: Repository | undefined): boolean {
  return repo !== undefined && isShownTo(ctx, issue) && mayRead(repo, issue.is_pull)
}
