/** Replies to review comments, and resolves them. */

import { findOfficialReviewers } from '#domains/code/protections'
import { findPullOf, type JoinedPull, openPullToJoin, type PullCaller } from '#domains/review/pulls'
import { eventOf, isTheirs, mayWrite, recordReferences } from '#domains/work/issues'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { forbidden, notFound } from '#platform/problem'
import { isSeen, openToReview } from '../records/open-review.ts'
import { findReview } from '../records/store.ts'
import { addLines } from '../records/write-review.ts'
import type { ReviewRow } from '../tables.ts'
import { findLine, type Line, setResolver } from './store.ts'

/** A reply belongs to the same review and line. */
export function replyTo(
  ctx: Context,
  caller: PullCaller,
  number: number,
  id: number,
  body: string,
): Promise<Line> {
  return transact(ctx, async (ctx) => {
    const { actor } = caller
    const held = await openToReview(ctx, caller, number)
    const { line, review } = await getLine(ctx, held, id)
    const { comment_id: _, author_id: _author, created_at: _made, updated_at: _changed, ...place } = line
    const reply = { ...place, resolver_id: null, body }
    const [added] = await addLines(ctx, { ...held, actor }, review, [reply], line.version)
    const commentId = must(added, 'one is added for each')
    if (review.kind !== 'pending') {
      const { repo, issue } = held
      const mentions = await recordReferences(ctx, { repo, issue, commentId, actor }, body)
      await emit(ctx, 'issue.commented', { ...eventOf(issue, actor), mentions, comment_id: commentId })
    }
    return must(await findLine(ctx.db, commentId), 'it was just added')
  })
}

/** Allowed for the author of the pull request, for writers, and for official reviewers. */
export function resolveLine(
  ctx: Context,
  { tracker, actor }: PullCaller,
  id: number,
  isResolved: boolean,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const found = await findLine(ctx.db, id)
    const place = found === undefined ? undefined : await findPullOf(ctx.db, found.issue_id)
    if (place === undefined || place.repository_id !== tracker.id) throw notFound('comment', id)
    const held = await openPullToJoin(ctx, tracker, place.number)
    await getLine(ctx, held, id)
    if (!(await mayResolve(ctx, held, actor))) throw forbidden('user may not resolve the conversation')
    await setResolver(ctx.db, id, isResolved ? actor.id : null)
  })
}

async function getLine(
  ctx: TxContext,
  { pull }: JoinedPull,
  id: number,
): Promise<{ readonly line: Line; readonly review: ReviewRow }> {
  const line = await findLine(ctx.db, id)
  if (line === undefined || line.issue_id !== pull.issue_id) throw notFound('comment', id)
  const review = await findReview(ctx.db, pull.issue_id, line.review_id)
  if (review === undefined || !isSeen(ctx, review)) throw notFound('comment', id)
  return { line, review }
}

async function mayResolve(
  ctx: TxContext,
  { repo, issue, pull }: JoinedPull,
  actor: PullCaller['actor'],
): Promise<boolean> {
  if (isTheirs(ctx, true, issue) || mayWrite(repo, true)) return true
  return (await findOfficialReviewers(ctx.db, repo, pull.base_branch, [actor.id])).has(actor.id)
}
