/** Dismisses reviews and restores them: by repository administrators, or because the head moved. */

import { openPullToJoin, type PullCaller, type PullRow, pullEvent } from '#domains/review/pulls'
import { insertEntries, touchIssue } from '#domains/work/issues'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import type { ReviewRow } from '../tables.ts'
import { judgeDismissal } from './decide.ts'
import { assertAdmin, openReview } from './open-review.ts'
import { tellOfPeople } from './reviewers.ts'
import type { DismissReview } from './schemas.ts'
import { dismissDecisions, updateReview } from './store.ts'

export function dismissReview(
  ctx: Context,
  caller: PullCaller,
  number: number,
  id: number,
  { message = '', priors = false }: DismissReview,
): Promise<ReviewRow> {
  return transact(ctx, async (ctx) => {
    const { pull, review } = await openToDismiss(ctx, caller, number, id)
    if (priors && review.reviewer_id !== null)
      await dismissDecisions(ctx.db, pull.issue_id, review.reviewer_id)
    const dismissed = await updateReview(ctx.db, id, { is_dismissed: true, updated_at: ctx.now() })
    await tellOfDismissal(ctx, pull, caller.actor, [dismissed], message)
    return dismissed
  })
}

export function undismissReview(
  ctx: Context,
  caller: PullCaller,
  number: number,
  id: number,
): Promise<ReviewRow> {
  return transact(ctx, async (ctx) => {
    const { pull, review } = await openToDismiss(ctx, caller, number, id)
    const counting = await updateReview(ctx.db, id, { is_dismissed: false, updated_at: ctx.now() })
    await tellOfPeople(
      ctx,
      pull.issue_id,
      [review].flatMap(({ reviewer_id }) => reviewer_id ?? []),
    )
    return counting
  })
}

async function openToDismiss(ctx: TxContext, { tracker }: PullCaller, number: number, id: number) {
  const { pull, repo } = await openPullToJoin(ctx, tracker, number)
  assertAdmin(repo)
  const review = await openReview(ctx, pull, id)
  const refusal = judgeDismissal(review.kind, pull.is_open)
  if (refusal !== undefined) throw refusal
  return { pull, review }
}

/** Adds timeline entries and emits the event. */
export async function tellOfDismissal(
  ctx: TxContext,
  pull: PullRow,
  actor: { readonly id: number },
  reviews: readonly ReviewRow[],
  message: string,
): Promise<void> {
  const place = { id: pull.issue_id, repository_id: pull.repository_id }
  await insertEntries(
    ctx,
    place,
    actor,
    reviews.map(({ id }) => ({ kind: 'dismiss_review', body: message, payload: { review_id: id } })),
  )
  await touchIssue(ctx, pull.issue_id)
  await tellOfPeople(
    ctx,
    pull.issue_id,
    reviews.flatMap(({ reviewer_id }) => reviewer_id ?? []),
  )
  for (const { id } of reviews)
    await emit(ctx, 'review.dismissed', { ...pullEvent(pull, actor), review_id: id, message })
}
