/** A credential that was granted one repository and nothing else, such as the token of a job. */
import type { Access, AccessFacts } from './decide-access.ts'
import { atLeast, highest, type Level, UNITS, type Unit } from './units.ts'

declare module '#platform/context' {
  interface Actor {
    /** Whoever bears it is what it says in this repository, and nobody in every other. */
    readonly grant?: Grant
  }
}

export interface Grant {
  readonly repositoryId: number
  /** What is not named is not granted. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>
}

/** More than writing is in no grant, whatever it says. */
const MOST: Level = 'write'

/** Every other repository does not exist for the bearer, though everybody else may see it. */
export function decideGrantAccess(
  repository: AccessFacts['repository'] & { readonly id: number },
  { repositoryId, units: granted }: Grant,
): Access {
  const isGranted = repository.id === repositoryId
  const levelOn = (unit: Unit): Level => {
    const level = granted[unit] ?? 'none'
    if (!isGranted || !repository.enabledUnits.has(unit)) return 'none'
    return atLeast(level, MOST) ? MOST : level
  }
  const units = Object.fromEntries(UNITS.map((unit) => [unit, levelOn(unit)])) as Record<Unit, Level>
  const level = isGranted ? highest(['read', ...Object.values(units)]) : 'none'
  return { level, units, visible: isGranted, archived: repository.isArchived, joinsFrom: 'write' }
}
