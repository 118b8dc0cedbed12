/** Searching repositories over REST. */
import { type Static, Type } from 'typebox'
import type { Actor } from '#platform/context'
import { invalid } from '#platform/problem'
import { asAnybody, ok, pageFields, pageHeaders, pageOf, type Route, route } from '#platform/rest'
import { searchRepositories } from '../search.ts'
import type { RepositorySearch, Tie } from '../search-filter.ts'
import { SORTS, type Sort } from '../search-order.ts'
import { presentRepository, Repository } from '../wire.ts'

const SearchResults = Type.Object(
  { ok: Type.Boolean(), data: Type.Array(Repository) },
  { title: 'SearchResults' },
)
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const number = (description: string) => Type.Optional(Type.Integer({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

const SearchQuery = Type.Object({
  q: text('keywords with commas between them, any of which is a part of a name or of a topic'),
  topic: flag('look for topics only, and for whole ones'),
  includeDesc: flag('look into descriptions, too'),
  uid: number('a user who owns them or contributes to them'),
  priority_owner_id: number('an owner whose repositories come first'),
  team_id: number('a team that has them'),
  starredBy: number('a user who starred them'),
  private: flag('also what is not for everybody; true unless told'),
  is_private: flag('only private ones, or only others'),
  template: flag('only templates, or only others'),
  archived: flag('only archived ones, or only others'),
  mode: text('fork, source, mirror or collaborative'),
  exclusive: flag('with uid: only what the user owns'),
  sort: text(SORTS.join(', ')),
  order: text('asc or desc; means nothing without sort'),
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
      const { repositories, total } = await searchRepositories(
        ctx,
        searchOf(query, ctx.actor),
        pageOf(ctx, query),
      )
      const data = repositories.map((repo) => presentRepository(repo, ctx.site))
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
    // Whoever sees nothing else has not asked for anything else, either.
    publicOnly: query.private === false || actor === null || actor.publicOnly,
    // No number is zero: it stands for one that was not given.
    user: query.uid ? { id: query.uid, tie: tieOf(isCollaborative, query.exclusive ?? false) } : undefined,
    teamId: query.team_id || undefined,
    starredBy: query.starredBy || undefined,
    isPrivate: query.is_private,
    isTemplate: query.template,
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

/** Who asks for `owner/name` means that owner before all whose names are alike. */
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

/** Compat: an order without a sort is not even looked at. */
function sortingOf({ sort = '', order = '' }: SearchQuery): Pick<RepositorySearch, 'sort' | 'direction'> {
  if (sort === '') return { direction: 'asc' }
  if (!isSort(sort)) throw invalid(`invalid sort mode: "${sort}"`)
  if (order !== '' && order !== 'asc' && order !== 'desc') throw invalid(`invalid sort order: "${order}"`)
  return { sort, direction: order === 'desc' ? 'desc' : 'asc' }
}

function isSort(text: string): text is Sort {
  return SORTS.some((sort) => sort === text)
}
