/** Dumps and restores the database by the programs of PostgreSQL. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath } from '#platform/config'
import { OperatorError } from '#platform/operator-error'
import { findBinaries } from '../postgres.ts'

const run = promisify(execFile)

export async function dumpDatabase(url: string, file: string): Promise<void> {
  await runProgram('pg_dump', url, ['--format=custom', `--file=${file}`])
}

/** All or nothing. */
export async function restoreDatabase(url: string, file: string): Promise<void> {
  await runProgram('pg_restore', url, ['--single-transaction', '--exit-on-error', '--no-owner', file])
}

async function runProgram(name: string, url: string, args: readonly string[]): Promise<void> {
  const { address, password } = splitPassword(url)
  const bin = await findBinaries().catch(() => undefined)
  const path = bin !== undefined && existsSync(join(bin, name)) ? join(bin, name) : name
  try {
    await run(path, [`--dbname=${address}`, '--no-password', ...args], {
      env: { ...searchPath(), ...(password !== '' && { PGPASSWORD: password }) },
    })
  } catch (error) {
    const { stderr, code } = error as { stderr?: string; code?: string }
    if (code === 'ENOENT')
      throw new OperatorError(`${name} is not installed; on Debian: apt-get install postgresql-client`)
    throw new OperatorError(`${name} failed: ${stderr?.trim()}`)
  }
}

/**
 * Other users of the machine can read the arguments of a process, but not its environment. An address without a host,
 * which names a socket, is no URL for Node.
 */
function splitPassword(address: string): { address: string; password: string } {
  const [, user = '', password, rest = ''] = /^(\w+:\/\/[^/?#:@]*):([^/?#]*)(@.*)$/.exec(address) ?? []
  return password === undefined
    ? { address, password: '' }
    : { address: user + rest, password: decodeURIComponent(password) }
}
