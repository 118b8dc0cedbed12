/** Parses a team's rights from the two forms of requests: one level for all units, or a level for each unit. */
import { type Level, parseLevel, parseUnit } from '#domains/people/access'
import { Problem } from '#platform/problem'
import type { TeamRecord, UnitLevels } from '../tables.ts'

export interface TeamRights {
  readonly level: Level
  readonly units: UnitLevels
}

interface RightsInput {
  readonly permission?: string
  readonly units?: readonly string[]
  readonly units_map?: Readonly<Record<string, string>>
}

export function rightsOf(input: RightsInput): TeamRights {
  const level = parseTeamLevel(input.permission ?? '')
  return arrange(level, namedUnits(input, level), {})
}

/** Undefined when the request does not change rights. */
export function changedRights(team: TeamRecord, input: RightsInput): TeamRights | undefined {
  // Compat: changes of the owners' team's rights are ignored without an error.
  if (team.level === 'owner') return undefined
  const level = input.permission ? parseTeamLevel(input.permission) : team.level
  if (input.permission && level === 'none') throw new Problem('malformed', 'no permission specified')
  const units = namedUnits(input, level)
  if (!input.permission && units === undefined) return undefined
  return arrange(level, units, team.units)
}

/** Compat: a team with named units has the level `none`; a team of administrators needs no units. */
function arrange(level: Level, named: UnitLevels | undefined, before: UnitLevels): TeamRights {
  if (level === 'admin') return { level, units: {} }
  return named === undefined ? { level, units: before } : { level: 'none', units: named }
}

/** Only the owners' team has the level `owner`. */
function parseTeamLevel(text: string): Level {
  const level = parseLevel(text)
  return level === 'owner' ? 'none' : level
}

/** Each unit with its own level, or with the common one. Unknown units are ignored. */
function namedUnits({ units, units_map }: RightsInput, level: Level): UnitLevels | undefined {
  const map = Object.entries(units_map ?? {})
  if (map.length > 0) return known(map.map(([unit, own]) => [unit, parseLevel(own)]))
  return units === undefined || units.length === 0 ? undefined : known(units.map((unit) => [unit, level]))
}

function known(named: readonly (readonly [string, Level])[]): UnitLevels {
  return Object.fromEntries(
    named.flatMap(([text, level]) => {
      const unit = parseUnit(text)
      return unit === undefined ? [] : [[unit, level]]
    }),
  )
}
