/** What a text names, and where that is for whoever reads it. */
import type { Context } from '#platform/context'
import type { Link, NamedInText } from '#slices'
import { findWords, keyOfReference } from './words/find-words.ts'

/** Owner and name at the beginning of an address, or of a path below the forge's. */
export function homeIn({ site }: Context, place: string): NamedInText['home'] {
  const path = place.startsWith(`${site.url}/`) ? place.slice(site.url.length) : place
  const [owner, name] = path.split('/').filter(Boolean)
  return owner === undefined || name === undefined ? null : { owner, name }
}

/** A fixed number of queries, and none for a text that names nothing. */
export async function findLinks(
  ctx: Context,
  text: string,
  home: NamedInText['home'],
): Promise<{ siteUrl: string; links: readonly Link[] }> {
  const { references, mentions } = findWords(text, ctx.site.url)
  const named: NamedInText = {
    home,
    issues: references.map((it) => ({ ...it, key: keyOfReference(it) })),
    // A team has no page that everybody may see.
    people: mentions.flatMap(({ login, team }) =>
      team === null ? { key: `@${login}`.toLowerCase(), login } : [],
    ),
  }
  const links: Link[] = []
  if (named.issues.length > 0 || named.people.length > 0)
    for (const find of ctx.linkers) links.push(...(await find(ctx, named)))
  return { siteUrl: ctx.site.url, links }
}
