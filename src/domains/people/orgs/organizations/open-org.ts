/** Opening an organization: from a name in a path to one the caller may see, and to proof of what they are to it. */
import { canSeeOwner } from '#domains/people/access'
import { lookUpAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { OrgRecord } from '../tables.ts'
import type { OrgRole } from '../teams/can-see-team.ts'
import { findOrg, findRole } from './store.ts'

declare const proven: unique symbol
/** An organization the caller may see. */
export type VisibleOrg = OrgRecord & { readonly role: OrgRole; readonly [proven]: 'org' }
/** One the caller belongs to. */
export type MemberOrg = VisibleOrg & { readonly role: 'owner' | 'member' }
/** One the caller owns. */
export type OwnedOrg = MemberOrg & { readonly role: 'owner' }
/** One that has teams the caller may see. */
export type OrgWithTeams = VisibleOrg & { readonly hasTeams: true }

/** 404 for one the caller may not see, as for one there is not; a redirect for an old name. */
export async function openOrg(ctx: Context, name: string): Promise<VisibleOrg> {
  return judge(ctx, await lookUpOrg(ctx, name))
}

export async function openMemberOrg(ctx: Context, name: string): Promise<MemberOrg> {
  const org = await openSignedIn(ctx, name)
  assertMember(org)
  return org
}

export async function openOwnedOrg(ctx: Context, name: string): Promise<OwnedOrg> {
  const org = await openSignedIn(ctx, name)
  assertOwner(org)
  return org
}

/** The organization behind a name, whoever may see it. */
export async function lookUpOrg(ctx: Context, name: string): Promise<OrgRecord> {
  const org = await findOrg(ctx.db, name)
  if (org !== undefined) return org
  // Finds people, too, who are no organizations; and old names, which lead on.
  const missing = () => notFound('organization', name)
  await lookUpAccount(ctx, name, missing)
  throw missing()
}

/** Whether the caller and the credential reach what only members see. */
export function canSeeInside(ctx: Context, org: VisibleOrg): boolean {
  return org.role !== 'stranger' && ctx.actor?.publicOnly !== true
}

export function assertMember(org: VisibleOrg): asserts org is MemberOrg {
  if (org.role === 'stranger') throw forbidden('must be an organization member')
}

export function assertOwner(org: VisibleOrg): asserts org is OwnedOrg {
  if (org.role !== 'owner') throw forbidden('must be an organization owner')
}

/** Finds out what the caller is to an organization; throws when they may not see it, as if there were none. */
export async function judge(
  ctx: Context,
  org: OrgRecord,
  missing: Problem = notFound('organization', org.login),
): Promise<VisibleOrg> {
  const role = await roleOf(ctx, org)
  const owner = { id: org.id, kind: 'organization' as const, visibility: org.visibility }
  if (!canSeeOwner(ctx.actor, owner, { isMember: role !== 'stranger' })) throw missing
  if (ctx.actor?.publicOnly && org.visibility !== 'public')
    throw new Problem('forbidden', 'token scope is limited to public orgs')
  return { ...org, role } as VisibleOrg
}

async function openSignedIn(ctx: Context, name: string): Promise<VisibleOrg> {
  const org = await openOrg(ctx, name)
  asSignedIn({ ctx })
  return org
}

/** An administrator of the forge is as good as an owner. */
async function roleOf({ db, actor }: Context, org: OrgRecord): Promise<OrgRole> {
  if (actor === null) return 'stranger'
  return actor.isAdmin ? 'owner' : findRole(db, org.id, actor.id)
}
