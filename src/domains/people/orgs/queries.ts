/**
 * Lists of organizations and teams. Each takes two queries, whatever its length: the rows of a page, and the total.
 */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type Account, selectAccounts, visibleTo } from '#domains/people/users'
import type { Actor, Context } from '#platform/context'
import { containing, type Db, type Paged, type Tables, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import { canSeeInside, type OrgWithTeams, type VisibleOrg } from './organizations/open-org.ts'
import { selectOrgs } from './organizations/store.ts'
import type { OrgRecord, TeamRecord } from './tables.ts'
import type { MemberTeam } from './teams/open-team.ts'
import { selectTeams } from './teams/team-store.ts'

/** Organizations that the caller may see, ordered by name. */
export function listOrgs({ db, actor }: Context, page: Page): Promise<Paged<OrgRecord>> {
  const counted = db.selectFrom('account').where('kind', '=', 'organization').where(visibleTo(actor))
  return takePage(selectAllOrgs(db, actor), page, counted)
}

export function selectAllOrgs(db: Db, viewer: Actor | null) {
  return selectOrgs(db).where('kind', '=', 'organization').where(visibleTo(viewer)).orderBy('login_key')
}

/** A user's organizations that the caller may know of. */
export function listOrgsOf(ctx: Context, user: Pick<Account, 'id'>, page: Page): Promise<Paged<OrgRecord>> {
  return takePage(selectOrgsOf(ctx.db, user.id, ctx.actor), page)
}

export function selectOrgsOf(db: Db, userId: number, viewer: Actor | null) {
  const theirs = selectOrgs(db)
    .innerJoin('membership', 'membership.organization_id', 'account.id')
    .where('membership.user_id', '=', userId)
    .orderBy('login_key')
  const isPrivy = viewer !== null && !viewer.publicOnly && (viewer.isAdmin || viewer.id === userId)
  if (!isPrivy) return theirs.where('membership.is_public', '=', true).where(visibleTo(viewer))
  return viewer.isAdmin ? theirs : theirs.where('account.is_suspended', '=', false)
}

export interface TeamSearch {
  readonly keyword: string
  readonly inDescription: boolean
}

/** The teams of an organization that the caller may see, the owners' team first, then by name. */
export function listTeams(
  ctx: Context,
  org: OrgWithTeams,
  page: Page,
  search?: TeamSearch,
): Promise<Paged<TeamRecord>> {
  return takePage(selectTeamsSeen(ctx, org, search), page)
}

export function selectTeamsSeen(ctx: Context, org: VisibleOrg, search?: TeamSearch) {
  const teams = selectTeams(ctx.db)
    .where('organization_id', '=', org.id)
    .where(teamVisible(ctx, org))
    .orderBy(sql`team.level <> 'owner'`)
    .orderBy('name_key')
  return search === undefined || search.keyword === '' ? teams : teams.where(teamMatches(search))
}

/** The rule of `canSeeTeam` as SQL. */
function teamVisible(ctx: Context, org: VisibleOrg): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'team'>()
  if (!canSeeInside(ctx, org)) return eb('team.visibility', '=', 'public')
  if (org.role === 'owner') return eb.lit(true)
  const isInTeam = eb.exists(
    eb
      .selectFrom('team_member')
      .select('team_member.user_id')
      .whereRef('team_member.team_id', '=', 'team.id')
      .where('team_member.user_id', '=', ctx.actor?.id ?? 0),
  )
  return eb.or([eb('team.visibility', 'in', ['public', 'limited']), isInTeam])
}

function teamMatches({ keyword, inDescription }: TeamSearch): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'team'>()
  const pattern = containing(keyword.toLowerCase())
  const inName = eb('team.name_key', 'like', pattern)
  return inDescription ? eb.or([inName, eb(sql`lower(team.description)`, 'like', pattern)]) : inName
}

/** All teams of the caller; with a public-only credential, only public teams of public organizations. */
export function listTeamsOfActor(ctx: Context, actor: Actor, page: Page): Promise<Paged<TeamRecord>> {
  return takePage(selectTeamsOfActor(ctx.db, actor), page)
}

export function selectTeamsOfActor(db: Db, actor: Actor) {
  const teams = selectTeams(db)
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .where('team_member.user_id', '=', actor.id)
    .orderBy('team_member.organization_id')
    .orderBy('team_member.team_id')
  const ofOrg = expressionBuilder<Tables, 'team'>()
    .selectFrom('account')
    .select('account.id')
    .whereRef('account.id', '=', 'team.organization_id')
  const isOfPublicOrg = ofOrg.where('account.visibility', '=', 'public')
  const seen = actor.publicOnly
    ? teams.where('team.visibility', '=', 'public').where((eb) => eb.exists(isOfPublicOrg))
    : teams
  if (actor.isAdmin) return seen
  return seen.where((eb) => eb.exists(ofOrg.where('account.is_suspended', '=', false)))
}

export function listTeamMembers(ctx: Context, { team }: MemberTeam, page: Page): Promise<Paged<Account>> {
  return takePage(selectTeamMembers(ctx.db, team.id), page)
}

export function selectTeamMembers(db: Db, teamId: number) {
  return selectAccounts(db)
    .innerJoin('team_member', 'team_member.user_id', 'account.id')
    .where('team_member.team_id', '=', teamId)
    .orderBy('team_member.user_id')
}
