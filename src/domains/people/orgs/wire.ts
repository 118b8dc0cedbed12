/** REST records of organizations and teams. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { atLeast, highest, UNITS, wireUnit } from '#domains/people/access'
import { avatarUrl } from '#domains/people/users'
import { Visibility } from '#platform/rest'
import type { Site } from '#platform/site'
import type { OrgRecord, TeamRecord } from './tables.ts'

export type Organization = Static<typeof Organization>
export const Organization = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    full_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.String(),
    description: Type.String(),
    website: Type.String(),
    location: Type.String(),
    visibility: Visibility,
    requires_second_factor: Type.Optional(Type.Boolean()),
    repo_admin_change_team_access: Type.Boolean({
      description: 'whether repository administrators may add and remove teams',
    }),
    username: Type.String({ deprecated: true }),
  },
  { title: 'Organization' },
)

export type Team = Static<typeof Team>
export const Team = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    organization: Type.Union([Organization, Type.Null()], {
      description: 'null when the organization is part of the request path',
    }),
    includes_all_repositories: Type.Boolean(),
    permission: Type.Union(
      [
        Type.Literal('none'),
        Type.Literal('read'),
        Type.Literal('write'),
        Type.Literal('admin'),
        Type.Literal('owner'),
      ],
      { description: 'none when permissions are set per unit' },
    ),
    units: Type.Array(Type.String(), { deprecated: true }),
    units_map: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    can_create_org_repo: Type.Boolean(),
    visibility: Visibility,
  },
  { title: 'Team' },
)

export type OrganizationPermissions = Static<typeof OrganizationPermissions>
export const OrganizationPermissions = Type.Object(
  {
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    can_write: Type.Boolean(),
    can_read: Type.Boolean(),
    can_create_repository: Type.Boolean(),
  },
  { title: 'OrganizationPermissions' },
)

export function presentOrganization(org: OrgRecord, site: Site): Organization {
  return {
    id: org.id,
    name: org.login,
    full_name: org.full_name,
    email: org.email,
    avatar_url: avatarUrl(org, site),
    description: org.description,
    website: org.website,
    location: org.location,
    visibility: org.visibility,
    repo_admin_change_team_access: org.repo_admin_change_team_access,
    username: org.login,
    ...(org.requires_second_factor && { requires_second_factor: true }),
  }
}

/** Compat: most responses omit the organization: pass `null`. */
export function presentTeam(team: TeamRecord, org: OrgRecord | null, site: Site): Team {
  const units = UNITS.flatMap((unit) => {
    const level = team.units[unit]
    return level === undefined ? [] : [[wireUnit(unit), level] as const]
  })
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization: org === null ? null : presentOrganization(org, site),
    includes_all_repositories: team.includes_all_repositories,
    permission: team.level,
    units: units.map(([unit]) => unit),
    // Compat: for a team without units the map is null, not empty.
    units_map: units.length === 0 ? null : Object.fromEntries(units),
    can_create_org_repo: team.can_create_repository,
    visibility: team.visibility,
  }
}

/** The combined permissions of a user's teams: the highest level of any team or unit. */
export function presentPermissions(teams: readonly TeamRecord[]): OrganizationPermissions {
  const level = highest(teams.flatMap((team) => [team.level, ...Object.values(team.units)]))
  return {
    is_owner: teams.some((team) => team.level === 'owner'),
    is_admin: atLeast(level, 'admin'),
    can_write: atLeast(level, 'write'),
    can_read: atLeast(level, 'read'),
    can_create_repository: teams.some((team) => team.can_create_repository),
  }
}
