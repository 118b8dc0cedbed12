/** Opens reviews. A pending review is visible only to its reviewer. */
import { may } from '#domains/people/access'
import {
  type JoinedPull,
  openPullsUnarchived,
  openPullToJoin,
  type PullCaller,
  type PullRow,
} from '#domains/review/pulls'
import { assertNotBlocked } from '#domains/work/issues'
import type { Context, TxContext } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import type { ReviewRow } from '../tables.ts'
import { findReview } from './store.ts'

declare const seen: unique symbol
/** Proof that the caller may read a review. */
export interface SeenReview extends ReviewRow {
  readonly [seen]: 'review'
}

export async function openReview(
  ctx: Context,
  pull: Pick<PullRow, 'issue_id'>,
  id: number,
): Promise<SeenReview> {
  const review = await findReview(ctx.db, pull.issue_id, id)
  if (review === undefined || !isSeen(ctx, review)) throw notFound('review', id)
  return review as SeenReview
}

/** Compat: site administrators see all pending reviews. */
export function isSeen(
  { actor }: Context,
  { kind, reviewer_id }: Pick<ReviewRow, 'kind' | 'reviewer_id'>,
): boolean {
  return kind !== 'pending' || (actor !== null && (actor.isAdmin || reviewer_id === actor.id))
}

/** Opens a pull request to comment on or review; a locked one only for writers. */
export async function openToReview(
  ctx: TxContext,
  { tracker, actor }: PullCaller,
  number: number,
): Promise<JoinedPull> {
  const held = await openPullToJoin(ctx, tracker, number)
  if (held.issue.is_locked && !held.mayWrite) throw forbidden('you cannot comment on a locked issue')
  await assertNotBlocked(ctx, held.repo, actor, held.issue)
  return held
}

/** For dismissing and restoring reviews of others. */
export async function openAsAdmin(visit: Parameters<typeof openPullsUnarchived>[0]): Promise<PullCaller> {
  const caller = await openPullsUnarchived(visit)
  assertAdmin(caller.tracker)
  return caller
}

export function assertAdmin({ access }: PullCaller['tracker'] | JoinedPull['repo']): void {
  if (!may(access, 'admin'))
    throw forbidden('user should be an owner or a collaborator with admin write of a repository')
}
