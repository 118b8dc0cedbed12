/** What a deploy key may do with its repository: git, and nothing else. */
import type { Access, AccessFacts } from './decide-access.ts'
import { type Level, UNITS, type Unit } from './units.ts'

/** What is kept in git repositories of its own. */
const UNITS_OF_GIT: ReadonlySet<Unit> = new Set(['code', 'wiki'])

/** A key was given by who administers the repository, so nothing is asked about its owner or its visibility. */
export function decideKeyAccess(repository: AccessFacts['repository'], level: 'read' | 'write'): Access {
  const levelOn = (unit: Unit): Level =>
    UNITS_OF_GIT.has(unit) && repository.enabledUnits.has(unit) ? level : 'none'
  const units = Object.fromEntries(UNITS.map((unit) => [unit, levelOn(unit)])) as Record<Unit, Level>
  return { level, units, visible: true, archived: repository.isArchived, joinsFrom: 'write' }
}
