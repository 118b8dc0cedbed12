/** Releases in the format of GitLab. Their files are links to anywhere, which become links in the text. Pure. */
import { type Static, Type } from 'typebox'
import { text } from '../sources/fields.ts'

const LINKS_MAX = 1_000
const Link = Type.Object({ name: text, url: text, direct_asset_url: text })
const GitLabRelease = Type.Object({
  tag_name: Type.String({ minLength: 1 }),
  name: text,
  description: text,
  created_at: text,
  released_at: text,
  author: Type.Optional(Type.Union([Type.Object({ username: Type.String() }), Type.Null()])),
  assets: Type.Optional(Type.Object({ links: Type.Optional(Type.Array(Link, { maxItems: LINKS_MAX })) })),
})
export type GitLabRelease = Static<typeof GitLabRelease>
export const GITLAB_RELEASES = {
  many: 'releases',
  one: 'release',
  path: '/releases?order_by=released_at&sort=desc&',
  item: GitLabRelease,
  mayBeMissing: true,
} as const

export function readGitLabRelease({ description, released_at, author, assets, ...it }: GitLabRelease) {
  const links = (assets?.links ?? []).flatMap(lineOf)
  const body = [description ?? '', links.join('\n')].filter((part) => part !== '').join('\n\n')
  return {
    ...it,
    body,
    published_at: released_at ?? null,
    author: author ? { login: author.username } : null,
  }
}

function lineOf({ name, url, direct_asset_url }: Static<typeof Link>): string[] {
  const target = URL.parse(direct_asset_url || url || '')
  if (target === null || !/^https?:$/.test(target.protocol)) return []
  const words = (name ?? '').replaceAll(/[\\[\]\s]+/g, ' ').trim()
  return [`- [${words || target.hostname}](<${target.href}>)`]
}
