/** Opens a team: from an id in a path to one that the caller may see, with proof of the caller's rights. */
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import {
  assertMember,
  assertOwner,
  canSeeInside,
  judge,
  type OrgWithTeams,
  type OwnedOrg,
  openOrg,
  type VisibleOrg,
} from '../organizations/open-org.ts'
import { findOrgById } from '../organizations/store.ts'
import type { TeamRecord } from '../tables.ts'
import { canSeeTeam } from './can-see-team.ts'
import { findTeam, hasPublicTeam, isInTeam } from './team-store.ts'

declare const proven: unique symbol
/** A team that the caller may see, and its organization. */
export interface VisibleTeam {
  readonly team: TeamRecord
  readonly org: VisibleOrg
  readonly [proven]: 'team'
}
/** A team whose members the caller may see. */
export interface MemberTeam extends VisibleTeam {
  readonly knowsMembers: true
}
/** A team of an organization that the caller owns. */
export interface OwnedTeam extends VisibleTeam {
  readonly org: OwnedOrg
}

/** Compat: an invisible team is 403 for a member of the organization, 404 for others. */
export async function openTeam(ctx: Context, id: number): Promise<VisibleTeam> {
  const { team, org } = await lookUpTeam(ctx, id)
  const actor = asSignedIn({ ctx })
  const isInside = canSeeInside(ctx, org)
  const viewer = {
    role: isInside ? org.role : 'stranger',
    isInTeam: isInside && (await isInTeam(ctx.db, id, actor.id)),
  } as const
  if (canSeeTeam(team.visibility, viewer)) return { team, org } as VisibleTeam
  throw org.role === 'stranger' ? notFound('team', id) : forbidden('must be a team member')
}

/** Only members of the organization may see a team's members, even of a public team. */
export async function openTeamMembers(ctx: Context, id: number): Promise<MemberTeam> {
  const opened = await openTeam(ctx, id)
  if (!canSeeInside(ctx, opened.org)) throw forbidden('must be an organization member')
  return opened as MemberTeam
}

export async function openOwnedTeam(ctx: Context, id: number): Promise<OwnedTeam> {
  const { team, org } = await lookUpTeam(ctx, id)
  asSignedIn({ ctx })
  assertOwner(org)
  return { team, org } as OwnedTeam
}

/** Public teams are listed for non-members, too. Compat: without any public team, non-members get 403. */
export async function openOrgTeams(ctx: Context, name: string): Promise<OrgWithTeams> {
  const org = await openOrg(ctx, name)
  asSignedIn({ ctx })
  if (org.role === 'stranger' && !(await hasPublicTeam(ctx.db, org.id))) assertMember(org)
  return org as OrgWithTeams
}

/** A team of an invisible organization is not found. */
async function lookUpTeam(ctx: Context, id: number): Promise<{ team: TeamRecord; org: VisibleOrg }> {
  const missing = notFound('team', id)
  const team = await findTeam(ctx.db, id)
  const record = team === undefined ? undefined : await findOrgById(ctx.db, team.organization_id)
  if (team === undefined || record === undefined) throw missing
  return { team, org: await judge(ctx, record, missing) }
}
