/**
 * `bloomery try`: a complete forge to try out, in one command without configuration.
 *
 * It starts its own PostgreSQL from the installed binaries, a store, and one or more nodes exactly as `serve` would run
 * them, prints one line of JSON, and stops all of them on a signal.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { createUser, findAccount } from '#domains/people/users'
import { type Config, type SettingName, settingVariable } from '#platform/config'
import { migrate } from '#platform/migrate'
import { must } from '#platform/must'
import { openPool } from '#platform/pool'
import { ensureLoginUser } from '#ssh'
import { openCommandLog } from '../command-log.ts'
import { demoLogins, hasDemo, type Login, seedDemo } from '../demo/demo.ts'
import type { ForgeAddress } from '../demo/forge.ts'
import { findFreePorts } from '../free-ports.ts'
import { loadConfig } from '../load-config.ts'
import { type Node, startNode } from '../node-process.ts'
import { openWorld } from '../open-world.ts'
import { type OwnPostgres, startPostgres } from '../postgres.ts'
import { startS3Server } from '../s3-server.ts'
import { say, tell } from '../say.ts'
import { sshRefusal } from '../ssh-refusal.ts'

export interface TryOptions {
  readonly port: number
  readonly sshPort?: number
  readonly nodes: number
  readonly store: 'disk' | 's3'
  readonly data?: string
  /** Whether it has people, code, issues, pull requests, runs and packages when it is ready. */
  readonly demo: boolean
  readonly logLevel: Config['log.level']
  /** Folder of PostgreSQL's programs. */
  readonly postgres?: string
  /** `name=value`, as in the configuration. */
  readonly set: readonly string[]
}

const ADMIN = 'admin'
const PASSWORD = 'admin1234'
const DATABASE = 'bloomery'
const HOST = '127.0.0.1'
const GIT_USER = 'git'

export async function tryForge(options: TryOptions): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  const end = endOnce(stops)
  process.on('SIGINT', () => end.begin(0))
  process.on('SIGTERM', () => end.begin(0))
  try {
    const sshPort = await findSshPort(options)
    const nodes = await start({ ...options, sshPort }, stops)
    const logins = options.demo ? await makeDemo(addressOf(nodes), stops) : undefined
    tell(welcome(nodes, options))
    say(JSON.stringify({ ...readyLine(nodes, sshPort), ...(logins && { logins }) }))
    // A node that dies is reported; the others continue, as in production.
    for (const node of nodes) {
      const tellEnd = () => end.isEnding() || tell(`node on ${node.url} has ended`)
      node.ended.then(tellEnd, tellEnd)
    }
  } catch (error) {
    tell((error as Error).message)
    end.begin(1)
  }
}

/** 0 when there is no SSH. */
async function findSshPort({ sshPort, nodes }: TryOptions): Promise<number> {
  if (sshPort !== undefined) return sshPort
  const refusal = await sshRefusal()
  if (refusal === undefined) return findFreePorts(nodes)
  tell(`SSH is off: ${refusal}`)
  return 0
}

async function start(
  options: TryOptions & { readonly sshPort: number },
  stops: (() => Promise<unknown>)[],
): Promise<Node[]> {
  const given = readSettings(options.set)
  const folder = await openFolder(options.data, stops)
  tell('starting PostgreSQL; the first start in a folder also creates its files …')
  const postgres = await startPostgres({
    folder: await makeFolder(join(folder, 'postgres')),
    isDurable: options.data !== undefined,
    ...(options.postgres === undefined ? {} : { bin: options.postgres }),
  })
  stops.unshift(() => postgres.stop())
  const settings: Partial<Config> = {
    'http.host': HOST,
    'database.url': postgres.url(DATABASE),
    'secrets.keys': readKey(folder),
    'ssh.user': await findSshUser(options.sshPort),
    'password.length_min': 6,
    'outbound.allow_private': true,
    'log.level': options.logLevel,
    ...(await openStore(options, folder, stops)),
    ...given,
  }
  await prepare(postgres, { ...settings, 'git.cache_folder': join(folder, 'cache-0') })
  tell(`starting ${options.nodes === 1 ? 'the node' : `${options.nodes} nodes`} …`)
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, (_, i) =>
      startNode({
        ...settings,
        'http.port': options.port + i,
        ...(given['operations.port'] && { 'operations.port': given['operations.port'] + i }),
        // Each node has its own cache and SSH server, as on its own machine.
        'git.cache_folder': join(folder, `cache-${i}`),
        ...sshSettings(folder, options.sshPort, i),
      }),
    ),
  )
  stops.unshift(() => Promise.all(nodes.map((node) => node.stop())))
  return nodes
}

/** Parsed as a node would, so that a mistake is reported before anything is started. */
function readSettings(set: readonly string[]): Partial<Config> {
  const pairs = set.map((it) => {
    const [name = '', ...value] = it.split('=')
    return [name, value.join('=')] as const
  })
  const environment = Object.fromEntries(pairs.map(([name, value]) => [settingVariable(name), value]))
  const { values } = loadConfig({ environment })
  return Object.fromEntries(pairs.map(([name]) => [name, values[name as SettingName]]))
}

