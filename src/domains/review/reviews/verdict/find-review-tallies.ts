/** What the reviews of pull requests that the caller may read say: one query for all. */
import { sql } from 'kysely'
import { selectReadable } from '#domains/review/pulls'
import type { Context } from '#platform/context'

/**
 * `changes`: requested, and nothing pushed since. `approved`: by a reviewer, and no reviewer requests changes.
 * `waiting`: for a requested reviewer, or for one who requested changes before the latest push.
 */
export type ReviewState = 'changes' | 'approved' | 'waiting'

export interface ReviewTally {
  /** Undefined if reviewers have only commented. */
  readonly state: ReviewState | undefined
  /** Official approvals, and those of them that were given for the current head. */
  readonly approvals: number
  readonly freshApprovals: number
  /** Logins and team names that are requested, or requested changes before the latest push. */
  readonly requested: readonly string[]
  readonly hasOfficialRequests: boolean
  /** The caller has reviewed the current head. */
  readonly isReviewedByCaller: boolean
}

/** By issue id; a pull request without reviews and requests has no tally. */
export async function findReviewTallies(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, ReviewTally>> {
  if (issueIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('review')
    .innerJoin('pull_request', 'pull_request.issue_id', 'review.issue_id')
    .leftJoin('account', 'account.id', 'review.reviewer_id')
    .leftJoin('team', 'team.id', 'review.team_id')
    .select([
      'review.issue_id',
      sql<boolean>`bool_or(review.kind = 'reject' and not review.is_stale)`.as('is_rejected'),
      sql<boolean>`bool_or(review.kind = 'reject')`.as('was_rejected'),
      sql<boolean>`bool_or(review.kind = 'approve')`.as('is_approved'),
      sql<number>`count(*) filter (where review.kind = 'approve' and review.is_official)`.as('approvals'),
      sql<number>`count(*) filter (where review.kind = 'approve' and review.is_official
        and not review.is_stale)`.as('fresh'),
      sql<string[]>`coalesce(array_agg(coalesce(account.login, team.name) order by review.id)
        filter (where (review.kind = 'request' or review.kind = 'reject' and review.is_stale)
          and coalesce(account.login, team.name) is not null), '{}')`.as('requested'),
      sql<boolean>`bool_or(review.kind = 'request' and review.is_official)`.as('is_official_requested'),
      sql<boolean>`bool_or(review.kind <> 'comment')`.as('is_decided'),
      sql<boolean>`coalesce(bool_or(review.kind <> 'request' and review.head_oid = pull_request.head_oid
        and review.reviewer_id = ${ctx.actor?.id ?? 0}), false)`.as('is_mine'),
    ])
    .where('review.issue_id', 'in', selectReadable(ctx, issueIds).select('pull_request.issue_id'))
    .where('review.kind', 'in', ['approve', 'reject', 'comment', 'request'])
    .where('review.is_dismissed', '=', false)
    .where('review.is_hidden', '=', false)
    .groupBy('review.issue_id')
    .execute()
  return new Map(
    rows.map((row): [number, ReviewTally] => [
      row.issue_id,
      {
        state: stateOf(row),
        approvals: row.approvals,
        freshApprovals: row.fresh,
        requested: [...new Set(row.requested)],
        hasOfficialRequests: row.is_official_requested,
        isReviewedByCaller: row.is_mine,
      },
    ]),
  )
}

interface Counted {
  readonly is_decided: boolean
  readonly is_rejected: boolean
  readonly was_rejected: boolean
  readonly is_approved: boolean
}

function stateOf({ is_decided, is_rejected, was_rejected, is_approved }: Counted): ReviewState | undefined {
  if (!is_decided) return undefined
  if (is_rejected) return 'changes'
  return is_approved && !was_rejected ? 'approved' : 'waiting'
}
