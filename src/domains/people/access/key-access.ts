/** The access of a deploy key to its repository: git only. */
import type { Access, AccessFacts } from './decide-access.ts'
import { type Level, UNITS, type Unit } from './units.ts'

/** Units that are git repositories. */
const UNITS_OF_GIT: ReadonlySet<Unit> = new Set(['code', 'wiki'])

/** An administrator of the repository granted the key, so owner and visibility are not considered. */
export function decideKeyAccess(repository: AccessFacts['repository'], level: 'read' | 'write'): Access {
  const isShown = !repository.isQuarantined
  const levelOn = (unit: Unit): Level =>
    isShown && UNITS_OF_GIT.has(unit) && repository.enabledUnits.has(unit) ? level : 'none'
  const units = Object.fromEntries(UNITS.map((unit) => [unit, levelOn(unit)])) as Record<Unit, Level>
  return {
    level: isShown ? level : 'none',
    units,
    visible: isShown,
    archived: repository.isArchived,
    joinsFrom: 'write',
  }
}
