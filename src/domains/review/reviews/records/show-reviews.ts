/** Loads reviews with everything shown of them: a fixed number of queries. */

import type { Repository } from '#domains/code/repositories'
import { findTeams } from '#domains/people/orgs'
import { findAccountsById } from '#domains/people/users'
import type { PullRow } from '#domains/review/pulls'
import { pageOfIssue } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { countLines } from '../lines/store.ts'
import type { ReviewRow } from '../tables.ts'
import { type PullReview, presentReview } from './wire.ts'

export async function showReviews(
  ctx: Context,
  repo: Repository,
  pull: Pick<PullRow, 'number'>,
  reviews: readonly ReviewRow[],
): Promise<PullReview[]> {
  const around = {
    viewer: ctx.actor,
    accounts: await findAccountsById(
      ctx.db,
      reviews.flatMap(({ reviewer_id }) => reviewer_id ?? []),
    ),
    teams: await findTeams(
      ctx.db,
      reviews.flatMap(({ team_id }) => team_id ?? []),
    ),
    counts: await countLines(
      ctx.db,
      reviews.map(({ id }) => id),
    ),
    page: pageOfIssue({ number: pull.number, is_pull: true }, repo, ctx.site),
    site: ctx.site,
  }
  return reviews.map((review) => presentReview(review, around))
}

export async function showReview(
  ctx: Context,
  repo: Repository,
  pull: Pick<PullRow, 'number'>,
  review: ReviewRow,
): Promise<PullReview> {
  const [shown] = await showReviews(ctx, repo, pull, [review])
  return must(shown, 'one is shown for each')
}
