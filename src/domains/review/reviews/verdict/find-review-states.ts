/** The review state of pull requests that the caller may read: one query for all. */
import { sql } from 'kysely'
import { selectReadable } from '#domains/review/pulls'
import type { Context } from '#platform/context'

/**
 * `changes`: requested, and nothing pushed since. `approved`: by a reviewer, and no reviewer requests changes.
 * `waiting`: for a requested reviewer, or for one who requested changes before the latest push.
 */
export type ReviewState = 'changes' | 'approved' | 'waiting'

export async function findReviewStates(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, ReviewState>> {
  if (issueIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('review')
    .select([
      'issue_id',
      sql<boolean>`bool_or(kind = 'reject' and not is_stale)`.as('is_rejected'),
      sql<boolean>`bool_or(kind = 'reject')`.as('was_rejected'),
      sql<boolean>`bool_or(kind = 'approve')`.as('is_approved'),
    ])
    .where('issue_id', 'in', selectReadable(ctx, issueIds).select('pull_request.issue_id'))
    .where('kind', 'in', ['approve', 'reject', 'request'])
    .where('is_dismissed', '=', false)
    .where('is_hidden', '=', false)
    .groupBy('issue_id')
    .execute()
  return new Map(
    rows.map(({ issue_id, is_rejected, was_rejected, is_approved }): [number, ReviewState] => {
      if (is_rejected) return [issue_id, 'changes']
      return [issue_id, is_approved && !was_rejected ? 'approved' : 'waiting']
    }),
  )
}
