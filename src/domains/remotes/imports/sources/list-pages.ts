/** Lists records over a source's REST API, page by page: Gitea's or GitHub's. */
import { type Static, type TSchema, Type } from 'typebox'
import { authorizationOf, type Remote } from '#git'
import type { Context } from '#platform/context'
import { JSON_BYTES_MAX, readJson } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'
import { VERSION } from '#platform/version'

/** Services with a REST API. They share the fields that are read here. */
const INTERFACES: Readonly<Record<string, string>> = {
  gitea: '/api/v1',
  forgejo: '/api/v1',
  github: '/api/v3',
}
/** Records per page. A page that is too large is requested again in smaller pages, down to single records. */
const PAGE_SIZES = [50, 10, 5, 1] as const
const WHOLE_MAX = 1_000

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
}

/** The last page that was requested, its size, and the number of records so far. */
export interface Progress {
  readonly size: number
  readonly number: number
  readonly had: number
}
const START: Progress = { size: PAGE_SIZES[0], number: 0, had: 0 }

interface SourcePage<Item> {
  readonly items: readonly Item[]
  readonly bytes: number
  readonly progress: Progress
}

export function speaksRest(service: string): boolean {
  return Object.hasOwn(INTERFACES, service)
}

/** Ends with an empty page. */
export async function* listPages<Item extends TSchema>(
  ctx: Context,
  source: Remote,
  service: string,
  listed: Listed<Item>,
  from: Progress = START,
): AsyncGenerator<SourcePage<Static<Item>>> {
  const address = addressOf(source.url, service) + listed.path
  let { size, number, had } = from
  for (;;) {
    // Gitea reads `limit`, GitHub `per_page`.
    const url = `${address}page=${number + 1}&limit=${size}&per_page=${size}`
    const answer = await ask(ctx, source, url, listed)
    if (answer === undefined) {
      size = smallerPage(size, had, listed)
      number = had / size
      continue
    }
    number += 1
    had += answer.items.length
    yield { ...answer, progress: { size, number, had } }
    if (answer.items.length === 0 || listed.isWhole) return
  }
}

/** A smaller page size that divides the records so far, since a source may have returned less than requested. */
function smallerPage(size: number, had: number, { one, isWhole }: Listed<TSchema>): number {
  const smaller = PAGE_SIZES.find((it) => it < size && had % it === 0 && !isWhole)
  if (smaller === undefined) throw invalid(`Migration failed: ${one} is too large`)
  return smaller
}

/** Derived from the clone URL: the API lies on the same host, except for github.com. */
function addressOf(url: string, service: string): string {
  const [, base, path] = /^(.*)\/([^/]+\/[^/]+?)(?:\.git)?\/*$/.exec(url) ?? []
  if (base === undefined) throw invalid('Migration failed: clone address is not a repository of this service')
  const root =
    service === 'github' && /^https?:\/\/(www\.)?github\.com$/i.test(base)
      ? 'https://api.github.com'
      : base + INTERFACES[service]
  return `${root}/repos/${path}`
}

/** Undefined if the page is too large. */
async function ask<Item extends TSchema>(
  ctx: Context,
  source: Remote,
  url: string,
  { many, item, isWhole }: Listed<Item>,
): Promise<{ items: Static<Item>[]; bytes: number } | undefined> {
  const authorization = authorizationOf(source)
  const asking = ctx.outbound.request({
    method: 'GET',
    url,
    headers: {
      accept: 'application/json',
      'user-agent': `Bloomery/${VERSION}`,
      ...(authorization !== undefined && { authorization }),
    },
    answerBytesMax: JSON_BYTES_MAX,
    signal: ctx.signal,
  })
  const answer = await asking.catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'too_large') return undefined
    throw error
  })
  if (answer === undefined) return undefined
  const { status, body } = answer
  if (status !== 200) throw invalid(`Migration failed: could not list ${many}`, { status })
  const items = await readJson(body, Type.Array(item, { maxItems: isWhole ? WHOLE_MAX : PAGE_SIZES[0] }))
  if (items === undefined) throw invalid(`Migration failed: could not parse ${many}`)
  return { items: items as Static<Item>[], bytes: body.length }
}