/** Clients sign in as `git`, a user created if missing; without root only as the user that runs this. */
async function findSshUser(port: number): Promise<string> {
  const { uid, username } = userInfo()
  if (uid !== 0) return username
  if (port !== 0 && (await ensureLoginUser(GIT_USER))) tell(`created system user ${GIT_USER}`)
  return GIT_USER
}

function sshSettings(folder: string, sshPort: number, i: number): Partial<Config> {
  if (sshPort === 0) return { 'ssh.port': 0, 'ssh.listen_port': 0 }
  const port = sshPort + i
  return { 'ssh.port': port, 'ssh.listen_port': port, 'ssh.folder': join(folder, `ssh-${i}`) }
}

async function openFolder(data: string | undefined, stops: (() => Promise<unknown>)[]): Promise<string> {
  if (data !== undefined) return makeFolder(resolve(data))
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-try-'))
  // PostgreSQL runs as its own user, which must be able to traverse to its folder.
  await chmod(folder, 0o711)
  stops.unshift(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true })
  return path
}

/** The key is kept with the data, so that secrets can be decrypted at the next start. */
function readKey(folder: string): string {
  const file = join(folder, 'secrets.key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

async function openStore(
  options: TryOptions,
  folder: string,
  stops: (() => Promise<unknown>)[],
): Promise<Partial<Config>> {
  const objects = await makeFolder(join(folder, 'objects'))
  if (options.store === 'disk') return { 'store.driver': 'disk', 'store.folder': objects }
  tell('starting the S3 server …')
  const server = await startS3Server({ folder: objects })
  stops.unshift(() => server.stop())
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server.store
  return {
    'store.driver': 's3',
    'store.endpoint': endpoint,
    'store.bucket': bucket,
    'store.access_key_id': accessKeyId,
    'store.secret_access_key': secretAccessKey,
  }
}

/** Database, schema and administrator; existing ones stay. */
async function prepare(postgres: OwnPostgres, settings: Partial<Config>): Promise<void> {
  tell('preparing the database …')
  const timeouts = { poolMax: 2, connectTimeoutMs: 20_000, statementTimeoutMs: 120_000 }
  const server = openPool({ url: postgres.url('postgres'), ...timeouts })
  const found = await server.query('select 1 from pg_database where datname = $1', [DATABASE])
  if (found.rowCount === 0) await server.query(`create database ${DATABASE}`)
  await server.end()
  const config = loadConfig({ environment: {}, overrides: settings }).values
  const open = await openWorld(config, { listening: { host: HOST, port: 0 }, log: openCommandLog(config) })
  try {
    await migrate(open.database.pool)
    const ctx = { ...open.world, actor: null, signal: new AbortController().signal }
    if ((await findAccount(ctx.db, ADMIN)) === undefined)
      await createUser(ctx, {
        username: ADMIN,
        email: `${ADMIN}@example.test`,
        password: PASSWORD,
        is_admin: true,
        must_change_password: false,
        isReservedAllowed: true,
      })
  } finally {
    await open.close()
  }
}

/** Existing data stays; a demo that is interrupted removes its work trees before this process ends. */
async function makeDemo(address: ForgeAddress, stops: (() => Promise<unknown>)[]): Promise<Login[]> {
  if (await hasDemo(address)) tell('the demo data exists already')
  else {
    tell('creating the demo data …')
    const made = seedDemo(address)
    stops.push(() => Promise.allSettled([made]))
    await made
  }
  return demoLogins(address)
}

function addressOf(nodes: readonly Node[]): ForgeAddress {
  return { url: must(nodes[0], 'a forge has a node').url, admin: ADMIN, password: PASSWORD }
}

function welcome(nodes: readonly Node[], { data }: TryOptions): string {
  const { url, admin, password } = addressOf(nodes)
  const end =
    data === undefined ? 'stops the forge and deletes its data' : `stops the forge; ${data} keeps its data`
  return `open ${url} and sign in as ${admin} with the password ${password}; Ctrl-C ${end}`
}

function readyLine(nodes: readonly Node[], sshPort: number) {
  const portOf = (i: number) => (sshPort === 0 ? null : sshPort + i)
  const several = nodes.map(({ url, pid }, i) => ({ url, pid, ssh_port: portOf(i) }))
  return {
    ready: true,
    ...addressOf(nodes),
    ssh_port: portOf(0),
    pid: process.pid,
    ...(nodes.length > 1 ? { nodes: several } : {}),
  }
}

interface End {
  begin(code: number): void
  isEnding(): boolean
}

/** Stops everything in reverse order, once; a second signal is ignored. */
function endOnce(stops: (() => Promise<unknown>)[]): End {
  let isEnding = false
  const all = async () => {
    for (const stop of stops) await stop()
  }
  return {
    isEnding: () => isEnding,
    begin(code) {
      if (isEnding) return
      isEnding = true
      tell('stopping …')
      all().then(
        () => process.exit(code),
        (error: Error) => {
          tell(error.message)
          process.exit(1)
        },
      )
    },
  }
}
