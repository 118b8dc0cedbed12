/** Request bodies and path parameters of organizations and teams, and their bounds. */
import { type Static, Type } from 'typebox'
import { LOGIN_MAX } from '#domains/people/users'
import { Visibility } from '#platform/rest'

export const OrgPath = Type.Object({ org: Type.String() })

const short = Type.Optional(Type.String({ maxLength: 255 }))
const flag = Type.Optional(Type.Boolean())
const visibility = Type.Optional(Visibility)

const profile = {
  full_name: short,
  email: short,
  description: Type.Optional(Type.String({ maxLength: 2048 })),
  website: Type.Optional(
    Type.String({ maxLength: 255, pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/]\\S*)?$' }),
  ),
  location: short,
  visibility,
  repo_admin_change_team_access: flag,
}

export type CreateOrg = Static<typeof CreateOrg>
export const CreateOrg = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: LOGIN_MAX }),
    ...profile,
    // Compat: Go clients send an empty string for an omitted field.
    visibility: Type.Optional(Type.Union([...Visibility.anyOf, Type.Literal('')])),
  },
  { title: 'CreateOrgOption' },
)

export type EditOrg = Static<typeof EditOrg>
export const EditOrg = Type.Object(
  {
    ...profile,
    requires_second_factor: Type.Optional(
      Type.Boolean({ description: 'members without two-factor authentication have no part in it' }),
    ),
  },
  { title: 'EditOrgOption' },
)

export const RenameOrg = Type.Object(
  { new_name: Type.String({ minLength: 1, maxLength: 255 }) },
  { title: 'RenameOrgOption' },
)

/** More than there are units; unknown units are ignored. */
const UNITS_MAX = 100
const rights = {
  permission: short,
  units: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), { maxItems: UNITS_MAX, deprecated: true }),
  ),
  units_map: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 255 }), { maxProperties: UNITS_MAX }),
  ),
}
const settings = {
  description: Type.Optional(Type.String({ maxLength: 2048 })),
  includes_all_repositories: flag,
  can_create_org_repo: flag,
  visibility,
  ...rights,
}

export type CreateTeam = Static<typeof CreateTeam>
export const CreateTeam = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\w.-]+$' }), ...settings },
  { title: 'CreateTeamOption' },
)

export type EditTeam = Static<typeof EditTeam>
export const EditTeam = Type.Object(
  // Compat: a missing or empty name stays unchanged.
  { name: Type.Optional(Type.String({ maxLength: 255, pattern: '^[\\w.-]*$' })), ...settings },
  { title: 'EditTeamOption' },
)
