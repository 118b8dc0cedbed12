/** Feeds for readers of news: what somebody did, what was done in a repository, its releases and its commits. */
import { Type } from 'typebox'
import { feedOfRepository, feedOfUser, presentActivity } from '#domains/activity'
import { openPlace } from '#domains/contents'
import { listPublished } from '#domains/releases'
import { openToRead, openToSee } from '#domains/repositories'
import { openUser } from '#domains/users'
import { listCommits, localTime } from '#git'
import type { Context } from '#platform/context'
import { type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import { links } from '../../../links.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { plainAct } from '../../../parts/people/feed.ts'
import { type Feed, type FeedEntry, writeFeed } from './feed-xml.ts'

/** As many as a reader of news looks at. */
const PAGE = { number: 1, limit: 30, offset: 0 }
const KINDS = ['rss', 'atom'] as const
const name = Type.String({ maxLength: 255 })

type Told = Omit<Feed, 'self' | 'updated'>

/** Names of what a feed is about; those that its address has not are empty. */
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

interface FeedFacts<Opened> {
  readonly path: (kind: 'rss' | 'atom') => string
  readonly operation: string
  /** What a token needs, as for the operation of the interface that lists the same. */
  readonly scope: 'repository' | 'user'
  readonly open: (visit: { readonly ctx: Context; readonly params: About }) => Promise<Opened>
  readonly tell: (ctx: Context, opened: Opened, site: string) => Promise<Told>
}

/** One feed, in both its kinds. */
function both<Opened>({ path, operation, scope, open, tell }: FeedFacts<Opened>): RawRoute[] {
  return KINDS.map((kind) =>
    rawRoute({
      method: 'GET',
      path: path(kind),
      operationId: `${operation}${kind === 'rss' ? 'Rss' : 'Atom'}`,
      scopes: [scope],
      takesSession: true,
      params: ABOUT,
      open: ({ ctx, params: { owner, repo = '', branch = '' } }) =>
        open({ ctx, params: { owner, repo, branch } }),
      handle: async ({ ctx, opened }) => answer(ctx, kind, await tell(ctx, opened, ctx.site.url)),
    }),
  )
}

function answer(ctx: Context, kind: 'rss' | 'atom', told: Told): RawAnswer {
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
      // XML can name style sheets and scripts, which browsers would run here.
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: text,
  }
}

type Shown = Parameters<typeof presentActivity>[0]

function entriesOf(ctx: Context, items: readonly Shown[]): FeedEntry[] {
  return items.map((it) => {
    const act = presentActivity(it, null, ctx.actor, ctx.site)
    const { to, text } = plainAct(act)
    return {
      title: text,
      link: ctx.site.url + to,
      when: it.act.created_at,
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
    open: ({ ctx, params }) => openUser(ctx, params.owner),
    tell: async (ctx, owner, site) => {
      const filter = { day: null, isOwnOnly: owner.kind !== 'organization' }
      const { items } = await feedOfUser(ctx, owner, filter, PAGE)
      return { title: owner.login, link: site + links.account(owner.login), entries: entriesOf(ctx, items) }
    },
  }),
  ...both({
    path: (kind) => `/:owner/:repo.${kind}`,
    operation: 'webFeedOfRepository',
    scope: 'repository',
    open: ({ ctx, params }) => openToSee(ctx, params),
    tell: async (ctx, repo, site) => {
      const { items } = await feedOfRepository(ctx, repo, null, PAGE)
      const full_name = `${repo.owner.login}/${repo.name}`
      return {
        title: full_name,
        link: site + links.repository({ full_name }),
        entries: entriesOf(ctx, items),
      }
    },
  }),
  ...both({
    path: (kind) => `/:owner/:repo/releases.${kind}`,
    operation: 'webFeedOfReleases',
    scope: 'repository',
    open: ({ ctx, params }) => openToRead(ctx, params, 'releases'),
    tell: async (ctx, repo, site) => {
      const full_name = `${repo.owner.login}/${repo.name}`
      const entries = (await listPublished(ctx, repo, PAGE)).map((it) => ({
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
    open: ({ ctx, params }) => openPlace({ ctx, params }, 'branch', params.branch),
    tell: async (ctx, place, site) => {
      const { code, oid, path } = place
      const full_name = `${code.owner.login}/${code.name}`
      const history = { start: oid, ...(path !== '' && { paths: [path] }) }
      const window = { skip: 0, limit: PAGE.limit, withStats: false, withFiles: false }
      const entries = (await listCommits(ctx, code.storage_id, history, window)).map((it) => ({
        title: subjectOf(it.message),
        link: site + links.commit({ full_name }, it.oid),
        when: new Date(localTime(it.committer)),
        author: it.author.name,
        text: it.message,
      }))
      return { title: full_name, link: site + links.commits({ full_name }, place, path), entries }
    },
  }),
]
