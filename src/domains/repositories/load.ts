/**
 * Loading repositories: the record, its counters, its owner, what it was forked from, whom it is offered to, and what
 * the caller may do with it.
 *
 * One query brings records with the facts of access, and a fixed number of others what belongs to them, however many
 * there are.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  type Access,
  type AccessFacts,
  type Collaboration,
  decideAccess,
  may,
  ownerAccess,
  type TeamGrant,
  type Unit,
} from '#domains/access'
import { selectTeams, type TeamRecord } from '#domains/orgs'
import { type Account, actorOf, findAccountById, findAccountsById } from '#domains/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { RepositoryCount, RepositoryRow } from './tables.ts'

/** A repository without what it is tied to. */
export interface LoneRepository extends RepositoryRow, RepositoryCount {
  readonly owner: Account
  readonly access: Access
}

/** A transfer that waits to be accepted. */
export interface Transfer {
  readonly actor: Account
  readonly recipient: Account
  readonly teams: readonly TeamRecord[]
}

/** A repository as everything above the tables knows it. */
export interface Repository extends LoneRepository {
  /** What it was forked from, if the caller may see that. */
  readonly parent: LoneRepository | null
  readonly transfer: Transfer | null
}

interface Grants {
  readonly collaboration: Collaboration | null
  readonly is_member: boolean
  readonly teams: TeamGrant[] | null
}
interface Offer {
  readonly transfer_actor_id: number | null
  readonly transfer_recipient_id: number | null
  readonly transfer_team_ids: number[] | null
}
type RepositoryFacts = RepositoryRow & RepositoryCount & Grants & Offer

/** Records with what the caller was granted on each. Conditions, order and page are the caller's to add. */
export function selectRepositories(ctx: Context) {
  const viewer = ctx.actor?.id ?? 0
  return ctx.db
    .selectFrom('repository')
    .innerJoin('repository_count', 'repository_count.repository_id', 'repository.id')
    .leftJoin('repository_transfer', 'repository_transfer.repository_id', 'repository.id')
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
      'repository_transfer.actor_id as transfer_actor_id',
      'repository_transfer.recipient_id as transfer_recipient_id',
      'repository_transfer.team_ids as transfer_team_ids',
    ])
    .select([
      collaborationOf(viewer).as('collaboration'),
      isMember(viewer).as('is_member'),
      teamGrants(viewer).as('teams'),
    ])
}

/** Whoever a repository is offered to may look at it before they accept. */
function collaborationOf(viewer: number): RawBuilder<Collaboration | null> {
  return sql<Collaboration | null>`coalesce(
    (select level from collaboration
      where collaboration.repository_id = repository.id and collaboration.user_id = ${viewer}),
    case when ${isOffered(viewer)} then 'read' end)`
}

function isMember(viewer: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from membership
    where membership.organization_id = repository.owner_id and membership.user_id = ${viewer})`
}

function isOffered(viewer: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from repository_transfer as offer
    where offer.repository_id = repository.id and (offer.recipient_id = ${viewer} or exists (
      select 1 from team_member join team on team.id = team_member.team_id
      where team_member.user_id = ${viewer} and team_member.organization_id = offer.recipient_id
        and team.can_create_repository)))`
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

export async function getRepository(ctx: Context, id: number): Promise<Repository> {
  const repo = await findRepository(ctx, id)
  if (repo === undefined) throw notFound('repository', id)
  return repo
}

export async function findRepository(ctx: Context, id: number): Promise<Repository | undefined> {
  const row = await selectRepositories(ctx).where('repository.id', '=', id).executeTakeFirst()
  const [repo] = row === undefined ? [] : await complete(ctx, [row])
  return repo
}

/** As its owner sees it, to be shown to whom the owner shows it: no proof that anybody may. */
export async function findAsOwner(ctx: Context, id: number): Promise<Repository | undefined> {
  const row = await ctx.db.selectFrom('repository').select('owner_id').where('id', '=', id).executeTakeFirst()
  const owner = row === undefined ? undefined : await findAccountById(ctx.db, row.owner_id)
  if (owner === undefined) return undefined
  const actor = actorOf(owner, { publicOnly: false, via: 'process', tokenId: null })
  const repo = await findRepository({ ...ctx, actor }, id)
  // An organization cannot act, but all that is in it is its own.
  return repo && { ...repo, access: ownerAccess(factsOf(repo)) }
}

