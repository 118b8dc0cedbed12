/** Teams with their units, members and repositories; membership of organizations. */
import { carry, Left } from '../carry/carry.ts'
import { flag, number, text, timeOr } from '../source/fields.ts'
import { VISIBILITIES } from './accounts.ts'

export const LEVELS = ['none', 'read', 'write', 'admin', 'owner'] as const
/** By the number that Gitea gives a unit. */
export const UNITS: Readonly<Record<number, string>> = {
  1: 'code',
  2: 'issues',
  3: 'pulls',
  4: 'releases',
  5: 'wiki',
  6: 'ext_wiki',
  7: 'ext_issues',
  8: 'projects',
  9: 'packages',
  10: 'actions',
}

const memberships = carry({
  from: 'org_user',
  into: 'membership',
  key: ['organization_id', 'user_id'],
  isReplaced: true,
  rows: (row) => ({
    organization_id: number(row.org_id),
    user_id: number(row.uid),
    is_public: flag(row.is_public),
  }),
})

/** Teams have no times of their own. */
const teams = carry({
  name: 'team → team',
  from: `select t.*, u.created_unix as born from team as t join "user" as u on u.id = t.org_id`,
  into: 'team',
  rows: (row) => ({
    id: number(row.id),
    organization_id: number(row.org_id),
    name: text(row.name),
    name_key: text(row.lower_name),
    description: text(row.description),
    level: LEVELS[number(row.authorize)] ?? 'none',
    visibility:
      row.visibility === undefined ? 'private' : (VISIBILITIES[number(row.visibility)] ?? 'private'),
    includes_all_repositories: flag(row.includes_all_repositories),
    can_create_repository: flag(row.can_create_org_repo),
    created_at: timeOr(row.born, null),
  }),
})

const units = carry({
  from: 'team_unit',
  into: 'team_unit',
  key: ['team_id', 'unit'],
  isReplaced: true,
  rows: (row) => {
    const unit = UNITS[number(row.type)]
    if (unit === undefined) return new Left('its unit is not known')
    return { team_id: number(row.team_id), unit, level: LEVELS[number(row.access_mode)] ?? 'none' }
  },
})

const members = carry({
  from: 'team_user',
  into: 'team_member',
  key: ['team_id', 'user_id'],
  isReplaced: true,
  rows: (row) => ({
    organization_id: number(row.org_id),
    team_id: number(row.team_id),
    user_id: number(row.uid),
  }),
})

/** After the repositories. */
export const teamRepositories = carry({
  from: 'team_repo',
  into: 'team_repository',
  key: ['team_id', 'repository_id'],
  isReplaced: true,
  rows: (row) => ({
    team_id: number(row.team_id),
    repository_id: number(row.repo_id),
    organization_id: number(row.org_id),
  }),
})

export const orgs = [memberships, teams, units, members]
