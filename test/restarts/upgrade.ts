/**
 * `npm run prove:upgrade -- FOLDER`: three nodes of an older checkout serve behind HAProxy and nginx, `bloomery migrate`
 * of this checkout runs, and its nodes replace theirs one by one. Then the older nodes come back, as after a rollback, and
 * are replaced again. Users push, clone, call the API and open pages all the time: no request fails.
 *
 * FOLDER is a checkout after `npm ci`; no migration since then may need a stop (`migrations/README.md`).
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Config, settingVariable } from '#platform/config'
import { openPool } from '#platform/pool'
import { run } from '#testing/ssh'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type Node, startNode } from '../../src/cli/node-process.ts'
import { type OwnPostgres, startPostgres } from '../../src/cli/postgres.ts'
import { ensureLoginUser, isRoot } from '../../src/ssh/login-user.ts'
import { type Counts, type Place, workAll } from './load.ts'
import { LOGIN_USER, nodeSettings, sshCommandWith } from './nodes.ts'
import { type NodePorts, startProxies } from './proxies.ts'

const FOLDER = process.argv[2] ?? ''
const MAIN = 'src/main.ts'
const NEW = join(import.meta.dirname, '../..', MAIN)
const OLD = resolve(FOLDER, MAIN)
const NODES = 3
const USERS = 4
const DATABASE = 'bloomery'
const PASSWORD = 'hammer and tongs'
/** Proxies send requests to a new node before the next one stops. */
const NOTICED_MS = 2_000

test('nodes of two releases serve one database, and no request fails', async (t) => {
  assert.notEqual(FOLDER, '', 'name the folder of an older checkout')
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-upgrade-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  if (isRoot()) await ensureLoginUser(LOGIN_USER)
  const server = await startPostgres({ folder: join(folder, 'postgres'), isDurable: true })
  stack.defer(() => server.stop())
  await ask(server, `create database ${DATABASE}`)

  const first = await findFreePorts(2 * NODES)
  const ports = Array.from({ length: NODES }, (_, i) => ({ http: first + i, ssh: first + NODES + i }))
  const shared = {
    'database.url': server.url(DATABASE),
    'store.folder': join(folder, 'objects'),
    'secrets.keys': randomBytes(32).toString('hex'),
  }
  const settings = ports.map((own, i) => nodeSettings(shared, folder, own, i))
  await bloomery(OLD, shared, 'migrate')
  const nodes = new RunningNodes(settings)
  stack.defer(() => nodes.stop())
  await nodes.replaceAll(OLD)
  const counts = await underLoad({ folder, shared, ports }, async () => {
    t.diagnostic(await bloomery(NEW, shared, 'migrate'))
    for (const main of [NEW, OLD, NEW]) await nodes.replaceAll(main)
  })

  for (const [what, { requests, failures }] of counts)
    t.diagnostic(`${what}: ${requests} requests, ${failures.length} failures`)
  assert.equal(counts.size, 7, 'every kind of request was sent')
  const failures = [...counts.values()].flatMap((it) => it.failures)
  assert.deepEqual(failures.slice(0, 10), [], `${failures.length} failures`)
  assert.doesNotMatch(await bloomery(NEW, { ...settings[0] }, 'doctor'), /^error/m)
  assert.doesNotMatch(await bloomery(NEW, shared, 'doctor', 'repository', '--all'), /^error/m)
})

class RunningNodes {
  private readonly settings: readonly Partial<Config>[]
  private readonly nodes: Node[] = []

  constructor(settings: readonly Partial<Config>[]) {
    this.settings = settings
  }

  /** One by one. */
  async replaceAll(main: string): Promise<void> {
    for (const [at, settings] of this.settings.entries()) {
      await this.nodes[at]?.stop()
      this.nodes[at] = await startNode(settings, { main })
      await sleep(NOTICED_MS)
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
  }
}

interface Upgraded {
  readonly folder: string
  readonly shared: Partial<Config>
  readonly ports: readonly NodePorts[]
}

async function underLoad({ folder, shared, ports }: Upgraded, work: () => Promise<void>): Promise<Counts> {
  await using proxies = await startProxies(folder, ports)
  const counts: Counts = new Map()
  const places: Place[] = []
  for (let i = 0; i < USERS * proxies.urls.length; i++) {
    const login = `person-${i}`
    const user = ['create', '--username', login, '--email', `${login}@forge.test`, '--password', PASSWORD]
    await bloomery(OLD, shared, 'admin', 'user', ...user)
    const url = proxies.urls[i % proxies.urls.length] ?? ''
    places.push(await settle(folder, { login, url, sshPort: proxies.sshPort }))
  }
  const over = new AbortController()
  const working = Promise.all(places.map((place) => workAll(place, counts, over.signal)))
  try {
    await work()
  } finally {
    over.abort()
    await working
  }
  return counts
}

/** A token, a key and a repository, by REST. */
async function settle(
  folder: string,
  { login, url, sshPort }: { login: string; url: string; sshPort: number },
): Promise<Place> {
  const file = join(folder, login)
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const made = { name: 'load', scopes: ['all'] }
  const { sha1 } = await call<{ sha1: string }>({ url, login }, `/users/${login}/tokens`, made)
  await call({ url, login }, '/user/keys', { title: login, key: await readFile(`${file}.pub`, 'utf8') })
  await call({ url, login }, '/user/repos', { name: 'site', auto_init: true, default_branch: 'main' })
  return {
    url,
    sshUrl: `ssh://${LOGIN_USER}@127.0.0.1:${sshPort}/${login}/site.git`,
    login,
    token: sha1,
    folder: await mkdtemp(join(folder, 'work-')),
    sshCommand: sshCommandWith(file),
  }
}

async function call<T>(
  { url, login }: { url: string; login: string },
  path: string,
  body: object,
): Promise<T> {
  const authorization = `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString('base64')}`
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.equal(answer.status, 201, `${path}: ${text}`)
  return JSON.parse(text) as T
}

async function bloomery(main: string, settings: Partial<Config>, ...args: string[]): Promise<string> {
  const own = Object.entries(settings).map(([name, value]) => [settingVariable(name), String(value)])
  const env = { ...process.env, ...Object.fromEntries(own), BLOOMERY_OPERATIONS_PORT: '0' }
  return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout
}

async function ask(server: OwnPostgres, sql: string): Promise<void> {
  const pool = openPool({
    url: server.url('postgres'),
    poolMax: 1,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  })
  await pool.query(sql).finally(() => pool.end())
}