/**
 * Adds what belongs to records and decides access. Owners never vanish before their repositories. Accounts that the
 * caller has at hand are not asked for again.
 */
export async function complete(
  ctx: Context,
  rows: readonly RepositoryFacts[],
  atHand: readonly Account[] = [],
): Promise<Repository[]> {
  const parents = await findParents(ctx, rows)
  const known = new Map(atHand.map((account) => [account.id, account]))
  const wanted = accountsOf([...rows, ...parents.values()]).filter((id) => !known.has(id))
  const accounts = new Map([...known, ...(await findAccountsById(ctx.db, wanted))])
  const teams = await findTeams(ctx, rows)
  const alone = (row: RepositoryFacts) => withOwner(ctx, row, accounts)
  return rows.flatMap((row) => {
    const repo = alone(row)
    if (repo === undefined) return []
    const found = parents.get(row.parent_id ?? 0)
    const parent = found === undefined ? undefined : alone(found)
    const isKnown = parent !== undefined && may(parent.access, 'see')
    return [{ ...repo, parent: isKnown ? parent : null, transfer: transferOf(row, accounts, teams) }]
  })
}

async function findParents(
  ctx: Context,
  rows: readonly RepositoryFacts[],
): Promise<Map<number, RepositoryFacts>> {
  const ids = rows.flatMap(({ parent_id }) => (parent_id === null ? [] : [parent_id]))
  if (ids.length === 0) return new Map()
  const parents = await selectRepositories(ctx)
    .where('repository.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(parents.map((row) => [row.id, row]))
}

async function findTeams(ctx: Context, rows: readonly RepositoryFacts[]): Promise<Map<number, TeamRecord>> {
  const ids = rows.flatMap(({ transfer_team_ids }) => transfer_team_ids ?? [])
  if (ids.length === 0) return new Map()
  const teams = await selectTeams(ctx.db)
    .where('team.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(teams.map((team) => [team.id, team]))
}

function accountsOf(rows: readonly RepositoryFacts[]): number[] {
  return rows.flatMap((row) =>
    [row.owner_id, row.transfer_actor_id, row.transfer_recipient_id].filter((id) => id !== null),
  )
}

function withOwner(
  ctx: Context,
  row: RepositoryFacts,
  accounts: ReadonlyMap<number, Account>,
): LoneRepository | undefined {
  const owner = accounts.get(row.owner_id)
  return owner === undefined ? undefined : { ...row, owner, access: decide(ctx, row, owner) }
}

function transferOf(
  row: RepositoryFacts,
  accounts: ReadonlyMap<number, Account>,
  teams: ReadonlyMap<number, TeamRecord>,
): Transfer | null {
  const actor = accounts.get(row.transfer_actor_id ?? 0)
  const recipient = accounts.get(row.transfer_recipient_id ?? 0)
  if (actor === undefined || recipient === undefined) return null
  const known = (row.transfer_team_ids ?? []).map((id) => teams.get(id))
  return { actor, recipient, teams: known.filter((team) => team !== undefined) }
}

function decide(ctx: Context, row: RepositoryFacts, owner: Account): Access {
  return decideAccess({
    actor: ctx.actor,
    owner: { id: owner.id, kind: kindOf(owner), visibility: owner.visibility },
    repository: factsOf(row),
    collaboration: row.collaboration,
    teams: row.teams ?? [],
    isOrganizationMember: row.is_member,
  })
}

function factsOf(row: RepositoryRow): AccessFacts['repository'] {
  return {
    isPrivate: row.is_private,
    isArchived: row.archived_at !== null,
    enabledUnits: new Set(row.units as Unit[]),
  }
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
      where team_repository.repository_id = repository.id and team_member.user_id = ${actor.id})
    or ${isOffered(actor.id)})`
}
