/** The filters of a search, as conditions that indexes support. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'
import { containing } from '#platform/db'
import type { WantedOrder } from './search-order.ts'
import { loadContributed, loadOwnedOrContributed } from './search-visibility.ts'

export interface RepositorySearch extends WantedOrder {
  /** A repository must match one of them; empty matches all. Lower case. */
  readonly keywords: readonly string[]
  /** Where keywords match: whole topics; parts of names and topics; or parts of descriptions as well. */
  readonly within: 'topics' | 'names' | 'descriptions'
  /** Finds only public repositories, for any caller. */
  readonly publicOnly: boolean
  /** Repositories that a user owns, contributes to, or both. */
  readonly user?: { readonly id: number; readonly tie: Tie } | undefined
  readonly teamId?: number | undefined
  readonly starredBy?: number | undefined
  readonly watchedBy?: number | undefined
  readonly isPrivate?: boolean | undefined
  readonly isTemplate?: boolean | undefined
  readonly isArchived?: boolean | undefined
  readonly isFork?: boolean | undefined
  readonly isMirror?: boolean | undefined
}
export type Tie = 'owns' | 'contributes' | 'any'

type Condition = RawBuilder<boolean>

/** Conditions on `repository`, combined with `and`. Empty: all repositories match. */
export async function loadConditions(ctx: Context, search: RepositorySearch): Promise<Condition[]> {
  const { user, teamId, starredBy, watchedBy } = search
  const conditions: Condition[] = []
  if (search.keywords.length > 0) conditions.push(anyOf(search.keywords.map((word) => hasWord(word, search))))
  if (user !== undefined) conditions.push(await isOf(ctx, user, search))
  if (teamId !== undefined)
    conditions.push(sql<boolean>`repository.id in (select team_repository.repository_id from team_repository
      where team_repository.team_id = ${teamId})`)
  if (starredBy !== undefined)
    conditions.push(
      sql<boolean>`repository.id in (select star.repository_id from star where star.user_id = ${starredBy})`,
    )
  if (watchedBy !== undefined)
    conditions.push(
      sql<boolean>`repository.id in (select watch.repository_id from watch where watch.user_id = ${watchedBy})`,
    )
  return [...conditions, ...traits(search)]
}

function traits(search: RepositorySearch): Condition[] {
  const asked: [boolean | undefined, Condition][] = [
    [search.isPrivate, sql<boolean>`repository.is_private`],
    [search.isTemplate, sql<boolean>`repository.is_template`],
    [search.isArchived, sql<boolean>`(repository.archived_at is not null)`],
    [search.isFork, sql<boolean>`(repository.parent_id is not null)`],
    [search.isMirror, sql<boolean>`repository.is_mirror`],
  ]
  return asked.flatMap(([wanted, holds]) => {
    if (wanted === undefined) return []
    return wanted ? [holds] : [sql<boolean>`not ${holds}`]
  })
}

function hasWord(word: string, { within }: RepositorySearch): Condition {
  if (within === 'topics') return sql<boolean>`repository.topics @> ${[word]}`
  const places = [sql<boolean>`repository.search_key like ${containing(word)}`]
  if (within === 'descriptions')
    places.push(sql<boolean>`lower(repository.description) like ${containing(word)}`)
  const [owner = '', name = '', ...rest] = word.split('/')
  if (word.includes('/') && rest.length === 0) places.push(isCalled(owner, name))
  return anyOf(places)
}

/** `owner/name`, each by a part. The redundant condition on `search_key` is the one that has an index. */
function isCalled(owner: string, name: string): Condition {
  return sql<boolean>`(repository.search_key like ${containing(name)} and repository.name_key like ${containing(name)}
    and repository.owner_id in (select named.id from account as named
      where named.login_key like ${containing(owner)}))`
}

async function isOf(
  ctx: Context,
  { id, tie }: NonNullable<RepositorySearch['user']>,
  { publicOnly }: RepositorySearch,
): Promise<Condition> {
  const owns = sql<boolean>`repository.owner_id = ${id}`
  if (tie === 'owns') return owns
  const isTied =
    tie === 'any'
      ? sql<boolean>`repository.id in (${await loadOwnedOrContributed(ctx, id)})`
      : sql<boolean>`repository.id in (${await loadContributed(ctx, id)}) and not ${owns}`
  return publicOnly ? sql<boolean>`${isTied} and ${isShown(id)}` : isTied
}

/** Excludes organizations in which the user's membership is not public, so that a search does not reveal it. */
function isShown(userId: number): Condition {
  return sql<boolean>`repository.owner_id not in (select membership.organization_id from membership
    where membership.user_id = ${userId} and not membership.is_public)`
}

function anyOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join([...conditions], sql` or `)})`
}
