/**
 * Which repositories a caller sees, as parts that a search looks through one by one: those that are open to the
 * caller's kind, and the few that the caller was granted. Together they are what `decideAccess` lets the caller see.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Visibility } from '#domains/access'
import type { Actor, Context } from '#platform/context'

export interface Sight {
  /** A condition on `repository`: what is open to the caller. */
  readonly open: RawBuilder<boolean>
  /** The audiences that condition means: how many repositories they have is known already. */
  readonly audiences: readonly Visibility[]
  /** The numbers of what was granted to the caller and is not open. */
  readonly granted: RawBuilder<number> | null
}

const EVERYTHING: Sight = {
  open: sql<boolean>`true`,
  audiences: ['public', 'limited', 'private'],
  granted: null,
}
const PUBLIC: Sight = {
  open: sql<boolean>`repository.audience = 'public'`,
  audiences: ['public'],
  granted: null,
}
const OPEN: Sight = {
  open: sql<boolean>`repository.audience in ('public', 'limited')`,
  audiences: ['public', 'limited'],
  granted: null,
}

/** `publicOnly` leaves out whatever is not for everybody, whoever asks. */
export function sightOf({ actor }: Pick<Context, 'actor'>, { publicOnly }: { publicOnly: boolean }): Sight {
  if (actor === null || actor.publicOnly || publicOnly) return PUBLIC
  if (actor.isAdmin) return EVERYTHING
  // A restricted user is implied nothing beyond what everybody sees.
  if (actor.isRestricted) return { ...PUBLIC, granted: grantedTo(actor, sql`in ('limited', 'private')`) }
  return { ...OPEN, granted: grantedTo(actor, sql`= 'private'`) }
}

/** What is said of an audience. */
type Hidden = RawBuilder<unknown>

function grantedTo({ id, isRestricted }: Actor, hidden: Hidden): RawBuilder<number> {
  const ids = [owned(id, hidden), given(id, hidden), byTeams(id, hidden), offered(id, hidden)]
  if (!isRestricted) ids.push(inside(id))
  return sql<number>`${sql.join(ids, sql` union `)}`
}

const WHATEVER: Hidden = sql`is not null`

/** The numbers of what somebody owns and of what they contribute to. */
export function tiedTo(userId: number): RawBuilder<number> {
  return sql<number>`${owned(userId, WHATEVER)} union ${contributedBy(userId)}`
}

/** The numbers of what somebody works on because it was given to them. */
export function contributedBy(userId: number): RawBuilder<number> {
  const ids = [given(userId, WHATEVER), byTeams(userId, WHATEVER), inside(userId)]
  return sql<number>`${sql.join(ids, sql` union `)}`
}

function owned(userId: number, hidden: Hidden): RawBuilder<number> {
  return sql<number>`select mine.id from repository as mine
    where mine.owner_id = ${userId} and mine.audience ${hidden}`
}

function given(userId: number, hidden: Hidden): RawBuilder<number> {
  return sql<number>`select shared.id from collaboration
    join repository as shared on shared.id = collaboration.repository_id
    where collaboration.user_id = ${userId} and shared.audience ${hidden}`
}

/** A team with no level of its own shows a repository by a unit that it may read and that the repository has. */
function byTeams(userId: number, hidden: Hidden): RawBuilder<number> {
  return sql<number>`select held.id from team_member
    join team on team.id = team_member.team_id
    left join (
      select team_unit.team_id, array_agg(team_unit.unit) as units
      from team_member as theirs join team_unit on team_unit.team_id = theirs.team_id
      where theirs.user_id = ${userId} and team_unit.level <> 'none'
      group by team_unit.team_id) as readable on readable.team_id = team.id
    join team_repository on team_repository.team_id = team.id
    join repository as held on held.id = team_repository.repository_id
    where team_member.user_id = ${userId} and held.audience ${hidden}
      and (team.level <> 'none' or held.units && readable.units)`
}

/** Whoever a repository is offered to may look at it before they accept. */
function offered(userId: number, hidden: Hidden): RawBuilder<number> {
  return sql<number>`select coming.id from repository_transfer
    join repository as coming on coming.id = repository_transfer.repository_id
    where coming.audience ${hidden} and repository_transfer.recipient_id in (
      select ${userId}::bigint
      union all select team_member.organization_id
        from team_member join team on team.id = team_member.team_id
        where team_member.user_id = ${userId} and team.can_create_repository)`
}

/** What is not private itself, in organizations that are. */
function inside(userId: number): RawBuilder<number> {
  return sql<number>`select theirs.id from membership
    join repository as theirs on theirs.owner_id = membership.organization_id
    where membership.user_id = ${userId} and theirs.audience = 'private' and not theirs.is_private`
}
