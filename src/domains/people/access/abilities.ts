/** A caller's abilities on a repository as data, from the same access that operations check, for the web UI. */
import type { Access } from './decide-access.ts'
import { may } from './may.ts'
import { UNITS, type Unit } from './units.ts'

export interface UnitAbility {
  readonly read: boolean
  /** Comment, react, and open issues and pull requests. */
  readonly join: boolean
  readonly write: boolean
}

export type Abilities = Readonly<Record<Unit, UnitAbility>> & {
  /** Change its settings, even while it is archived. */
  readonly admin: boolean
  /** Transfer it, delete it, and manage its secrets. */
  readonly own: boolean
  /** Star and watch it. */
  readonly star: boolean
  readonly fork: boolean
}

export interface AbilityFacts {
  readonly isSignedIn: boolean
  /** The repository's owner has blocked the caller. */
  readonly isBlocked: boolean
  /** Only the mirror sync writes to code and wiki. */
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
