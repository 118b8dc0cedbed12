/** Permissions of a team, as form fields. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import type { EditTeamOption, Team } from '../../gen/contract.ts'
import { area, check, select, written } from '../../parts/forms.ts'
import { peopleWords as words } from '../../words/people.ts'

const UNITS = Object.keys(words.unit) as (keyof typeof words.unit)[]
const entries = (it: Readonly<Record<string, string>>) => Object.entries(it)

export function teamFields(visit: PageVisit, name: string, team?: Team): Html {
  const isOwners = team?.permission === 'owner'
  const description = area({
    name: 'description',
    label: words.teamDescription,
    value: written(visit, name, 'description', team?.description),
    rows: 2,
    maxLength: 255,
  })
  if (isOwners) return description
  const { permission = 'read', units_map } = team ?? {}
  const levels = (unit: string) =>
    select({
      name: `unit.${unit}`,
      label: words.unit[unit as keyof typeof words.unit],
      options: entries(words.levels),
      value: written(visit, name, `unit.${unit}`, units_map?.[unit] ?? 'none'),
    })
  return html`${description}${select({
    name: 'permission',
    label: words.permission,
    options: entries({
      none: words.permissions.none,
      read: words.permissions.read,
      write: words.permissions.write,
      admin: words.permissions.admin,
    }),
    value: written(visit, name, 'permission', permission),
  })}<details><summary>${words.units}</summary><div class="pairs">${UNITS.map(levels)}</div></details>${check(
    {
      name: 'includes_all_repositories',
      label: words.includesAll,
      isChecked: team?.includes_all_repositories ?? false,
    },
  )}${check({ name: 'can_create_org_repo', label: words.mayCreate, isChecked: team?.can_create_org_repo ?? false })}${select(
    {
      name: 'visibility',
      label: words.visibility,
      options: entries(words.teamVisibilities),
      value: written(visit, name, 'visibility', team?.visibility ?? 'private'),
    },
  )}`
}

/** One permission for all units, or one for each. */
export function readTeam(fields: Fields): Omit<EditTeamOption, 'name'> {
  const permission = fields.text('permission')
  const units_map = Object.fromEntries(UNITS.map((unit) => [unit, fields.text(`unit.${unit}`) || 'none']))
  const isByUnit = permission === 'none'
  return {
    description: fields.text('description'),
    includes_all_repositories: fields.flag('includes_all_repositories'),
    can_create_org_repo: fields.flag('can_create_org_repo'),
    visibility: fields.text('visibility') as NonNullable<EditTeamOption['visibility']>,
    ...(isByUnit ? { permission: 'read', units_map } : { permission, units: [...UNITS] }),
  }
}
