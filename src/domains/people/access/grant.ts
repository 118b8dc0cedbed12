/** A credential for one repository only, such as a job's token. */
import type { Access, AccessFacts } from './decide-access.ts'
import { atLeast, highest, type Level, UNITS, type Unit } from './units.ts'

declare module '#platform/context' {
  interface Actor {
    /** The bearer has these rights in this repository, and none in any other. */
    readonly grant?: Grant
  }
}

export interface Grant {
  readonly repositoryId: number
  /** Missing units are not granted. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>
}

/** The maximum level of a grant. */
const MOST: Level = 'write'

/** For the bearer every other repository is invisible, even a public one. */
export function decideGrantAccess(
  repository: AccessFacts['repository'] & { readonly id: number },
  { repositoryId, units: granted }: Grant,
): Access {
  const isGranted = repository.id === repositoryId && !repository.isQuarantined
  const levelOn = (unit: Unit): Level => {
    const level = granted[unit] ?? 'none'
    if (!isGranted || !repository.enabledUnits.has(unit)) return 'none'
    return atLeast(level, MOST) ? MOST : level
  }
  const units = Object.fromEntries(UNITS.map((unit) => [unit, levelOn(unit)])) as Record<Unit, Level>
  const level = isGranted ? highest(['read', ...Object.values(units)]) : 'none'
  return { level, units, visible: isGranted, archived: repository.isArchived, joinsFrom: 'write' }
}
