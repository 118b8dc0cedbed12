/** Finds reviewers by name: users by login or email address, teams by name. Two queries, however many there are. */
import { sql } from 'kysely'
import { isGrantedTo, isReaderOf, type Repository } from '#domains/code/repositories'
import { selectTeams, type TeamRecord } from '#domains/people/orgs'
import { type Account, keyOf, mayBeNotifiedBy, selectAccounts, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'

export interface Names {
  readonly reviewers?: readonly string[] | undefined
  readonly team_reviewers?: readonly string[] | undefined
}

export interface NamedPerson extends Account {
  readonly may_read: boolean
  readonly hears: boolean
  /** Email addresses by which the user was named. */
  readonly keys: readonly string[]
}
export type NamedTeam = TeamRecord & { readonly has_repository: boolean }

export interface Named {
  readonly people: readonly NamedPerson[]
  readonly teams: readonly NamedTeam[]
}

/** An unknown name refuses the whole request; so does a user that the caller may not see. */
export async function findNamed(ctx: Context, repo: Repository, names: Names): Promise<Named> {
  const isSeen = sql<boolean>`(${visibleTo(ctx.actor)} or ${isGrantedTo(sql<number>`account.id`, repo)})`
  const people = await selectPeople(ctx, repo, names, isSeen)
  const known = new Set(people.flatMap(({ login_key, keys }) => [login_key, ...keys]))
  const nobody = names.reviewers?.find((name) => !known.has(keyOf(name)))
  if (nobody !== undefined) throw notFound('user', nobody)
  const teams = await selectTeamsOf(ctx, repo, names)
  const teamKeys = new Set(teams.map(({ name_key }) => name_key))
  // Compat: if the owner is a user, team names are ignored, since only organizations have teams.
  const none = isOrgs(repo)
    ? names.team_reviewers?.find((name) => !teamKeys.has(name.toLowerCase()))
    : undefined
  if (none !== undefined) throw notFound('team', none)
  return { people, teams }
}

/**
 * Ignores unknown names, and visibility to the caller: for names from CODEOWNERS, which every reader of the code sees.
 */
export async function findKnown(ctx: Context, repo: Repository, names: Names): Promise<Named> {
  return {
    people: await selectPeople(ctx, repo, names, sql<boolean>`true`),
    teams: await selectTeamsOf(ctx, repo, names),
  }
}

/** In the order of their names. Compat: matches email addresses too. */
async function selectPeople(
  ctx: Context,
  repo: Repository,
  { reviewers = [] }: Names,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<NamedPerson[]> {
  if (reviewers.length === 0) return []
  const keys = [...new Set(reviewers.map(keyOf))]
  const addresses = keys.filter((key) => key.includes('@'))
  const found: NamedPerson[] = await selectAccounts(ctx.db)
    .select([
      isReaderOf(repo, 'pulls').as('may_read'),
      mayBeNotifiedBy(ctx.actor?.id ?? 0).as('hears'),
      sql<string[]>`array(select email_key from account_email where account_email.account_id = account.id
        and is_verified and email_key = any(${addresses}::text[]))`.as('keys'),
    ])
    .where(
      'account.id',
      'in',
      sql<number>`(select named.id from account as named where named.login_key = any(${keys}::text[])
        union select account_id from account_email where is_verified and email_key = any(${addresses}::text[]))`,
    )
    .where(condition)
    .execute()
  const placeOf = (it: NamedPerson) => keys.findIndex((key) => key === it.login_key || it.keys.includes(key))
  return found.sort((a, b) => placeOf(a) - placeOf(b))
}

async function selectTeamsOf(
  ctx: Context,
  repo: Repository,
  { team_reviewers = [] }: Names,
): Promise<NamedTeam[]> {
  if (team_reviewers.length === 0 || !isOrgs(repo)) return []
  const keys = [...new Set(team_reviewers.map((name) => name.toLowerCase()))]
  const found = await selectTeams(ctx.db)
    .select(
      sql<boolean>`exists (select 1 from team_repository
        where team_repository.team_id = team.id and team_repository.repository_id = ${repo.id})`.as(
        'has_repository',
      ),
    )
    .where('organization_id', '=', repo.owner_id)
    .where('name_key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return found.sort((a, b) => keys.indexOf(a.name_key) - keys.indexOf(b.name_key))
}

function isOrgs(repo: Repository): boolean {
  return repo.owner.kind === 'organization'
}
