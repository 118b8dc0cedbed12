/** Reviewers as clients name them: people by login or address, teams by name. Two queries, however many are named. */
import { sql } from 'kysely'
import { selectTeams, type TeamRecord } from '#domains/orgs'
import { isGrantedTo, isReaderOf, type Repository } from '#domains/repositories'
import { type Account, hearsOf, keyOf, selectAccounts, visibleTo } from '#domains/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'

export interface Names {
  readonly reviewers?: readonly string[] | undefined
  readonly team_reviewers?: readonly string[] | undefined
}

export type NamedPerson = Account & { readonly may_read: boolean; readonly hears: boolean }
export type NamedTeam = TeamRecord & { readonly has_repository: boolean }

export interface Named {
  readonly people: readonly NamedPerson[]
  readonly teams: readonly NamedTeam[]
}

/** A name that nobody has refuses all of them, and so does that of somebody whom the caller may not see. */
export async function findNamed(ctx: Context, repo: Repository, names: Names): Promise<Named> {
  return {
    people: await findPeople(ctx, repo, names.reviewers ?? []),
    // Compat: a person has no teams, so nothing is said about the names of any.
    teams: repo.owner.kind === 'organization' ? await getTeams(ctx, repo, names.team_reviewers ?? []) : [],
  }
}

async function findPeople(
  ctx: Context,
  repo: Repository,
  names: readonly string[],
): Promise<readonly NamedPerson[]> {
  if (names.length === 0) return []
  const keys = names.map(keyOf)
  const found = await selectNamed(ctx, repo, keys).execute()
  const byKey = new Map(
    found.flatMap((row) => [row.login_key, ...row.keys].map((key) => [key, row] as const)),
  )
  const missing = names.find((name) => !byKey.has(keyOf(name)))
  if (missing !== undefined) throw notFound('user', missing)
  return [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))]
}

/** Compat: by an address of theirs, too. Whoever works on the repository is known to those who do. */
function selectNamed(ctx: Context, repo: Repository, keys: readonly string[]) {
  const addresses = keys.filter((key) => key.includes('@'))
  return selectAccounts(ctx.db)
    .select([
      isReaderOf(repo, 'pulls').as('may_read'),
      hearsOf(ctx.actor?.id ?? 0).as('hears'),
      sql<string[]>`array(select email_key from account_email where account_email.account_id = account.id
        and is_verified and email_key = any(${addresses}::text[]))`.as('keys'),
    ])
    .where(
      'account.id',
      'in',
      sql<number>`(select named.id from account as named where named.login_key = any(${[...keys]}::text[])
        union select account_id from account_email where is_verified and email_key = any(${addresses}::text[]))`,
    )
    .where((eb) => eb.or([visibleTo(ctx.actor), isGrantedTo(sql<number>`account.id`, repo)]))
}

async function getTeams(
  ctx: Context,
  repo: Repository,
  names: readonly string[],
): Promise<readonly NamedTeam[]> {
  if (names.length === 0) return []
  const keys = [...new Set(names.map((name) => name.toLowerCase()))]
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
  const byKey = new Map(found.map((team) => [team.name_key, team]))
  const missing = names.find((name) => !byKey.has(name.toLowerCase()))
  if (missing !== undefined) throw notFound('team', missing)
  return keys.flatMap((key) => byKey.get(key) ?? [])
}
