/**
 * Gathers reviews, which sources list per pull request. They are stored per page of pull requests, so that another
 * worker can resume with the next page. Only Gitea states which pull requests have reviews; other services are not
 * queried for them.
 */
import type { Remote } from '#git'
import { type Context, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { listPages } from '../sources/list-pages.ts'
import type { ImportRow } from '../tables.ts'
import type { SourceRecord } from './source-records.ts'
import {
  isGiven,
  linesOf,
  reviewsOf,
  type SourceLine,
  type SourceReview,
  type ToldReviews,
} from './source-reviews.ts'
import { findPage, findProgress, insertPage } from './store.ts'

/** Per pull request. */
const REVIEWS_MAX = 1_000
const TOLD_BYTES_MAX = 512 * 1024 * 1024

export async function gatherReviews(
  ctx: Context,
  order: ImportRow,
  source: Remote,
  endsAt: number,
): Promise<void> {
  const start = await findProgress(ctx.db, order.id, 'reviews')
  let bytes = start?.bytes ?? 0
  for (let place = start?.pages ?? 0; ; place++) {
    const pulls = await findPage(ctx.db, order.id, 'pulls', place)
    if (pulls === undefined) return
    const told: ToldReviews[] = []
    for (const pull of pulls)
      if (hasReviews(pull)) told.push(await listReviews(ctx, order, source, pull.number, endsAt))
    const content = JSON.stringify(told)
    bytes += Buffer.byteLength(content)
    if (bytes > TOLD_BYTES_MAX) throw invalid('Migration failed: too many reviews')
    const page = { import_id: order.id, kind: 'reviews' as const, place, size: 0, number: 0, had: 0, content }
    if (!(await transact(ctx, (ctx) => insertPage(ctx.db, order, page))))
      throw new Problem('conflict', 'migration was cancelled')
  }
}

function hasReviews({ review_comments = 0 }: SourceRecord<'pulls'>): boolean {
  return review_comments > 0
}

async function listReviews(
  ctx: Context,
  { options }: ImportRow,
  source: Remote,
  number: number,
  endsAt: number,
): Promise<ToldReviews> {
  if (performance.now() > endsAt) throw invalid('Migration failed: listing reviews took too long')
  const reviews: ToldReviews['reviews'][number][] = []
  for await (const { items, progress } of listPages(ctx, source, options.service, reviewsOf(number))) {
    if (progress.had > REVIEWS_MAX) throw invalid('Migration failed: too many reviews')
    for (const review of items.filter(isGiven)) {
      const lines = review.comments_count ? await listLines(ctx, options.service, source, number, review) : []
      reviews.push({ ...review, lines })
    }
  }
  return { number, reviews }
}

async function listLines(
  ctx: Context,
  service: string,
  source: Remote,
  number: number,
  { id }: SourceReview,
): Promise<readonly SourceLine[]> {
  for await (const { items } of listPages(ctx, source, service, linesOf(number, id))) return items
  return []
}
