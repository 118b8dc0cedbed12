/** Access to a unit that everybody has, or everybody who is signed in. It has no place here, so it is only counted. */
import { type Carry, carry, Left } from '../carry/carry.ts'

const step = (column: string, least: number, reason: string): Carry =>
  carry({
    name: `repo_unit.${column} → repository`,
    from: `select * from repo_unit where ${column} >= ${least}`,
    needs: [`repo_unit.${column}`],
    into: 'repository',
    rows: () => new Left(reason),
  })

const SIGNED_IN = 'people who are signed in have no access of their own to a unit here'

export const unitAccess = [
  step('everyone_access_mode', 1, SIGNED_IN),
  step('anonymous_access_mode', 1, 'people who are not signed in have no access of their own to a unit here'),
  // Of Forgejo: 1 gives nothing.
  step('default_permissions', 2, SIGNED_IN),
]
