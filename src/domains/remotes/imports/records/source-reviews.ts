/** Reviews and their comments in the formats of sources, and their conversion. Pure. */
import { type Static, Type } from 'typebox'
import type { ImportedLine, ImportedReview } from '#domains/review/reviews'
import { cut, flag, text, timeOf } from '../sources/fields.ts'
import type { Listed } from '../sources/list-pages.ts'
import { authorOf } from './author-of.ts'
import type { KnownAuthors } from './known.ts'
import { author, isOid, type SourceRecord, TEXT_MAX } from './source-records.ts'

const HUNK_MAX = 65_536
const PATH_MAX = 4_096
const LINE_MAX = 2 ** 31 - 1
/** Lines of one comment. */
const RANGE_MAX = 500
/** Per pull request. */
export const REVIEWS_MAX = 1_000
const Line = Type.Optional(Type.Integer({ minimum: 0, maximum: LINE_MAX }))

export const SourceReview = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  state: text,
  body: text,
  commit_id: text,
  stale: flag,
  dismissed: flag,
  comments_count: Type.Optional(Type.Integer()),
  submitted_at: text,
  updated_at: text,
  ...author,
})
export const SourceLine = Type.Object({
  body: text,
  path: text,
  commit_id: text,
  /** The head it was written on, if another. */
  original_commit_id: text,
  diff_hunk: text,
  /** Line of the new file, or of the old one. */
  position: Line,
  original_position: Line,
  /** The first of several lines. */
  start_line: Line,
  created_at: text,
  updated_at: text,
  ...author,
})
export type SourceReview = Static<typeof SourceReview>
export type SourceLine = Static<typeof SourceLine>

/** The stored reviews of one pull request. */
export interface ToldReviews {
  readonly number: number
  readonly reviews: readonly (SourceReview & { readonly lines: readonly SourceLine[] })[]
  /** Of GitLab, which lists them with the discussions. */
  readonly comments?: readonly SourceRecord<'comments'>[]
}

export function reviewsOf(number: number): Listed<typeof SourceReview> {
  return { many: 'reviews', one: 'review', path: `/pulls/${number}/reviews?`, item: SourceReview }
}

export function linesOf(number: number, reviewId: number): Listed<typeof SourceLine> {
  const path = `/pulls/${number}/reviews/${reviewId}/comments?`
  const words = { many: 'comments of reviews', one: 'review' }
  return { ...words, path, item: SourceLine, isWhole: true }
}

const KINDS = { APPROVED: 'approve', REQUEST_CHANGES: 'reject', COMMENT: 'comment' } as const

/** Neither pending nor only requested. */
export function isGiven({ state }: SourceReview): boolean {
  return Object.hasOwn(KINDS, state ?? '')
}

/** `ends`: the head of the pull request, and its base commit as stated by the source. */
export function reviewOf(
  review: ToldReviews['reviews'][number],
  ends: { readonly head: string; readonly base: string },
  now: Date,
  known: KnownAuthors,
): ImportedReview | undefined {
  if (!isGiven(review)) return undefined
  const created_at = timeOf(review.submitted_at) ?? now
  return {
    kind: KINDS[review.state as keyof typeof KINDS],
    body: cut(review.body, TEXT_MAX),
    head_oid: oidOr(review.commit_id, ends.head),
    is_stale: review.stale ?? false,
    is_dismissed: review.dismissed ?? false,
    lines: review.lines.flatMap((line) => lineOf(line, ends, created_at, known) ?? []),
    ...authorOf(review, known),
    created_at,
    updated_at: timeOf(review.updated_at) ?? created_at,
  }
}

/** Undefined if it names no file. */
function lineOf(
  told: SourceLine,
  ends: { readonly head: string; readonly base: string },
  reviewedAt: Date,
  known: KnownAuthors,
): ImportedLine | undefined {
  const path = cut(told.path, PATH_MAX)
  if (path === '' || path.startsWith('/') || path.split('/').includes('..')) return undefined
  const { position = 0, original_position = 0, start_line = 0 } = told
  const isOld = position === 0 && original_position > 0
  const head_oid = oidOr(told.original_commit_id || told.commit_id, ends.head)
  const line = isOld ? original_position : position
  const isRange = start_line > 0 && start_line < line && line - start_line <= RANGE_MAX
  const created_at = timeOf(told.created_at) ?? reviewedAt
  return {
    body: cut(told.body, TEXT_MAX),
    path,
    side: isOld ? 'old' : 'new',
    line,
    start_line: isRange ? start_line : null,
    diff_hunk: cut(told.diff_hunk, HUNK_MAX),
    head_oid,
    line_oid: isOld ? ends.base : head_oid,
    ...authorOf(told, known),
    created_at,
    updated_at: timeOf(told.updated_at) ?? created_at,
  }
}

function oidOr(told: string | null | undefined, otherwise: string): string {
  return isOid(told) ? told : otherwise
}
