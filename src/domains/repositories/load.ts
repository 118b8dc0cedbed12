/**
 * Loading repositories: the record, its counters, its owner, and what the caller may do with it.
 *
 * One query brings records with the facts of access, one more their owners, however many there are.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Access, type Collaboration, decideAccess, type TeamGrant, type Unit } from '#domains/access'
import { type Account, findAccountsById } from '#domains/users'
import type { Context } from '#platform/context'
import type { RepositoryCount, RepositoryRow } from './tables.ts'

/** A repository as everything above the tables knows it. */
export interface Repository extends RepositoryRow, RepositoryCount {
  readonly owner: Account
  readonly access: Access
}

interface Grants {
  readonly collaboration: Collaboration | null
  readonly is_member: boolean
  readonly teams: TeamGrant[] | null
}
type RepositoryFacts = RepositoryRow & RepositoryCount & Grants

/** Records with what the caller was granted on each. Conditions, order and page are the caller's to add. */
export function selectRepositories(ctx: Context) {
  const viewer = ctx.actor?.id ?? 0
  return ctx.db
    .selectFrom('repository')
    .innerJoin('repository_count', 'repository_count.repository_id', 'repository.id')
    .selectAll('repository')
    .select([
      'repository_count.stars',
      'repository_count.forks',
      'repository_count.watchers',
      'repository_count.branches',
      'repository_count.tags',
      'repository_count.open_issues',
      'repository_count.open_pulls',
      'repository_count.releases',
      'repository_count.bytes',
    ])
    .select((eb) => [
      eb
        .selectFrom('collaboration')
        .select('level')
        .whereRef('collaboration.repository_id', '=', 'repository.id')
        .where('collaboration.user_id', '=', viewer)
        .as('collaboration'),
      isMember(viewer).as('is_member'),
      teamGrants(viewer).as('teams'),
    ])
}

function isMember(viewer: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from membership
    where membership.organization_id = repository.owner_id and membership.user_id = ${viewer})`
}

function teamGrants(viewer: number) {
  return sql<TeamGrant[] | null>`(
    select json_agg(json_build_object('level', team.level, 'units', coalesce(
      (select json_object_agg(unit, level) from team_unit where team_unit.team_id = team.id), '{}'::json)))
    from team_repository
    join team_member on team_member.team_id = team_repository.team_id and team_member.user_id = ${viewer}
    join team on team.id = team_repository.team_id
    where team_repository.repository_id = repository.id)`
}

/** Adds owners and decides access. Owners never vanish before their repositories: the database sees to that. */
export async function complete(ctx: Context, rows: readonly RepositoryFacts[]): Promise<Repository[]> {
  const owners = await findAccountsById(
    ctx.db,
    rows.map((row) => row.owner_id),
  )
  return rows.flatMap((row) => {
    const owner = owners.get(row.owner_id)
    return owner === undefined ? [] : [{ ...row, owner, access: decide(ctx, row, owner) }]
  })
}

function decide(ctx: Context, row: RepositoryFacts, owner: Account): Access {
  return decideAccess({
    actor: ctx.actor,
    owner: { id: owner.id, kind: kindOf(owner), visibility: owner.visibility },
    repository: {
      isPrivate: row.is_private,
      isArchived: row.archived_at !== null,
      enabledUnits: new Set(row.units as Unit[]),
    },
    collaboration: row.collaboration,
    teams: row.teams ?? [],
    isOrganizationMember: row.is_member,
  })
}

function kindOf(owner: Account): 'user' | 'organization' {
  return owner.kind === 'organization' ? 'organization' : 'user'
}

/** Whether the caller may see a repository, as a condition: for lists that must page in the database. */
export function isVisibleTo(ctx: Context): RawBuilder<boolean> {
  const { actor } = ctx
  if (actor?.isAdmin && !actor.publicOnly) return sql<boolean>`true`
  const isTrusted = actor !== null && !actor.isRestricted && !actor.publicOnly
  const open = isTrusted ? ['public', 'limited'] : ['public']
  const isOpen = sql<boolean>`(not repository.is_private and exists (
    select 1 from account where account.id = repository.owner_id and account.visibility = any(${open})))`
  if (actor === null || actor.publicOnly) return isOpen
  const isInside = isTrusted ? sql`(not repository.is_private and ${isMember(actor.id)})` : sql`false`
  return sql<boolean>`(${isOpen} or ${isInside} or repository.owner_id = ${actor.id}
    or exists (select 1 from collaboration
      where collaboration.repository_id = repository.id and collaboration.user_id = ${actor.id})
    or exists (select 1 from team_repository join team_member using (team_id)
      where team_repository.repository_id = repository.id and team_member.user_id = ${actor.id}))`
}
