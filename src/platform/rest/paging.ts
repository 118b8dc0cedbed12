/** Paging: query parameters and response headers. */
import { type Static, type TSchema, Type } from 'typebox'
import type { Context } from '#platform/context'
import type { Answer } from './route.ts'

/** Spread into the query of every list. */
export const pageFields = {
  page: Type.Optional(Type.Integer({ description: 'page number of the results, starting at 1' })),
  limit: Type.Optional(Type.Integer({ description: 'number of results per page' })),
}
export const PageQuery = Type.Object(pageFields)

export interface Page {
  readonly number: number
  readonly limit: number
  readonly offset: number
}

/** Later pages are empty: a larger offset would only make the database count. */
const PAGE_NUMBER_MAX = 1_000_000

/** Absent, zero, negative or invalid means the default; too large means the maximum. */
export function pageOf(ctx: Context, query: { page?: number; limit?: number }): Page {
  const asked = query.limit ?? 0
  const limit = asked > 0 ? Math.min(asked, ctx.config['http.page_max']) : ctx.config['http.page_default']
  const number = Math.min(Math.max(query.page ?? 1, 1), PAGE_NUMBER_MAX)
  return { number, limit, offset: (number - 1) * limit }
}

interface Listing {
  readonly ctx: Context
  readonly query: { page?: number; limit?: number }
  readonly address: { readonly path: string; readonly query: URLSearchParams }
}

/** A page of a list with its headers. `links: false` for the few lists that only send their total. */
export function listed<T>(
  visit: Listing,
  items: readonly T[],
  total: number,
  { links = true }: { links?: boolean } = {},
): Answer<200, T[]> {
  return { status: 200, body: [...items], headers: pageHeaders(visit, total, links) }
}

export function pageHeaders(visit: Listing, total: number, links = true): Record<string, string> {
  const link = links ? linkHeader(visit, total) : ''
  return {
    'x-total-count': String(total),
    ...(link === '' ? {} : { link }),
    'access-control-expose-headers': link === '' ? 'X-Total-Count' : 'Link, X-Total-Count',
  }
}

const PAGES_TOLD = 'X-Page, X-PerPage, X-PageCount, X-HasMore'

/** Compat: lists of commits and of changed files send their paging headers twice. */
export function pageHeadersTwice(visit: Listing, total: number): Record<string, string> {
  const { number, limit } = pageOf(visit.ctx, visit.query)
  const pages = Math.ceil(total / limit)
  const headers = pageHeaders(visit, total)
  return {
    ...headers,
    'x-page': String(number),
    'x-perpage': String(limit),
    'x-pagecount': String(pages),
    'x-hasmore': String(number < pages),
    'access-control-expose-headers': `${PAGES_TOLD}, ${headers['access-control-expose-headers']}`,
  }
}

function linkHeader(visit: Listing, total: number): string {
  const { number, limit } = pageOf(visit.ctx, visit.query)
  // Compat: a page past the end counts as the last one.
  const last = Math.ceil(total / limit)
  const current = Math.min(number, Math.max(last, 1))
  const links: string[] = []
  const add = (rel: string, page: number) => links.push(`<${addressOf(visit, page)}>; rel="${rel}"`)
  if (current < last) {
    add('next', current + 1)
    add('last', last)
  }
  if (current > 1) {
    add('first', 1)
    add('prev', current - 1)
  }
  return links.join(',')
}

function addressOf(visit: Listing, page: number): string {
  const query = new URLSearchParams(visit.address.query)
  query.set('page', String(page))
  query.sort()
  return `${visit.ctx.site.url}${visit.address.path}?${query}`
}

export function listOf<T extends TSchema>(schema: T): ReturnType<typeof Type.Array<T>> {
  return Type.Array(schema)
}

export type PageQuery = Static<typeof PageQuery>
