/** Creates a review: submitted at once, or pending and visible only to the reviewer. */

import { isJob } from '#domains/people/access'
import { type JoinedPull, listVersions, openPull, type PullCaller } from '#domains/review/pulls'
import { insertEntries, recountComments } from '#domains/work/issues'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import { orderFollow } from '../lines/follow.ts'
import { findReviewed, type PreparedLine, prepareLines, type Remark } from '../lines/prepare.ts'
import { countLines, insertLines } from '../lines/store.ts'
import type { ReviewKind, ReviewRow } from '../tables.ts'
import { judgeReview } from './decide.ts'
import { openReview, openToReview } from './open-review.ts'
import type { CreateReview, SubmitReview } from './schemas.ts'
import { findPending, insertReview, updateReview } from './store.ts'
import { type Draft, submit } from './submit.ts'
import { kindOf } from './wire.ts'

/** Between the first and the last line of a comment; also a constraint of `review_comment`. */
const RANGE_MAX = 500

/** An existing pending review is extended, and submitted if `input` says so. */
export async function createReview(
  ctx: Context,
  caller: PullCaller,
  number: number,
  input: CreateReview,
): Promise<ReviewRow> {
  const { tracker, actor } = caller
  const pull = await openPull(ctx, tracker, number)
  const versions = await listVersions(ctx.db, pull.issue_id)
  const commit = await findReviewed(ctx, tracker.storage_id, pull, versions, input.commit_id)
  const remarks = (input.comments ?? []).map(remarkOf)
  const lines = await prepareLines(ctx, tracker.storage_id, pull, commit, remarks)
  const version = versions.findLast(({ head_oid }) => head_oid === commit)?.version ?? pull.version
  return transact(ctx, async (ctx) => {
    const held = await openToReview(ctx, caller, number)
    const kind = asKind(input.event)
    const body = input.body ?? ''
    const refusal = judgeReview({ kind, body, hasRemarks: lines.length > 0, ...factsOf(ctx, held) })
    if (refusal !== undefined) throw refusal
    const draft: Draft = { ...held, actor }
    const pending = await findPending(ctx.db, pull.issue_id, actor.id)
    const review = pending ?? (await begin(ctx, draft, { head_oid: commit, version }))
    await addLines(ctx, draft, review, lines, version)
    const written = { head_oid: commit, version }
    if (kind !== 'pending') return submit(ctx, draft, { ...review, ...written }, kind, body)
    return updateReview(ctx.db, review.id, { ...written, body, updated_at: ctx.now() })
  })
}

export function submitReview(
  ctx: Context,
  caller: PullCaller,
  number: number,
  id: number,
  input: SubmitReview,
): Promise<ReviewRow> {
  return transact(ctx, async (ctx) => {
    const { actor } = caller
    const held = await openToReview(ctx, caller, number)
    const review = await openReview(ctx, held.pull, id)
    if (review.kind !== 'pending') throw invalid('only a pending review can be submitted')
    if (review.reviewer_id !== actor.id) throw notFound('review', id)
    const kind = asKind(input.event)
    const body = input.body ?? ''
    const hasRemarks = (await countLines(ctx.db, [id])).has(id)
    const refusal = judgeReview({ kind, body, hasRemarks, ...factsOf(ctx, held) })
    if (refusal !== undefined) throw refusal
    if (kind === 'pending') throw invalid('review stays pending')
    return submit(ctx, { ...held, actor }, review, kind, body)
  })
}

/** Facts about reviewer and pull request for `judgeReview`. */
function factsOf({ actor }: Context, { issue, pull }: JoinedPull) {
  const isAuthor = actor !== null && issue.author_id === actor.id
  return { isAuthor, isJob: actor !== null && isJob(actor), isOpen: pull.is_open }
}

/** Compat: any other event leaves the review pending. */
function asKind(event = ''): Exclude<ReviewKind, 'request'> {
  const kind = kindOf(event)
  return kind === undefined || kind === 'request' ? 'pending' : kind
}

/** Compat: `old_position` takes precedence over `new_position`. */
function remarkOf({
  path,
  body,
  new_position = 0,
  old_position = 0,
  start_line = 0,
}: NonNullable<CreateReview['comments']>[number]): Remark {
  const isOld = old_position > 0
  const line = isOld ? old_position : new_position
  const isRange = start_line > 0
  if (isRange && isOld && new_position > 0) throw invalid('start_line needs one position')
  if (isRange && start_line >= line) throw invalid('start_line must be before the position')
  if (isRange && line - start_line > RANGE_MAX) throw invalid('comment is on too many lines')
  return { path, body, side: isOld ? 'old' : 'new', line, start_line: isRange ? start_line : null }
}

function begin(
  ctx: TxContext,
  { pull, actor }: Draft,
  written: Pick<ReviewRow, 'head_oid' | 'version'>,
): Promise<ReviewRow> {
  return insertReview(ctx.db, {
    ...written,
    issue_id: pull.issue_id,
    reviewer_id: actor.id,
    kind: 'pending',
    body: '',
    is_official: false,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  })
}

/** The text of each is a timeline entry of kind `code`, which timelines do not list. */
export async function addLines(
  ctx: TxContext,
  { issue, pull, actor }: Draft,
  review: Pick<ReviewRow, 'id'>,
  lines: readonly PreparedLine[],
  version: number,
): Promise<number[]> {
  if (lines.length === 0) return []
  const payload = { review_id: review.id }
  const entries = await insertEntries(
    ctx,
    issue,
    actor,
    lines.map(({ body }) => ({ kind: 'code', body, payload })),
  )
  const ids = entries.map(({ id }) => id)
  await insertLines(
    ctx.db,
    lines.map(({ body: _, ...line }, i) => ({
      ...line,
      comment_id: ids[i] ?? 0,
      review_id: review.id,
      issue_id: pull.issue_id,
      version,
    })),
  )
  await recountComments(ctx.db, issue)
  // The head moved while git ran.
  if (lines.some((line) => line.current_head_oid !== pull.head_oid)) await orderFollow(ctx, pull.issue_id)
  return ids
}
