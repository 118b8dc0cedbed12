/** Checks on a decided access. */
import type { Access } from './decide-access.ts'
import { atLeast, type Unit } from './units.ts'

/** `join`: comment, react, and open issues and pull requests. */
export type UnitAction = 'read' | 'write' | 'join'
/** `see`: that it exists; `admin`: change its settings; `own`: transfer or delete it. */
export type RepositoryAction = 'see' | 'admin' | 'own'
export type Action = UnitAction | RepositoryAction

export function may(access: Access, action: UnitAction, unit: Unit): boolean
export function may(access: Access, action: RepositoryAction): boolean
export function may(access: Access, action: Action, unit?: Unit): boolean {
  const isPermitted = decide(access, action, unit)
  if (isPermitted) access.permitted?.(unit, LEVELS[action])
  return isPermitted
}

/** The level that a token needs for an action: to comment or react takes write. */
const LEVELS: Readonly<Record<Action, 'read' | 'write' | 'admin'>> = {
  read: 'read',
  see: 'read',
  write: 'write',
  join: 'write',
  admin: 'admin',
  own: 'admin',
}

function decide(access: Access, action: Action, unit: Unit | undefined): boolean {
  switch (action) {
    case 'see':
      return access.visible
    case 'admin':
      return atLeast(access.level, 'admin')
    case 'own':
      return atLeast(access.level, 'owner')
    case 'join':
      if (unit === undefined || access.joins?.has(unit) === false) return false
      return atLeast(access.units[unit], access.joinsFrom)
    default:
      return unit !== undefined && atLeast(access.units[unit], action)
  }
}
