/** Copies review requests and reviewers to the issue, where lists and searches query them. */
import { type ReviewerState, setReviewers } from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import { listStates } from './store.ts'

/** Call after any change to the reviews of these users. */
export async function tellOfPeople(
  ctx: TxContext,
  issueId: number,
  userIds: readonly number[],
): Promise<void> {
  const ids = [...new Set(userIds)]
  if (ids.length === 0) return
  const known = new Map((await listStates(ctx.db, issueId, ids)).map((row) => [row.reviewer_id, row]))
  const states = ids.map((userId): ReviewerState => {
    const row = known.get(userId)
    return {
      reviewer: { userId },
      isRequested: row?.is_requested ?? false,
      hasReviewed: row?.has_reviewed ?? false,
      hasStanding: row?.has_standing ?? false,
    }
  })
  await setReviewers(ctx.db, issueId, states, ctx.now())
}

/** Only the request: reviews are given by a team's members. */
export async function tellOfTeams(
  ctx: TxContext,
  issueId: number,
  teamIds: readonly number[],
  isRequested: boolean,
): Promise<void> {
  const states = teamIds.map((teamId) => ({
    reviewer: { teamId },
    isRequested,
    hasReviewed: false,
    hasStanding: false,
  }))
  await setReviewers(ctx.db, issueId, states, ctx.now())
}
