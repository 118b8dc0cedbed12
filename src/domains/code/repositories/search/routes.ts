/** REST route of the repository search. */
import { type Static, Type } from 'typebox'
import type { Actor } from '#platform/context'
import { invalid } from '#platform/problem'
import { asAnybody, ok, pageFields, pageHeaders, pageOf, type Route, route } from '#platform/rest'
import { presentRepository, Repository } from '../wire.ts'
import { searchRepositories } from './search.ts'
import type { RepositorySearch, Tie } from './search-filter.ts'
import { SORTS, type Sort } from './search-order.ts'

const SearchResults = Type.Object(
  { ok: Type.Boolean(), data: Type.Array(Repository) },
  { title: 'SearchResults' },
)
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const number = (description: string) => Type.Optional(Type.Integer({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

const SearchQuery = Type.Object({
  q: text('comma-separated keywords, matched against names and topics'),
  topic: flag('match keywords against whole topics only'),
  includeDesc: flag('search in descriptions as well'),
  uid: number('ID of a user who owns or contributes to the repositories'),
  priority_owner_id: number('ID of the owner whose repositories are listed first'),
  team_id: number('ID of a team with access to the repositories'),
  starredBy: number('ID of a user who starred the repositories'),
  private: flag('include private repositories (default true)'),
  is_private: flag('filter by whether the repository is private'),
  template: flag('include templates (default true)'),
  archived: flag('filter by whether the repository is archived'),
  mode: text('type of repository: fork, source, mirror or collaborative'),
  exclusive: flag('with uid: only repositories the user owns'),
  sort: text(`sort by ${SORTS.join(', ')}`),
  order: text('sort order: asc or desc; ignored without sort'),
  ...pageFields,
})
type SearchQuery = Static<typeof SearchQuery>

export const searchRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/search',
    operationId: 'repoSearch',
    tag: 'repository',
    summary: 'Search for repositories',
    scopes: ['repository'],
    query: SearchQuery,
    answers: { 200: SearchResults },
    open: asAnybody,
    handle: async (visit) => {
      const { ctx, query } = visit
      const { items, total } = await searchRepositories(ctx, searchOf(query, ctx.actor), pageOf(ctx, query))
      const data = items.map((repo) => presentRepository(repo, ctx.site))
      return { ...ok({ ok: true, data }), headers: pageHeaders(visit, total) }
    },
  }),
]

const KEYWORDS_LENGTH_MAX = 255

function searchOf(query: SearchQuery, actor: Actor | null): RepositorySearch {
  const keywords = keywordsOf(query)
  const { isCollaborative, ...traits } = modeOf(query.mode ?? '')
  return {
    keywords,
    within: query.topic ? 'topics' : query.includeDesc ? 'descriptions' : 'names',
    // A caller who sees only public repositories searches only those.
    publicOnly: query.private === false || actor === null || actor.publicOnly,
    // 0 means absent: ids start at 1.
    user: query.uid ? { id: query.uid, tie: tieOf(isCollaborative, query.exclusive ?? false) } : undefined,
    teamId: query.team_id || undefined,
    starredBy: query.starredBy || undefined,
    isPrivate: query.is_private,
    // D35: true includes templates, and is the default.
    isTemplate: query.template === false ? false : undefined,
    isArchived: query.archived,
    ...traits,
    ...sortingOf(query),
    firstOwnerId: query.priority_owner_id || undefined,
    firstOwner: ownerIn(keywords),
  }
}

function keywordsOf({ q = '' }: SearchQuery): string[] {
  if (q.length > KEYWORDS_LENGTH_MAX) throw invalid('keywords are too long', { most: KEYWORDS_LENGTH_MAX })
  return q
    .trim()
    .toLowerCase()
    .split(',')
    .filter((word) => word !== '')
}

/** For the keyword `owner/name`, repositories of that exact owner come first. */
function ownerIn([keyword = '', ...more]: readonly string[]): string | undefined {
  const [owner, ...names] = keyword.split('/')
  return more.length === 0 && names.length === 1 ? owner : undefined
}

function modeOf(mode: string): { isCollaborative: boolean; isFork?: boolean; isMirror?: boolean } {
  switch (mode) {
    case '':
      return { isCollaborative: false }
    case 'source':
      return { isCollaborative: false, isFork: false, isMirror: false }
    case 'fork':
      return { isCollaborative: false, isFork: true }
    case 'mirror':
      return { isCollaborative: false, isMirror: true }
    case 'collaborative':
      return { isCollaborative: true, isMirror: false }
    default:
      throw invalid('invalid search mode')
  }
}

function tieOf(isCollaborative: boolean, isExclusive: boolean): Tie {
  if (isCollaborative) return 'contributes'
  return isExclusive ? 'owns' : 'any'
}

/** Compat: `order` without `sort` is ignored, even an invalid one. */
function sortingOf({ sort = '', order = '' }: SearchQuery): Pick<RepositorySearch, 'sort' | 'direction'> {
  if (sort === '') return { direction: 'asc' }
  if (!isSort(sort)) throw invalid(`invalid sort mode: "${sort}"`)
  if (order !== '' && order !== 'asc' && order !== 'desc') throw invalid(`invalid sort order: "${order}"`)
  return { sort, direction: order === 'desc' ? 'desc' : 'asc' }
}

function isSort(text: string): text is Sort {
  return SORTS.some((sort) => sort === text)
}
