/** Membership of teams that groups of an authentication source decide, at a sign-in or when a directory is asked. */
import { type Account, addMember, isBlocked, removeMembers } from '#domains/people/users'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { lockOrg } from '../organizations/store.ts'
import type { TeamRecord } from '../tables.ts'
import {
  deleteTeamMember,
  findTeamless,
  findTeams,
  insertTeamMember,
  isOnlyOwner,
  listTeamIdsOf,
} from '../teams/team-store.ts'

/**
 * Of the teams `mapped`, the user is in exactly those of `wanted` afterwards. The last owner of an organization stays, and
 * a user whom an organization has blocked does not join. The caller is an administrator's mapping, so no owner is asked.
 */
export async function followTeams(
  ctx: TxContext,
  user: Pick<Account, 'id'>,
  { mapped, wanted }: { readonly mapped: readonly number[]; readonly wanted: ReadonlySet<number> },
): Promise<void> {
  const current = new Set(await listTeamIdsOf(ctx.db, user.id, mapped))
  const changed = [...new Set(mapped)].filter((id) => wanted.has(id) !== current.has(id))
  const teams = [...(await findTeams(ctx.db, changed)).values()]
  // In the order of ids, so that two sign-ins cannot deadlock.
  const organizations = [...new Set(teams.map((it) => it.organization_id))].sort((one, other) => one - other)
  for (const id of organizations) {
    if (!(await lockOrg(ctx.db, id))) continue
    for (const team of teams.filter((it) => it.organization_id === id)) {
      if (wanted.has(team.id)) await join(ctx, team, user.id)
      else await leave(ctx, team, user.id)
    }
    await removeMembers(ctx.db, id, await findTeamless(ctx.db, id, [user.id]))
  }
}

async function join(ctx: TxContext, team: TeamRecord, userId: number): Promise<void> {
  if (await isBlocked(ctx.db, team.organization_id, userId)) return
  if (!(await insertTeamMember(ctx.db, team, userId))) return
  await addMember(ctx.db, team.organization_id, userId)
  await emit(ctx, 'team.joined', {
    team_id: team.id,
    organization_id: team.organization_id,
    user_id: userId,
  })
}

async function leave(ctx: TxContext, team: TeamRecord, userId: number): Promise<void> {
  if (team.level === 'owner' && (await isOnlyOwner(ctx.db, team.organization_id, userId))) return
  await deleteTeamMember(ctx.db, team.id, userId)
}
