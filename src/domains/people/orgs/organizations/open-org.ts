/** Opens an organization: from a name in a path to one that the caller may see, with proof of the caller's role. */
import { canSeeOwner } from '#domains/people/access'
import { FACTOR_REQUIRED, findSuspension, lacksSecondFactor, lookUpAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { OrgRecord } from '../tables.ts'
import type { OrgRole } from '../teams/can-see-team.ts'
import { findOrg, findRole } from './store.ts'

declare const proven: unique symbol
/** An organization that the caller may see. */
export type VisibleOrg = OrgRecord & { readonly role: OrgRole; readonly [proven]: 'org' }
/** The caller is a member. */
export type MemberOrg = VisibleOrg & { readonly role: 'owner' | 'member' }
/** The caller is an owner. */
export type OwnedOrg = MemberOrg & { readonly role: 'owner' }
/** It has teams that the caller may see. */
export type OrgWithTeams = VisibleOrg & { readonly hasTeams: true }

/** Invisible and missing organizations are both 404; a former name redirects. */
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

/** The organization with this name, without a check of visibility. */
export async function lookUpOrg(ctx: Context, name: string): Promise<OrgRecord> {
  const org = await findOrg(ctx.db, name)
  if (org !== undefined) return org
  // Also resolves users, which are no organizations, and former names, which redirect.
  const missing = () => notFound('organization', name)
  await lookUpAccount(ctx, name, missing)
  throw missing()
}

/** Whether the caller is a member and the credential is not public-only. */
export function canSeeInside(ctx: Context, org: VisibleOrg): boolean {
  return org.role !== 'stranger' && ctx.actor?.publicOnly !== true
}

export function assertMember(org: VisibleOrg): asserts org is MemberOrg {
  if (org.role === 'stranger') throw forbidden('must be an organization member')
}

export function assertOwner(org: VisibleOrg): asserts org is OwnedOrg {
  if (org.role !== 'owner') throw forbidden('must be an organization owner')
}

/** Adds the caller's role; throws `missing` when the caller may not see the organization. */
export async function judge(
  ctx: Context,
  org: OrgRecord,
  missing: Problem = notFound('organization', org.login),
): Promise<VisibleOrg> {
  const role = await roleOf(ctx, org)
  const { id, visibility, is_suspended: isSuspended } = org
  const owner = { id, kind: 'organization' as const, visibility, isSuspended }
  if (!canSeeOwner(ctx.actor, owner, { isMember: role !== 'stranger' }))
    throw isSuspended && role === 'owner' ? await suspensionOf(ctx, id) : missing
  const lacks = org.requires_second_factor && ctx.actor !== null && lacksSecondFactor(ctx.actor.account)
  if (lacks && role !== 'stranger') throw forbidden(`${org.login}: ${FACTOR_REQUIRED}`)
  if (ctx.actor?.publicOnly && org.visibility !== 'public')
    throw new Problem('forbidden', 'token scope is limited to public orgs')
  const visible = { ...org, role } as VisibleOrg
  ctx.audit?.passed(visible)
  return visible
}

/** The owners get the reason; for all others a suspended organization does not exist. */
async function suspensionOf({ db }: Context, id: number): Promise<Problem> {
  const { reason = '' } = (await findSuspension(db, id)) ?? {}
  return new Problem('forbidden', 'organization is suspended by a site administrator', { reason })
}

async function openSignedIn(ctx: Context, name: string): Promise<VisibleOrg> {
  const org = await openOrg(ctx, name)
  asSignedIn({ ctx })
  return org
}

/** A site administrator counts as an owner. */
async function roleOf({ db, actor }: Context, org: OrgRecord): Promise<OrgRole> {
  if (actor === null) return 'stranger'
  return actor.isAdmin ? 'owner' : findRole(db, org.id, actor.id)
}
