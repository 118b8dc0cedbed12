/**
 * Reviews of GitHub. It lists remarks on lines for the whole repository, and reviews for each pull request; here they
 * become reviews with their lines.
 */
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import type { Reviews } from './gather-each.ts'
import type { SourceRecord } from './source-records.ts'
import {
  REVIEWS_MAX,
  reviewsOf,
  type SourceLine,
  type SourceReview,
  type ToldReviews,
} from './source-reviews.ts'
import { findPages, readPages } from './store.ts'

type Remark = SourceRecord<'remarks'>
type ToldReview = ToldReviews['reviews'][number]

const STATES: Readonly<Record<string, string>> = {
  APPROVED: 'APPROVED',
  CHANGES_REQUESTED: 'REQUEST_CHANGES',
  COMMENTED: 'COMMENT',
  // It no longer says what it was; most are requests for changes.
  DISMISSED: 'REQUEST_CHANGES',
}

export function openGitHubReviews(ctx: Context, order: ImportRow, api: SourceApi): Reviews {
  let places: Promise<ReadonlyMap<number, ReadonlySet<number>>> | undefined
  return {
    many: 'reviews',
    tell: async ({ number }) => {
      places ??= findPlaces(ctx, order.id)
      const pages = await findPages(ctx.db, order.id, 'remarks', [...((await places).get(number) ?? [])])
      const remarks = uniqueById(pages.flat().filter((it) => numberOf(it) === number))
      const reviews = foldReviews(await listReviews(ctx, api, number), remarks)
      return reviews.length === 0 ? [] : [{ number, reviews }]
    },
  }
}

/** The pages that have remarks on a pull request, by its number. */
async function findPlaces(ctx: Context, importId: number): Promise<Map<number, Set<number>>> {
  const places = new Map<number, Set<number>>()
  let place = 0
  for await (const remarks of readPages(ctx.db, importId, 'remarks')) {
    for (const remark of remarks) {
      const number = numberOf(remark)
      if (number !== undefined) places.set(number, (places.get(number) ?? new Set()).add(place))
    }
    place += 1
  }
  return places
}

function numberOf({ pull_request_url }: Remark): number | undefined {
  const number = /\/pulls\/(\d{1,10})$/.exec(pull_request_url ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

function uniqueById(remarks: readonly Remark[]): Remark[] {
  return [...new Map(remarks.map((it) => [it.id, it])).values()]
}

async function listReviews(ctx: Context, api: SourceApi, number: number): Promise<SourceReview[]> {
  const reviews: SourceReview[] = []
  for await (const { items, progress } of listPages(ctx, api, reviewsOf(number))) {
    if (progress.had > REVIEWS_MAX) throw invalid('Migration failed: too many reviews')
    reviews.push(...items)
  }
  return reviews
}

/** Remarks whose review was not told become a review of their own. */
function foldReviews(reviews: readonly SourceReview[], remarks: readonly Remark[]): ToldReview[] {
  const roots = new Map(remarks.map((it) => [it.id, it]))
  const linesOf = Map.groupBy(remarks, ({ pull_request_review_id }) => pull_request_review_id ?? 0)
  const told = reviews.flatMap((review) => {
    const state = STATES[review.state ?? '']
    const lines = (linesOf.get(review.id) ?? []).map((it) => lineOf(it, roots))
    linesOf.delete(review.id)
    const isEmpty = state === 'COMMENT' && !review.body && lines.length === 0
    if (state === undefined || isEmpty) return []
    return [{ ...review, state, dismissed: review.state === 'DISMISSED', lines }]
  })
  const others = [...linesOf.values()].flat().map((remark) => ({
    id: remark.id,
    state: 'COMMENT',
    submitted_at: remark.created_at,
    commit_id: remark.original_commit_id,
    user: remark.user,
    lines: [lineOf(remark, roots)],
  }))
  return [...told, ...others] as ToldReview[]
}

/** A reply stands where the first remark of its conversation does. */
function lineOf(remark: Remark, roots: ReadonlyMap<number, Remark>): SourceLine {
  const place = roots.get(remark.in_reply_to_id ?? 0) ?? remark
  const isOutdated = !place.line
  const line = (isOutdated ? place.original_line : place.line) ?? 0
  const start = (isOutdated ? place.original_start_line : place.start_line) ?? 0
  const { body, user, created_at, updated_at } = remark
  return {
    body,
    user,
    created_at,
    updated_at,
    path: place.path,
    diff_hunk: place.diff_hunk,
    // Lines of now are counted in the commit of now.
    original_commit_id: isOutdated ? place.original_commit_id : place.commit_id,
    ...(place.side === 'LEFT' ? { original_position: line } : { position: line }),
    ...(start > 0 && { start_line: start }),
  } as SourceLine
}
