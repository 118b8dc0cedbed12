/**
 * Members of teams and thus of organizations. Each operation is one transaction: lock, check, change, count.
 *
 * Invariant: a user is a member of an organization while at least one of its teams has them, and an organization always
 * has an owner. Every function that adds or removes members holds the organization's lock, which protects both.
 */
import {
  type Account,
  addMember,
  isBlocked,
  openUser,
  removeMembers,
  setMemberPublic,
  type VisibleAccount,
} from '#domains/people/users'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, notFound } from '#platform/problem'
import { type OwnedOrg, openMemberOrg, type VisibleOrg } from '../organizations/open-org.ts'
import { listOrgIdsOf, lockOrg } from '../organizations/store.ts'
import type { OwnedTeam } from '../teams/open-team.ts'
import {
  deleteFromTeams,
  deleteTeamMember,
  findTeam,
  findTeamless,
  insertTeamMember,
  isOnlyOwner,
} from '../teams/team-store.ts'

export async function joinTeam(ctx: Context, { team, org }: OwnedTeam, user: VisibleAccount): Promise<void> {
  if (user.kind === 'organization') throw invalid('organization cannot be a team member')
  await transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    if ((await findTeam(ctx.db, team.id)) === undefined) throw notFound('team', team.id)
    if (await isBlocked(ctx.db, org.id, user.id)) throw forbidden('user is blocked by the organization')
    const isNew = await insertTeamMember(ctx.db, team, user.id)
    await addMember(ctx.db, org.id, user.id)
    const joined = { team_id: team.id, organization_id: org.id, user_id: user.id }
    if (isNew) await emit(ctx, 'team.joined', joined)
  })
}

/** A user who leaves their last team leaves the organization. */
export async function leaveTeam(ctx: Context, { team, org }: OwnedTeam, user: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    if (team.level === 'owner') await assertNotLastOwner(ctx, org.id, user.id)
    await deleteTeamMember(ctx.db, team.id, user.id)
    await removeMembers(ctx.db, org.id, await findTeamless(ctx.db, org.id, [user.id]))
  })
}

/** Removes the user from every team. Compat: removing a non-member succeeds. */
export async function removeMember(ctx: Context, org: OwnedOrg, user: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    await leave(ctx, org.id, user.id)
  })
}

/** Removes the user from every organization, in the transaction that deletes the account. */
export async function leaveOrganizations(ctx: TxContext, user: Pick<Account, 'id'>): Promise<void> {
  for (const id of await listOrgIdsOf(ctx.db, user.id)) {
    if (await lockOrg(ctx.db, id)) await leave(ctx, id, user.id)
  }
}

declare const proven: unique symbol
/** A member whose publicity the caller may change: the caller themselves, or any member for an owner. */
export interface ChangeableMember {
  readonly org: VisibleOrg
  readonly user: VisibleAccount
  readonly [proven]: 'member'
}

export async function openChangeableMember(
  ctx: Context,
  names: { org: string; username: string },
): Promise<ChangeableMember> {
  const org = await openMemberOrg(ctx, names.org)
  const user = await openUser(ctx, names.username)
  if (org.role !== 'owner' && user.id !== ctx.actor?.id) throw forbidden('cannot change member visibility')
  return { org, user } as ChangeableMember
}

export async function showMember(
  ctx: Context,
  { org, user }: ChangeableMember,
  isPublic: boolean,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await setMemberPublic(ctx.db, org.id, user.id, isPublic))) throw notFound('member', user.login)
  })
}

/** Throws not found when the organization has been deleted meanwhile. */
export async function lockTeams(ctx: TxContext, org: VisibleOrg): Promise<void> {
  if (!(await lockOrg(ctx.db, org.id))) throw notFound('organization', org.login)
}

async function leave(ctx: TxContext, organizationId: number, userId: number): Promise<void> {
  await assertNotLastOwner(ctx, organizationId, userId)
  await deleteFromTeams(ctx.db, organizationId, userId)
  await removeMembers(ctx.db, organizationId, [userId])
}

async function assertNotLastOwner(ctx: TxContext, organizationId: number, userId: number): Promise<void> {
  if (await isOnlyOwner(ctx.db, organizationId, userId))
    throw invalid('cannot remove the last owner of the organization')
}
