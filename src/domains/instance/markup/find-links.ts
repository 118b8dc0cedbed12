/** Resolves the references and mentions of a text to links that the reader may see. */
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { Link, NamedInText } from '#slices'
import { findWords, keyOfReference } from './words/find-words.ts'

/** Owner and name at the start of a URL of the forge, or of a path. */
export function homeIn({ site }: Context, place: string): NamedInText['home'] {
  const path = place.startsWith(`${site.url}/`) ? place.slice(site.url.length) : place
  const [owner, name] = path.split('/').filter(Boolean)
  return owner === undefined || name === undefined ? null : { owner, name }
}

/** The links of a text's references and mentions. */
export interface FoundLinks {
  readonly siteUrl: string
  readonly links: readonly Link[]
}

export async function findLinks(ctx: Context, text: string, home: NamedInText['home']): Promise<FoundLinks> {
  const [found] = await findLinksOfAll(ctx, [text], home)
  return must(found, 'each text has an answer')
}

/** One result for each text. A fixed number of queries, and none for texts without references. */
export async function findLinksOfAll(
  ctx: Context,
  texts: readonly string[],
  home: NamedInText['home'],
): Promise<FoundLinks[]> {
  const each = texts.map((text) => namedIn(ctx, text))
  const named: NamedInText = {
    home,
    issues: onceEach(each.flatMap(({ issues }) => issues)),
    people: onceEach(each.flatMap(({ people }) => people)),
  }
  const links: Link[] = []
  if (named.issues.length > 0 || named.people.length > 0)
    for (const find of ctx.linkers) links.push(...(await find(ctx, named)))
  return each.map(({ issues, people }) => {
    const keys = new Set([...issues, ...people].map(({ key }) => key))
    return { siteUrl: ctx.site.url, links: links.filter(({ key }) => keys.has(key)) }
  })
}

function namedIn({ site }: Context, text: string): Omit<NamedInText, 'home'> {
  const { references, mentions } = findWords(text, site.url)
  return {
    issues: references.map((it) => ({ ...it, key: keyOfReference(it) })),
    // A team has no public page.
    people: mentions.flatMap(({ login, team }) =>
      team === null ? { key: `@${login}`.toLowerCase(), login } : [],
    ),
  }
}

function onceEach<T extends { readonly key: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((it) => [it.key, it])).values()]
}
