/** Lists records over a source's REST API, page by page. */
import { type Static, type TSchema, Type } from 'typebox'
import type { Context } from '#platform/context'
import { type OutboundAnswer, readJson } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'
import { isBelow, type SourceApi } from './source-api.ts'

/** Records per page. A page that is too large is requested again in smaller pages, down to single records. */
const PAGE_SIZES = [50, 10, 5, 1] as const
const WHOLE_MAX = 1_000
const URL_MAX = 2_048

/** A list of a source. */
export interface Listed<Item extends TSchema> {
  /** For messages, plural and singular. */
  readonly many: string
  readonly one: string
  /** Relative to the repository's URL, with a query that ends in `?` or `&`. */
  readonly path: string
  readonly item: Item
  /** The source returns all records at once, whatever page is requested. */
  readonly isWhole?: true
  /** A source without this list has none of these records. */
  readonly mayBeMissing?: true
}

/** The last page that was requested, its size, the number of records so far, and where the next page is. */
export interface Progress {
  readonly size: number
  readonly number: number
  readonly had: number
  /** As the source told it; empty: the page with the next number. */
  readonly next_url: string
}
/** Instead of the address of a next page: there is none. */
export const ENDED = '-'
const START: Progress = { size: PAGE_SIZES[0], number: 0, had: 0, next_url: '' }

interface SourcePage<Item> {
  readonly items: readonly Item[]
  readonly bytes: number
  readonly progress: Progress
}

export function listPages<Item extends TSchema>(
  ctx: Context,
  api: SourceApi,
  listed: Listed<Item>,
  from: Progress = START,
): AsyncGenerator<SourcePage<Static<Item>>> {
  return listFrom(ctx, api, api.repository + listed.path, listed, from)
}

/** `address`: of the list, with a query that ends in `?` or `&`. */
export async function* listFrom<Item extends TSchema>(
  ctx: Context,
  api: SourceApi,
  address: string,
  listed: Listed<Item>,
  from: Progress = START,
): AsyncGenerator<SourcePage<Static<Item>>> {
  let { size, number, had, next_url } = from
  for (;;) {
    // Gitea reads `limit`, others `per_page`.
    const url = next_url || `${address}page=${number + 1}&limit=${size}&per_page=${size}`
    const answer = await ask(ctx, api, url, listed)
    if (answer === undefined) {
      size = smallerPage(size, had, listed)
      number = had / size
      next_url = inSmaller(next_url, size)
      continue
    }
    const { items, bytes, next } = answer
    number += 1
    had += items.length
    next_url = next
    const isShort = api.service.endsEarly && next === '' && items.length < size
    const isLast = items.length === 0 || listed.isWhole === true || isShort
    yield { items, bytes, progress: { size, number, had, next_url: isLast ? ENDED : next_url } }
    if (isLast) return
  }
}

/** A smaller page size that divides the records so far, since a source may have returned less than requested. */
function smallerPage(size: number, had: number, { one, isWhole }: Listed<TSchema>): number {
  const smaller = PAGE_SIZES.find((it) => it < size && had % it === 0 && !isWhole)
  if (smaller === undefined) throw invalid(`Migration failed: ${one} is too large`)
  return smaller
}

/** A page by number is computed anew; a page after a cursor is asked for with fewer records. */
function inSmaller(url: string, size: number): string {
  const next = URL.parse(url)
  if (next === null || next.searchParams.has('page')) return ''
  next.searchParams.set('per_page', String(size))
  return next.href
}

/** Undefined if the page is too large. */
async function ask<Item extends TSchema>(
  ctx: Context,
  api: SourceApi,
  url: string,
  { many, item, isWhole, mayBeMissing }: Listed<Item>,
): Promise<{ items: Static<Item>[]; bytes: number; next: string } | undefined> {
  const answer = await api.ask(ctx, { url }).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'too_large') return undefined
    throw error
  })
  if (answer === undefined) return undefined
  const { status, body } = answer
  if (isMissing(answer, mayBeMissing)) return { items: [], bytes: 0, next: '' }
  if (status !== 200) throw invalid(`Migration failed: could not list ${many}`, { status })
  const items = await readJson(body, Type.Array(item, { maxItems: isWhole ? WHOLE_MAX : PAGE_SIZES[0] }))
  if (items === undefined) throw invalid(`Migration failed: could not parse ${many}`)
  return { items: items as Static<Item>[], bytes: body.length, next: nextOf(answer, url, api) }
}

/** A single record; undefined if the source does not have it. */
export async function askRecord<Item extends TSchema>(
  ctx: Context,
  api: SourceApi,
  path: string,
  item: Item,
): Promise<Static<Item> | undefined> {
  const answer = await api.ask(ctx, { url: api.repository + path })
  if (isMissing(answer, true)) return undefined
  const record = answer.status === 200 ? await readJson(answer.body, item) : undefined
  if (record === undefined)
    throw invalid('Migration failed: could not read a record of the source', { status: answer.status })
  return record
}

/** GitHub answers 410 where issues are switched off, GitLab 403 or 404; a token that lacks a scope is a mistake. */
function isMissing({ status, body }: OutboundAnswer, mayBeMissing = false): boolean {
  if (status === 410) return true
  return mayBeMissing && (status === 404 || (status === 403 && !body.includes('insufficient_scope')))
}

/** From the `Link` header. An address outside the API of the source is refused: it must not receive the token. */
function nextOf({ headers }: OutboundAnswer, url: string, api: SourceApi): string {
  if (!api.service.endsEarly) return ''
  const links = [headers.link ?? []]
    .flat()
    .join(',')
    .slice(0, 4 * URL_MAX)
  const told = links.split(',').find((link) => /;\s*rel="?next"?\s*(?:;|$)/.test(link))
  const target = /<([^<>]{1,2048})>/.exec(told ?? '')?.[1]
  if (target === undefined) return ''
  const next = URL.parse(target, url)?.href ?? ''
  if (!isBelow(next, api.root) || next.length > URL_MAX || next === url)
    throw invalid('Migration failed: the source names a next page that is not its own')
  return next
}
