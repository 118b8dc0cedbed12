/** Lists the pull requests of a repository. */
import { sql } from 'kysely'
import { findAccount } from '#domains/people/users'
import { isShownIn } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { CUSTOM_PLAN, type Paged, takePage } from '#platform/db'
import { Problem } from '#platform/problem'
import { pageOf } from '#platform/rest'
import type { PullRow } from '../tables.ts'
import type { PullTracker } from './open-pull.ts'
import type { PullsQuery } from './schemas.ts'

type Column = 'issue.created_at' | 'issue.updated_at' | 'issue.comments' | 'issue.deadline_at'

/** Compat: any other value sorts newest first. */
const ORDERS: Readonly<Record<string, readonly [Column, 'asc' | 'desc']>> = {
  oldest: ['issue.created_at', 'asc'],
  recentupdate: ['issue.updated_at', 'desc'],
  leastupdate: ['issue.updated_at', 'asc'],
  mostcomment: ['issue.comments', 'desc'],
  leastcomment: ['issue.comments', 'asc'],
  priority: ['issue.created_at', 'desc'],
}
const NEWEST = ['issue.created_at', 'desc'] as const

export async function listPulls(
  ctx: Context,
  tracker: PullTracker,
  query: PullsQuery,
): Promise<Paged<PullRow>> {
  const poster = await posterOf(ctx, query.poster)
  return takePage(selectPulls(ctx, tracker.id, query, poster), pageOf(ctx, query))
}

/** Custom plan: the best index depends on the filters. */
export function selectPulls(ctx: Context, repositoryId: number, query: PullsQuery, poster?: number) {
  const [column, direction] = ORDERS[query.sort ?? ''] ?? NEWEST
  let pulls = ctx.db
    .selectFrom('issue')
    .innerJoin('pull_request', 'pull_request.issue_id', 'issue.id')
    .selectAll('pull_request')
    .where('issue.repository_id', '=', repositoryId)
    .where('issue.is_pull', '=', true)
    .where(isShownIn('issue', ctx))
    .orderBy(column, direction)
    .orderBy('issue.id', direction)
    .modifyEnd(CUSTOM_PLAN)
  // Compat: an unknown state means open.
  if (query.state !== 'all') pulls = pulls.where('issue.is_closed', '=', query.state === 'closed')
  if (query.base_branch)
    pulls = pulls
      .where('pull_request.repository_id', '=', repositoryId)
      .where('pull_request.base_branch', '=', query.base_branch)
  if (query.milestone) pulls = pulls.where('issue.milestone_id', '=', query.milestone)
  if (poster !== undefined) pulls = pulls.where('issue.author_id', '=', poster)
  for (const label of query.labels ?? [])
    pulls = pulls.where(
      sql<boolean>`exists (select from issue_label
        where issue_label.issue_id = issue.id and issue_label.label_id = ${label})`,
    )
  return pulls
}

/** Compat: an unknown poster is a client error. */
async function posterOf(ctx: Context, login: string | undefined): Promise<number | undefined> {
  if (!login) return undefined
  const account = await findAccount(ctx.db, login)
  if (account === undefined) throw new Problem('malformed', 'user does not exist', { login })
  return account.id
}

export function listPinned(ctx: Context, tracker: PullTracker): Promise<PullRow[]> {
  return ctx.db
    .selectFrom('issue')
    .innerJoin('pull_request', 'pull_request.issue_id', 'issue.id')
    .selectAll('pull_request')
    .where('issue.repository_id', '=', tracker.id)
    .where('issue.is_pull', '=', true)
    .where('issue.pin_position', 'is not', null)
    .where(isShownIn('issue', ctx))
    .orderBy('issue.pin_position')
    .execute()
}
