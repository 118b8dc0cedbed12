/**
 * Loads repositories: record, counters, owner, parent, pending transfer, and the caller's access.
 *
 * One query loads the records with the facts for access, a fixed number of further queries the related rows, whatever
 * the number of records.
 */
import { sql } from 'kysely'
import {
  type Access,
  type AccessFacts,
  type Collaboration,
  decideAccess,
  isJob,
  may,
  ownerAccess,
  restrictAccess,
  type TeamGrant,
  UNITS,
  type Unit,
} from '#domains/people/access'
import { selectTeams, type TeamRecord } from '#domains/people/orgs'
import {
  type Account,
  type AccountJson,
  accountJson,
  actorOf,
  findAccountsById,
  lacksSecondFactor,
  readAccount,
} from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { notFound } from '#platform/problem'
import { grantsOf, isOfferedTo } from '../access/access-sql.ts'
import type { RepositoryCount, RepositoryRow } from '../tables.ts'

/** A repository without its parent and its transfer. */
export interface LoneRepository extends RepositoryRow, RepositoryCount {
  readonly owner: Account
  readonly access: Access
}

/** A pending transfer. */
export interface Transfer {
  readonly actor: Account
  readonly recipient: Account
  readonly teams: readonly TeamRecord[]
}

/** A loaded repository, as used outside the stores. */
export interface Repository extends LoneRepository {
  /** The parent of a fork, if the caller may see it. */
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

/** Records with the caller's grants. The calling function adds conditions, order and page. */
export function selectRepositories(ctx: Context) {
  return selectFor(ctx.db, viewerOf(ctx))
}

function viewerOf({ actor }: Context): number {
  return actor?.id ?? 0
}

function selectFor(db: Db, viewer: number) {
  const { collaboration, is_member, teams } = grantsOf(viewer)
  return db
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
      sql<Collaboration | null>`coalesce(${collaboration}, case when ${isOfferedTo(viewer)} then 'read' end)`.as(
        'collaboration',
      ),
      is_member.as('is_member'),
      teams.as('teams'),
    ])
}

export async function getRepository(ctx: Context, id: number): Promise<Repository> {
  const repo = await findRepository(ctx, id)
  if (repo === undefined) throw notFound('repository', id)
  return repo
}

export async function findRepository(ctx: Context, id: number): Promise<Repository | undefined> {
  const row = await BY_ID.first(ctx.db, { viewer: viewerOf(ctx), id })
  return row && completeOne(ctx, row)
}

/** The repository whose owner and name have these keys, without a check; its `access` has the caller's rights. */
export async function findByKeys(
  ctx: Context,
  keys: { readonly owner: string; readonly name: string },
): Promise<Repository | undefined> {
  const row = await BY_KEYS.first(ctx.db, { viewer: viewerOf(ctx), ...keys })
  return row && completeOne(ctx, row)
}

/** Loads the owner in the same query, because nearly every request looks up one repository. */
function selectWithOwner(db: Db, viewer: number) {
  return selectFor(db, viewer).select((eb) => accountJson(eb.ref('repository.owner_id')).as('owner_json'))
}

const BY_ID = new Statement((db: Db, { viewer, id }: { viewer: number; id: number }) =>
  selectWithOwner(db, viewer).where('repository.id', '=', id),
)

export const BY_KEYS = new Statement(
  (db: Db, { viewer, owner, name }: { viewer: number; owner: string; name: string }) =>
    selectWithOwner(db, viewer)
      .where('repository.owner_id', '=', (eb) =>
        eb.selectFrom('account').select('account.id').where('account.login_key', '=', owner),
      )
      .where('repository.name_key', '=', name),
)

async function completeOne(
  ctx: Context,
  { owner_json, ...facts }: RepositoryFacts & { readonly owner_json: AccountJson },
): Promise<Repository | undefined> {
  const [repo] = await complete(ctx, [facts], [readAccount(owner_json)])
  return repo && heard(ctx, repo)
}

/** For the use of tokens: what a request asks of the repository that it opens. Lists are not heard. */
function heard({ needs }: Context, repo: Repository): Repository {
  if (needs === undefined) return repo
  return {
    ...repo,
    access: { ...repo.access, permitted: (unit, level) => needs(repo.id, unit ?? '', level) },
  }
}

/** Records with the caller's grants, in any order. */
export function findFacts(ctx: Context, ids: readonly number[]): Promise<RepositoryFacts[]> {
  return BY_IDS.rows(ctx.db, { viewer: viewerOf(ctx), ids })
}

const BY_IDS = new Statement((db: Db, { viewer, ids }: { viewer: number; ids: readonly number[] }) =>
  selectFor(db, viewer).where('repository.id', 'in', ids),
)

/**
 * The repository with its owner's access. This is no proof that the caller may see it. A quarantined repository is
 * undefined: nothing is done for its owner.
 */
export async function findAsOwner(ctx: Context, id: number): Promise<Repository | undefined> {
  // The grants of a caller are not needed: an owner has all rights.
  const row = await BY_ID.first(ctx.db, { viewer: 0, id })
  if (row === undefined) return undefined
  const actor = actorOf(readAccount(row.owner_json), { publicOnly: false, via: 'process', tokenId: null })
  const repo = await completeOne({ ...ctx, actor }, row)
  if (repo === undefined || repo.is_quarantined) return undefined
  // An organization is not an actor, but owns its repositories.
  return { ...repo, access: ownerAccess(factsOf(repo)) }
}

/**
 * Adds related rows and decides access. An owner cannot be deleted before their repositories. Accounts passed by the
 * caller are not queried again.
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
  const parents = await findFacts(ctx, [...new Set(ids)])
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
  const { restriction } = ctx.actor ?? {}
  const own = ctx.actor !== null && isJob(ctx.actor) ? jobAccess(row) : personalAccess(ctx, row, owner)
  return restriction === undefined
    ? own
    : restrictAccess(own, { id: row.id, ownerId: row.owner_id }, restriction)
}

/** A job has no rights of its own: its restriction says what it has in its repository, and it has nothing elsewhere. */
function jobAccess(row: RepositoryRow): Access {
  const access = ownerAccess(factsOf(row))
  return row.is_quarantined ? { ...access, level: 'none', units: NO_UNITS, visible: false } : access
}

function personalAccess(ctx: Context, row: RepositoryFacts, owner: Account): Access {
  return decideAccess({
    actor: ctx.actor,
    owner: { id: owner.id, kind: kindOf(owner), visibility: owner.visibility },
    repository: factsOf(row),
    collaboration: row.collaboration,
    teams: row.teams ?? [],
    isOrganizationMember: row.is_member,
    lacksSecondFactor:
      owner.requires_second_factor && ctx.actor !== null && lacksSecondFactor(ctx.actor.account),
  })
}

const NO_UNITS = Object.fromEntries(UNITS.map((unit) => [unit, 'none'])) as Access['units']

function factsOf(row: RepositoryRow): AccessFacts['repository'] {
  return {
    isPrivate: row.is_private,
    isArchived: row.archived_at !== null,
    isQuarantined: row.is_quarantined,
    enabledUnits: new Set(row.units as Unit[]),
  }
}

function kindOf(owner: Account): 'user' | 'organization' {
  return owner.kind === 'organization' ? 'organization' : 'user'
}
