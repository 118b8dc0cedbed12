/** Opening a team: from a number in a path to one the caller may see, and to proof of what they may do with it. */
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { canSeeTeam } from './can-see-team.ts'
import {
  assertMember,
  assertOwner,
  canSeeInside,
  judge,
  lookUpOrg,
  type OrgWithTeams,
  type OwnedOrg,
  type VisibleOrg,
} from './open-org.ts'
import { findOrgById } from './store.ts'
import type { OrgRecord, TeamRecord } from './tables.ts'
import { findTeam, hasPublicTeam, isInTeam } from './team-store.ts'

declare const proven: unique symbol
/** A team the caller may see, and its organization. */
export interface VisibleTeam {
  readonly team: TeamRecord
  readonly org: VisibleOrg
  readonly [proven]: 'team'
}
/** One whose members the caller may know. */
export interface MemberTeam extends VisibleTeam {
  readonly knowsMembers: true
}
/** One of an organization the caller owns. */
export interface OwnedTeam extends VisibleTeam {
  readonly org: OwnedOrg
}

/** Compat: a member of the organization is told that there is such a team, a stranger is not. */
export async function openTeam(ctx: Context, id: number): Promise<VisibleTeam> {
  const { team, record } = await lookUpTeam(ctx, id)
  const actor = asSignedIn({ ctx })
  const org = await judge(ctx, record)
  const isInside = canSeeInside(ctx, org)
  const viewer = {
    role: isInside ? org.role : 'stranger',
    isInTeam: isInside && (await isInTeam(ctx.db, id, actor.id)),
  } as const
  if (canSeeTeam(team.visibility, viewer)) return { team, org } as VisibleTeam
  throw org.role === 'stranger' ? notFound('team', id) : forbidden('must be a team member')
}

/** Who is in a team is known to the members of its organization only, however many may see the team itself. */
export async function openTeamMembers(ctx: Context, id: number): Promise<MemberTeam> {
  const opened = await openTeam(ctx, id)
  if (!canSeeInside(ctx, opened.org)) throw forbidden('must be an organization member')
  return opened as MemberTeam
}

export async function openOwnedTeam(ctx: Context, id: number): Promise<OwnedTeam> {
  const { team, record } = await lookUpTeam(ctx, id)
  asSignedIn({ ctx })
  const org = await judge(ctx, record)
  assertOwner(org)
  return { team, org } as OwnedTeam
}

/** The teams everybody may see are listed for a stranger, too. Compat: where there are none, they are refused. */
export async function openOrgTeams(ctx: Context, name: string): Promise<OrgWithTeams> {
  const record = await lookUpOrg(ctx, name)
  asSignedIn({ ctx })
  const org = await judge(ctx, record)
  if (org.role === 'stranger' && !(await hasPublicTeam(ctx.db, org.id))) assertMember(org)
  return org as OrgWithTeams
}

async function lookUpTeam(ctx: Context, id: number): Promise<{ team: TeamRecord; record: OrgRecord }> {
  const team = await findTeam(ctx.db, id)
  const record = team === undefined ? undefined : await findOrgById(ctx.db, team.organization_id)
  if (team === undefined || record === undefined) throw notFound('team', id)
  return { team, record }
}
