/** Operations of owners on teams. Each is one transaction: lock the organization, check, change, count. */
import { count, removeMembers } from '#domains/people/users'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { TeamEvent } from '../events.ts'
import { lockTeams } from '../members/members.ts'
import type { OwnedOrg } from '../organizations/open-org.ts'
import type { CreateTeam, EditTeam } from '../schemas.ts'
import type { TeamPatch, TeamRecord } from '../tables.ts'
import type { OwnedTeam } from './open-team.ts'
import { changedRights, rightsOf } from './team-rights.ts'
import {
  deleteTeamRow,
  findTeam,
  findTeamByName,
  findTeamless,
  insertTeam,
  listTeamMemberIds,
  replaceUnits,
  updateTeam,
} from './team-store.ts'

export async function createTeam(ctx: Context, org: OwnedOrg, input: CreateTeam): Promise<TeamRecord> {
  const { level, units } = rightsOf(input)
  return transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    const row = {
      organization_id: org.id,
      name: input.name,
      name_key: input.name.toLowerCase(),
      description: input.description ?? '',
      level,
      visibility: input.visibility ?? 'private',
      includes_all_repositories: input.includes_all_repositories ?? false,
      can_create_repository: input.can_create_org_repo ?? false,
      created_at: ctx.now(),
    }
    const team = await insertTeam(ctx.db, row, units)
    if (team === undefined) throw nameTaken(input.name)
    await count(ctx.db, org.id, 'teams', 1)
    if (team.includes_all_repositories) await includeAll(ctx, team)
    return team
  })
}

export async function editTeam(ctx: Context, { team, org }: OwnedTeam, edit: EditTeam): Promise<TeamRecord> {
  return transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    const before = await getTeam(ctx, team.id)
    await assertName(ctx, before, edit.name || before.name)
    const rights = changedRights(before, edit)
    await updateTeam(ctx.db, team.id, { ...patchOf(before, edit), level: rights?.level ?? before.level })
    if (rights !== undefined) await replaceUnits(ctx.db, team.id, rights.units)
    const after = await getTeam(ctx, team.id)
    if (after.includes_all_repositories && !before.includes_all_repositories) await includeAll(ctx, after)
    return after
  })
}

function includeAll(ctx: TxContext, { id: team_id, organization_id }: TeamRecord): Promise<void> {
  const event: TeamEvent = { team_id, organization_id }
  return emit(ctx, 'team.includes_all', event)
}

/** Members who are in no other team leave the organization. */
export async function deleteTeam(ctx: Context, { team, org }: OwnedTeam): Promise<void> {
  if (team.level === 'owner') throw invalid('cannot delete the owners team')
  await transact(ctx, async (ctx) => {
    await lockTeams(ctx, org)
    const members = await listTeamMemberIds(ctx.db, team.id)
    if (!(await deleteTeamRow(ctx.db, team.id))) throw notFound('team', team.id)
    await removeMembers(ctx.db, org.id, await findTeamless(ctx.db, org.id, members))
    await count(ctx.db, org.id, 'teams', -1)
  })
}

/** Throws not found when the team has been deleted meanwhile. */
async function getTeam(ctx: TxContext, id: number): Promise<TeamRecord> {
  const team = await findTeam(ctx.db, id)
  if (team === undefined) throw notFound('team', id)
  return team
}

async function assertName(ctx: TxContext, team: TeamRecord, name: string): Promise<void> {
  if (name === team.name) return
  if (team.level === 'owner') throw invalid('cannot rename the owners team')
  const other = await findTeamByName(ctx.db, team.organization_id, name)
  if (other !== undefined && other.id !== team.id) throw nameTaken(name)
}

/** Compat: for the owners' team, changes of rights are ignored without an error. */
function patchOf(team: TeamRecord, edit: EditTeam): TeamPatch {
  const name = edit.name || team.name
  const about = {
    name,
    name_key: name.toLowerCase(),
    description: edit.description,
    visibility: edit.visibility,
  }
  if (team.level === 'owner') return about
  return {
    ...about,
    includes_all_repositories: edit.includes_all_repositories,
    can_create_repository: edit.can_create_org_repo,
  }
}

function nameTaken(name: string) {
  return invalid('team already exists', { name })
}
