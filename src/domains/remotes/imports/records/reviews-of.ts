/** The reviews of pull requests, as each service tells them. */
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import type { Reviews } from './gather-each.ts'
import { openGitHubReviews } from './github-reviews.ts'
import { openGitLabReviews } from './gitlab-notes.ts'
import type { SourceRecord } from './source-records.ts'
import {
  isGiven,
  linesOf,
  REVIEWS_MAX,
  reviewsOf,
  type SourceLine,
  type SourceReview,
  type ToldReviews,
} from './source-reviews.ts'

export function openReviews(ctx: Context, order: ImportRow, api: SourceApi): Reviews {
  if (api.name === 'github') return openGitHubReviews(ctx, order, api)
  if (api.name === 'gitlab') return openGitLabReviews(ctx, order, api)
  return { many: 'reviews', tell: (pull) => tellOfGitea(ctx, api, pull) }
}

/** Only Gitea states which pull requests have reviews. */
async function tellOfGitea(
  ctx: Context,
  api: SourceApi,
  { number, review_comments = 0 }: SourceRecord<'pulls'>,
): Promise<readonly ToldReviews[] | undefined> {
  if (review_comments === 0) return undefined
  const reviews: ToldReviews['reviews'][number][] = []
  for await (const { items, progress } of listPages(ctx, api, reviewsOf(number))) {
    if (progress.had > REVIEWS_MAX) throw invalid('Migration failed: too many reviews')
    for (const review of items.filter(isGiven)) {
      const lines = review.comments_count ? await listLines(ctx, api, number, review) : []
      reviews.push({ ...review, lines })
    }
  }
  return [{ number, reviews }]
}

async function listLines(
  ctx: Context,
  api: SourceApi,
  number: number,
  { id }: SourceReview,
): Promise<readonly SourceLine[]> {
  for await (const { items } of listPages(ctx, api, linesOf(number, id))) return items
  return []
}
