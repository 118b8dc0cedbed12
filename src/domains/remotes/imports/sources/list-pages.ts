/** What a source tells over its REST interface, page by page: that of Gitea, as we speak it, or that of GitHub. */
import { type Static, type TSchema, Type } from 'typebox'
import { authorizationOf, type Remote } from '#git'
import type { Context } from '#platform/context'
import { JSON_BYTES_MAX, readJson } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'
import { VERSION } from '#platform/version'

/** Services that can be asked for more than git has. They share their shapes as far as we read them. */
const INTERFACES: Readonly<Record<string, string>> = {
  gitea: '/api/v1',
  forgejo: '/api/v1',
  github: '/api/v3',
}
/** Things of a page. One with long texts is asked for again in smaller pages, and then alone. */
const PAGE_SIZES = [50, 10, 5, 1] as const
const WHOLE_MAX = 1_000

/** A list that a source has. */
export interface Listed<Item extends TSchema> {
  /** For people, in many and in one. */
  readonly many: string
  readonly one: string
  /** Below the address of the repository, with a query that ends in `?` or `&`. */
  readonly path: string
  readonly item: Item
  /** It comes all at once, whichever page is asked for. */
  readonly isWhole?: true
}

/** How far somebody came: the page that was asked for last, how large, and how many things there were until then. */
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

/** To the last one, which is empty. */
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
    // Gitea knows one name for the size, and GitHub the other.
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

/** One that goes on where we are: a source may have given less than it was asked for. */
function smallerPage(size: number, had: number, { one, isWhole }: Listed<TSchema>): number {
  const smaller = PAGE_SIZES.find((it) => it < size && had % it === 0 && !isWhole)
  if (smaller === undefined) throw invalid(`Migration failed: ${one} is too large`)
  return smaller
}

/** Beside the address that git clones from, wherever that host keeps its interface. */
function addressOf(url: string, service: string): string {
  const [, base, path] = /^(.*)\/([^/]+\/[^/]+?)(?:\.git)?\/*$/.exec(url) ?? []
  if (base === undefined) throw invalid('Migration failed: clone address is not a repository of this service')
  const root =
    service === 'github' && /^https?:\/\/(www\.)?github\.com$/i.test(base)
      ? 'https://api.github.com'
      : base + INTERFACES[service]
  return `${root}/repos/${path}`
}

/** Undefined when there is more on the page than is read at once. */
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
