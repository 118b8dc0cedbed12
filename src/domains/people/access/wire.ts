/** Units, levels and permissions in the REST API. */
import type { Access } from './decide-access.ts'
import { may } from './may.ts'
import { LEVELS, type Level, UNITS, type Unit } from './units.ts'

/** The `permissions` of a repository. */
export interface Permission {
  admin: boolean
  push: boolean
  pull: boolean
}

export function wireUnit(unit: Unit): `repo.${Unit}` {
  return `repo.${unit}`
}

export function parseUnit(text: string): Unit | undefined {
  return UNITS.find((unit) => wireUnit(unit) === text)
}

/** Compat: an unknown level counts as `none`, not as an error. */
export function parseLevel(text: string): Level {
  return LEVELS.find((level) => level === text) ?? 'none'
}

export function presentPermission(access: Access): Permission {
  return {
    admin: may(access, 'admin'),
    push: may(access, 'write', 'code'),
    pull: may(access, 'read', 'code'),
  }
}
