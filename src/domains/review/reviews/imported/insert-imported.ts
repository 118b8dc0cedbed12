/**
 * Inserts imported reviews with their pull request. Emits no events. They count for
 * no branch protection, also if their reviewers have accounts here. The current lines of comments are found afterwards, as after a push.
 */

import { countReviewComments } from '#domains/review/pulls'
import type { ImportedEntry } from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { orderFollow } from '../lines/follow.ts'
import { insertLines } from '../lines/store.ts'
import { insertReviews } from '../records/store.ts'
import type { LineRow, ReviewRow, Submitted } from '../tables.ts'

type Authored = Pick<
  ImportedEntry,
  'author_id' | 'original_author' | 'original_author_id' | 'import_host_id' | 'created_at' | 'updated_at'
>

export interface ImportedLine
  extends Authored,
    Pick<LineRow, 'path' | 'side' | 'line' | 'start_line' | 'diff_hunk' | 'head_oid' | 'line_oid'> {
  readonly body: string
}

export interface ImportedReview
  extends Authored,
    Pick<ReviewRow, 'body' | 'head_oid' | 'is_stale' | 'is_dismissed'> {
  readonly kind: Submitted
  readonly lines: readonly ImportedLine[]
}

/** `addEntries` inserts timeline entries and returns their ids. */
export async function insertImportedReviews(
  ctx: TxContext,
  issueId: number,
  reviews: readonly ImportedReview[],
  addEntries: (entries: readonly ImportedEntry[]) => Promise<readonly number[]>,
): Promise<void> {
  if (reviews.length === 0) return
  const rows = await insertReviews(
    ctx.db,
    reviews.map(({ lines: _, author_id, ...review }) => ({
      ...review,
      issue_id: issueId,
      reviewer_id: author_id,
      version: 1,
      is_official: false,
    })),
  )
  const told = reviews.map((review, i) => ({ ...review, id: must(rows[i], 'each is written').id }))
  await addEntries(told.map((review) => entryOf('review', review.id, review)))
  const lines = told.flatMap(({ id, lines }) => lines.map((line) => ({ line, review_id: id })))
  const ids = await addEntries(lines.map(({ line, review_id }) => entryOf('code', review_id, line)))
  await insertLines(
    ctx.db,
    lines.map(({ line, review_id }, i) => ({
      ...placeOf(line),
      comment_id: must(ids[i], 'each is written'),
      review_id,
      issue_id: issueId,
      version: 1,
    })),
  )
  await countReviewComments(ctx.db, issueId, reviews.length)
  if (lines.length > 0) await orderFollow(ctx, issueId)
}

function entryOf(
  kind: 'review' | 'code',
  reviewId: number,
  { body, ...it }: Authored & { readonly body: string },
): ImportedEntry {
  const { author_id, original_author, original_author_id, import_host_id, created_at, updated_at } = it
  const author = { author_id, original_author, original_author_id, import_host_id }
  return { kind, body, payload: { review_id: reviewId }, ...author, created_at, updated_at }
}

/** The current line has not been searched yet. */
function placeOf({ path, side, line, start_line, diff_hunk, head_oid, line_oid }: ImportedLine) {
  const current = { current_head_oid: '', current_oid: line_oid, current_path: path, current_line: null }
  return { path, side, line, start_line, diff_hunk, head_oid, line_oid, ...current }
}
