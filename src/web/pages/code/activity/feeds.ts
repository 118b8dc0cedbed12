/** RSS and Atom feeds: activity of a user or a repository, releases, and commits. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import type { Api } from '#platform/page'
import { asAnybody, type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import type { Activity } from '../../../gen/contract.ts'
import { links } from '../../../links.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { plainAct } from '../../../parts/people/feed.ts'
import { type Feed, type FeedEntry, writeFeed } from './feed-xml.ts'

/** Entries of a feed. */
const LIMIT = 30
const KINDS = ['rss', 'atom'] as const
const name = Type.String({ maxLength: 255 })

type FeedContent = Omit<Feed, 'self' | 'updated'>

/** Path parameters; absent ones are empty. */
interface About {
  readonly owner: string
  readonly repo: string
  readonly branch: string
}

const ABOUT = Type.Object({
  owner: name,
  repo: Type.Optional(name),
  branch: Type.Optional(Type.String({ maxLength: 1_000 })),
})

interface FeedFacts {
  readonly path: (kind: 'rss' | 'atom') => string
  readonly operation: string
  /** Token scope, as of the operations that the feed calls. */
  readonly scope: 'repository' | 'user'
  readonly tell: (api: Api, about: About, site: string) => Promise<FeedContent>
}

/** One feed, as RSS and as Atom. */
function both({ path, operation, scope, tell }: FeedFacts): RawRoute[] {
  return KINDS.map((kind) =>
    rawRoute({
      method: 'GET',
      path: path(kind),
      operationId: `${operation}${kind === 'rss' ? 'Rss' : 'Atom'}`,
      scopes: [scope],
      takesSession: true,
      params: ABOUT,
      open: asAnybody,
      handle: async (visit) => {
        const { owner, repo = '', branch = '' } = visit.params
        return answer(visit.ctx, kind, await tell(visit, { owner, repo, branch }, visit.ctx.site.url))
      },
    }),
  )
}

function answer(ctx: Context, kind: 'rss' | 'atom', told: FeedContent): RawAnswer {
  const { type, text } = writeFeed(kind, {
    ...told,
    self: `${told.link}.${kind}`,
    updated: told.entries[0]?.when ?? ctx.now(),
  })
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
      // XML can refer to style sheets and scripts, which browsers would execute.
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: text,
  }
}

function entriesOf(acts: readonly Activity[], site: string): FeedEntry[] {
  return acts.map((act) => {
    const { to, text } = plainAct(act)
    return {
      id: act.id,
      title: text,
      link: site + to,
      when: new Date(act.created),
      author: act.act_user.login,
      text: act.comment?.body ?? '',
    }
  })
}

export const feedRoutes: readonly RawRoute[] = [
  ...both({
    path: (kind) => `/:owner.${kind}`,
    operation: 'webFeedOfOwner',
    scope: 'user',
    tell: async ({ ask, list }, { owner: username }, site) => {
      const { login, type } = await ask('userGet', { username })
      const isOwnOnly = type !== 'Organization'
      const asked = { username, 'only-performed-by': isOwnOnly, limit: LIMIT }
      const { items } = await list('userListActivityFeeds', asked)
      return { title: login, link: site + links.account(login), entries: entriesOf(items, site) }
    },
  }),
  ...both({
    path: (kind) => `/:owner/:repo.${kind}`,
    operation: 'webFeedOfRepository',
    scope: 'repository',
    tell: async ({ ask, list }, { owner, repo }, site) => {
      const { full_name } = await ask('repoGet', { owner, repo })
      const { items } = await list('repoListActivityFeeds', { owner, repo, limit: LIMIT })
      const link = site + links.repository({ full_name })
      return { title: full_name, link, entries: entriesOf(items, site) }
    },
  }),
  ...both({
    path: (kind) => `/:owner/:repo/releases.${kind}`,
    operation: 'webFeedOfReleases',
    scope: 'repository',
    tell: async ({ ask, list }, { owner, repo }, site) => {
      const { full_name } = await ask('repoGet', { owner, repo })
      const { items } = await list('repoListReleases', { owner, repo, draft: false, limit: LIMIT })
      const entries = items.map((it) => ({
        id: it.id,
        title: it.name || it.tag_name,
        link: it.html_url,
        when: new Date(it.published_at ?? it.created_at),
        author: it.author?.login ?? '',
        text: it.body,
      }))
      return { title: full_name, link: site + links.of({ full_name }, 'releases'), entries }
    },
  }),
  ...both({
    path: (kind) => `/:owner/:repo/${kind}/branch/*branch`,
    operation: 'webFeedOfBranch',
    scope: 'repository',
    tell: async ({ ask, list }, { owner, repo, branch }, site) => {
      const { full_name } = await ask('repoGet', { owner, repo })
      const place = await ask('repoGetPlace', { owner, repo, kind: 'branch', place: branch })
      const { ref: sha, path } = place
      const details = { stat: false, files: false, verification: false }
      const { items } = await list('repoGetAllCommits', { owner, repo, sha, path, limit: LIMIT, ...details })
      // With a path, the operation ignores `limit`.
      const entries = items.slice(0, LIMIT).map(({ sha, html_url, created, commit }) => ({
        id: sha,
        title: subjectOf(commit.message),
        link: html_url,
        when: new Date(created),
        author: commit.author.name,
        text: commit.message,
      }))
      return { title: full_name, link: site + links.commits({ full_name }, place, path), entries }
    },
  }),
]
