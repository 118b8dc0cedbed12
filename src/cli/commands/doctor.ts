/** `bloomery doctor`: checks everything the forge depends on, and reports faults with their remedies. */

import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { assertServer, isMailOn } from '#domains/instance/mail'
import { kindsOf } from '#jobs'
import { probeBus } from '#platform/bus'
import { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { checkIdentity } from '#platform/identity'
import { openLog } from '#platform/log'
import { schemaRefusal } from '#platform/migrate'
import { openObjectStore, probeObjectStore } from '#platform/object-store'
import { openPool } from '#platform/pool'
import { readQueue } from '#platform/queue'
import { siteOf } from '#platform/site'
import { getLoginUser, SSHD } from '#ssh'
import { slices, workOf } from '../forge.ts'
import { loadConfig } from '../load-config.ts'
import { askTime, databaseOptions } from '../open-database.ts'
import { sealOf, storeOptions } from '../open-world.ts'
import { say } from '../say.ts'

const run = promisify(execFile)

interface Check {
  readonly name: string
  /** Returns what is fine; throws an error that names the fault and its remedy. */
  readonly look: (config: Config) => Promise<string>
}

const GIT_LEAST = [2, 39] as const
const POSTGRES_LEAST = 15
const FREE_BYTES_LEAST = 1_073_741_824
const OLDEST_JOB_MS_MAX = 60_000

const CHECKS: readonly Check[] = [
  { name: 'database', look: lookAtDatabase },
  { name: 'clock', look: lookAtClock },
  { name: 'store', look: lookAtStore },
  { name: 'git', look: lookAtGit },
  { name: 'sshd', look: lookAtSshd },
  { name: 'disk', look: lookAtDisk },
  { name: 'secrets', look: lookAtSecrets },
  { name: 'identity', look: lookAtIdentity },
  { name: 'mail', look: lookAtMail },
  { name: 'bus', look: lookAtBus },
  { name: 'queue', look: lookAtQueue },
]

export async function doctor(file: string | undefined): Promise<void> {
  const config = loadConfig(file === undefined ? {} : { file }).values
  for (const { name, look } of CHECKS) {
    try {
      say(`ok      ${name}: ${await look(config)}`)
    } catch (error) {
      process.exitCode = 1
      say(`error   ${name}: ${(error as Error).message}`)
    }
  }
}

async function lookAtDatabase(config: Config): Promise<string> {
  return onDatabase(config, async (pool) => {
    const { rows } = await pool.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    const version = rows[0]?.version ?? ''
    if (Number.parseInt(version, 10) < POSTGRES_LEAST)
      throw new Error(`PostgreSQL ${version} is too old; ${POSTGRES_LEAST} or newer is needed`)
    const refusal = await schemaRefusal(pool)
    if (refusal !== undefined) throw new Error(refusal)
    return `PostgreSQL ${version}, schema is up to date`
  })
}

/** Token expiry and schedules need clocks that agree. */
async function lookAtClock(config: Config): Promise<string> {
  return onDatabase(config, async (pool) => {
    const clock = new Clock({ ask: () => askTime(pool), log: openLog('silent') })
    await clock.read()
    const refusal = clock.refusal()
    if (refusal !== undefined) throw new Error(refusal)
    return `within ${Math.abs(clock.skewMs())} ms of the database`
  })
}

async function lookAtStore(config: Config): Promise<string> {
  const store = await openObjectStore(storeOptions(config))
  try {
    await probeObjectStore(store)
    return `${store.driver}, all checks passed`
  } finally {
    await store.close()
  }
}

/** Waiting jobs mean that no worker runs, or that workers cannot keep up. */
async function lookAtQueue(config: Config): Promise<string> {
  return onDatabase(config, async (pool) => {
    const queue = await readQueue(openDb(pool))
    const sum = (state: 'waiting' | 'dead') => queue.reduce((sum, it) => sum + it[state], 0)
    const known = kindsOf(config, workOf(slices))
    const strange = queue.filter(({ kind, waiting, later }) => !known.has(kind) && waiting + later > 0)
    if (strange.length > 0)
      throw new Error(
        `jobs of kinds that this version does not know wait (${strange.map(({ kind }) => kind).join(', ')}); start a worker of the version that added them`,
      )
    const slowest = queue.toSorted((one, other) => other.oldest_ms - one.oldest_ms)[0]
    if (slowest !== undefined && slowest.oldest_ms > OLDEST_JOB_MS_MAX)
      throw new Error(
        `${slowest.waiting} jobs of kind ${slowest.kind} wait, the oldest for ${Math.round(slowest.oldest_ms / 1000)} s; start a worker, or more of them`,
      )
    if (sum('dead') > 0)
      throw new Error(
        `${sum('dead')} jobs failed for good; see \`bloomery jobs dead\`, then \`bloomery jobs requeue\``,
      )
    return `${sum('waiting')} jobs wait`
  })
}

async function lookAtGit(): Promise<string> {
  const { stdout } = await run('git', ['--version']).catch(() => {
    throw new Error('is not installed; on Debian: apt-get install git')
  })
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? []).map(Number)
  const [leastMajor, leastMinor] = GIT_LEAST
  if (major < leastMajor || (major === leastMajor && minor < leastMinor))
    throw new Error(`${stdout.trim()} is too old; ${GIT_LEAST.join('.')} or newer is needed`)
  await run('perl', ['-v']).catch(() => {
    throw new Error('is started by perl, which is not installed; on Debian: apt-get install perl')
  })
  return stdout.trim()
}

