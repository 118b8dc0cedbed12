/** bcrypt, for password hashes that were moved in: no new ones are made. Runs in a thread, because it is slow on purpose. */
import { compareSync } from 'bcryptjs'

const HASH = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/
/** Each step doubles the time; 12 takes seconds. */
const COST_MAX = 12

export function isBcrypt(hash: string): boolean {
  const [, cost] = HASH.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= COST_MAX
}

export function verifyBcrypt(hash: string, password: string): boolean {
  return isBcrypt(hash) && compareSync(password, hash)
}
