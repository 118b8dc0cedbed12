/** What lists show of pull requests besides their issues: review state, checks, size, and whether the caller must act. */

import { loadStates, type State } from '#domains/code/statuses'
import { selectListed } from '#domains/review/pulls'
import { findReviewStates, type ReviewState } from '#domains/review/reviews'
import { findRequestedReviews } from '#domains/work/issues'
import type { Context } from '#platform/context'

export interface PullSigns {
  /** Undefined once the pull request is closed. */
  readonly reviewState: ReviewState | undefined
  readonly isYours: boolean
  /** Undefined if its head has no status. */
  readonly checks: State | undefined
  /** Undefined until git has computed it. */
  readonly size: { readonly additions: number; readonly deletions: number } | undefined
}

/** By issue id, for the pull requests that the caller may read. Four queries, however many there are. */
export async function findSigns(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, PullSigns>> {
  const [pulls, reviewStates, asked] = await Promise.all([
    selectListed(ctx, issueIds).execute(),
    findReviewStates(ctx, issueIds),
    findRequestedReviews(ctx, issueIds),
  ])
  const commitOf = (pull: (typeof pulls)[number]) => ({
    repositoryId: pull.repository_id,
    oid: pull.head_oid,
  })
  const stateOf = await loadStates(ctx.db, pulls.map(commitOf))
  return new Map(
    pulls.map((pull) => {
      const { issue_id: id, author_id, additions, deletions } = pull
      const reviewState = pull.is_open ? reviewStates.get(id) : undefined
      const isOwn = ctx.actor !== null && author_id === ctx.actor.id
      return [
        id,
        {
          reviewState,
          isYours: asked.has(id) || (isOwn && reviewState === 'changes'),
          checks: stateOf(commitOf(pull)),
          size: additions === null || deletions === null ? undefined : { additions, deletions },
        },
      ]
    }),
  )
}