async function lookAtSshd(config: Config): Promise<string> {
  const { stderr } = await run(SSHD, ['-V']).catch((error: { code?: string; stderr?: string }) => {
    if (error.code === 'ENOENT')
      throw new Error('is not installed; on Debian: apt-get install openssh-server')
    // Older versions do not know this flag, but print their version while refusing it.
    return { stderr: error.stderr ?? '' }
  })
  const version = /OpenSSH_[\w.]+/.exec(stderr)?.[0] ?? 'installed'
  if (config['ssh.listen_port'] === 0) return version
  const { name } = await getLoginUser(config['ssh.user'])
  return `${version}, users connect as ${name}`
}

async function lookAtDisk(config: Config): Promise<string> {
  const folder = config['store.driver'] === 'disk' ? config['store.folder'] : '.'
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const shown = `${Math.round(free / 1_048_576)} MiB free`
  if (free < FREE_BYTES_LEAST) throw new Error(`only ${shown} in ${folder}; make room`)
  return shown
}

async function lookAtSecrets(config: Config): Promise<string> {
  const keys = config['secrets.keys'].split(',').filter((key) => key !== '')
  if (keys.length === 0)
    throw new Error('secrets.keys is not set; make one with `openssl rand -hex 32` and keep it safe')
  return `${keys.length} key${keys.length === 1 ? '' : 's'}`
}

/** Another store would split the data of the forge, and other keys open none of its secrets. */
async function lookAtIdentity(config: Config): Promise<string> {
  const store = await openObjectStore(storeOptions(config))
  try {
    const found = await onDatabase(config, (pool) =>
      checkIdentity({ db: openDb(pool), store, seal: sealOf(config) }),
    )
    return found === undefined ? 'no node has served yet' : `store ${found.store_id}, keys fit`
  } finally {
    await store.close()
  }
}

async function lookAtMail(config: Config): Promise<string> {
  if (!isMailOn(config)) return 'off; set mail.host to send any'
  const listening = { host: config['http.host'], port: config['http.port'] }
  const server = `${config['mail.host']}:${config['mail.port']}`
  await assertServer({ config, site: siteOf(config, listening) }).catch((error: Error) => {
    throw new Error(`${server} cannot be used: ${error.message}; look at the settings mail.*`)
  })
  return `${server} answers${config['mail.user'] === '' ? '' : ` and knows ${config['mail.user']}`}`
}

/** Nodes work without it, but notice each other's changes only by polling. */
async function lookAtBus(config: Config): Promise<string> {
  const url = config['bus.nats_url']
  if (url === '') return 'off; set bus.nats_url where there are several nodes'
  const server = await probeBus(url).catch((error: Error) => {
    throw new Error(`NATS cannot be reached: ${error.message}; hints between nodes are late until it can`)
  })
  return `${server} answers`
}

async function onDatabase<T>(
  config: Config,
  look: (pool: ReturnType<typeof openPool>) => Promise<T>,
): Promise<T> {
  const pool = openPool({ ...databaseOptions(config, openLog('silent')), poolMax: 1 })
  try {
    return await look(pool)
  } finally {
    await pool.end()
  }
}
