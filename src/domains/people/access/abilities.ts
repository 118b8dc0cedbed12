/** What somebody may do with a repository, as data: pages show by it what operations allow by the same access. */
import type { Access } from './decide-access.ts'
import { may } from './may.ts'
import { UNITS, type Unit } from './units.ts'

export interface UnitAbility {
  readonly read: boolean
  /** To comment, react, and open issues and pull requests. */
  readonly join: boolean
  readonly write: boolean
}

export type Abilities = Readonly<Record<Unit, UnitAbility>> & {
  /** To change its settings. They change while it is archived, too. */
  readonly admin: boolean
  /** To give it away, delete it, and keep its secrets. */
  readonly own: boolean
  /** To star and watch it. */
  readonly star: boolean
  readonly fork: boolean
}

export interface AbilityFacts {
  readonly isSignedIn: boolean
  /** Its owner has blocked the caller. */
  readonly isBlocked: boolean
  /** Git is written by its source alone: code and wiki. */
  readonly isMirror: boolean
}

export function abilitiesOf(access: Access, { isSignedIn, isBlocked, isMirror }: AbilityFacts): Abilities {
  const admin = isSignedIn && may(access, 'admin')
  const isOpen = isSignedIn && !access.archived
  const one = (unit: Unit): UnitAbility => ({
    read: may(access, 'read', unit),
    join: isOpen && may(access, 'join', unit) && (!isBlocked || admin),
    write: isOpen && may(access, 'write', unit) && !(isMirror && isGit(unit)),
  })
  const units = Object.fromEntries(UNITS.map((unit) => [unit, one(unit)])) as Record<Unit, UnitAbility>
  const star = isSignedIn && !isBlocked
  return {
    ...units,
    admin,
    own: isSignedIn && may(access, 'own'),
    star,
    fork: star && units.code.read,
  }
}

function isGit(unit: Unit): boolean {
  return unit === 'code' || unit === 'wiki'
}
