/** Three nodes of the forge on a cluster of PostgreSQL, with the objects in a folder that they share. */
import { randomBytes } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig, openWorld } from '#cli'
import { issueToken } from '#domains/code/keys'
import { createUser, findAccount } from '#domains/people/users'
import { type Config, settingVariable } from '#platform/config'
import { migrate } from '#platform/migrate'
import { openPool } from '#platform/pool'
import { run } from '#testing/ssh'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type Node, startNode } from '../../src/cli/node-process.ts'

const HOST = '127.0.0.1'
const NODES = 3
const OWNER = 'smith'
/** Also the name of its role. */
const DATABASE = 'bloomery'
const PASSWORD = 'hammer'
const REQUEST_MS_MAX = 60_000
const READY_MS_MAX = 2_000
const MAIN = join(import.meta.dirname, '../../src/main.ts')

export class Forge implements AsyncDisposable {
  readonly owner = OWNER
  readonly folder: string
  readonly nodes: readonly Node[]
  readonly token: string
  private readonly shared: Partial<Config>
  private turn = 0

  private constructor(parts: {
    folder: string
    nodes: readonly Node[]
    token: string
    shared: Partial<Config>
  }) {
    this.folder = parts.folder
    this.nodes = parts.nodes
    this.token = parts.token
    this.shared = parts.shared
  }

  /** `urlOf` leads to the cluster. */
  static async open(folder: string, urlOf: (database: string) => string): Promise<Forge> {
    await using stack = new AsyncDisposableStack()
    await mkdir(folder)
    const pool = openPool({
      url: urlOf('postgres'),
      poolMax: 1,
      connectTimeoutMs: 20_000,
      statementTimeoutMs: 120_000,
    })
    await pool.query(`create role ${DATABASE} login password '${PASSWORD}'`)
    await pool.query(`create database ${DATABASE} owner ${DATABASE}`)
    await pool.end()
    const shared: Partial<Config> = {
      'http.host': HOST,
      'http.url': `http://${HOST}`,
      'database.url': asRole(urlOf(DATABASE)),
      'store.folder': join(folder, 'objects'),
      'secrets.keys': randomBytes(32).toString('hex'),
      'http.nobody_requests_max': 1_000_000,
      'log.level': 'warn',
    }
    const token = await prepare(shared, folder)
    const ports = await findFreePorts(NODES)
    const nodes: Node[] = []
    for (let i = 0; i < NODES; i++) {
      const log = await open(join(folder, `node-${i}.log`), 'a')
      const own = { 'http.port': ports + i, 'git.cache_folder': join(folder, `cache-${i}`) }
      const node = await startNode({ ...shared, ...own }, { log: log.fd })
      await log.close()
      stack.defer(() => node.stop())
      nodes.push(node)
    }
    const forge = new Forge({ folder, nodes, token, shared })
    const all = stack.move()
    forge.close = () => all.disposeAsync()
    return forge
  }

  /** Each node in turn. */
  next(): string {
    this.turn += 1
    return this.nodes[this.turn % NODES]?.url ?? ''
  }

  gitUrl(node: string, repository: string): string {
    return `${node.replace('://', `://${this.token}@`)}/${OWNER}/${repository}.git`
  }

  send(
    node: string,
    method: string,
    path: string,
    body?: object | Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    const isJson = body !== undefined && !(body instanceof Uint8Array) && !(body instanceof FormData)
    return fetch(`${node}${path}`, {
      method,
      headers: {
        authorization: `token ${this.token}`,
        ...(isJson && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && {
        body: isJson ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer> | FormData),
      }),
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    })
  }

  /** For what a test needs before it begins. */
  async make(path: string, body: object): Promise<Record<string, never>> {
    const answer = await this.send(this.next(), 'POST', `/api/v1${path}`, body)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, never>
  }

  async areReady(): Promise<boolean> {
    const answers = await Promise.all(
      this.nodes.map(({ url }) =>
        fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    return answers.every(Boolean)
  }

  /** A command of the forge, with the settings of its nodes. */
  command(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const env: Record<string, string> = { PATH: process.env.PATH ?? '' }
    const own = { 'git.cache_folder': join(this.folder, 'cache-of-commands') }
    for (const [name, value] of Object.entries({ ...this.shared, ...own }))
      env[settingVariable(name)] = String(value)
    return run(process.execPath, [MAIN, ...words], { env, cwd: this.folder })
  }

  private close: () => Promise<void> = async () => {};

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Schema, the owner of all repositories, and a token for all scopes. */
async function prepare(shared: Partial<Config>, folder: string): Promise<string> {
  const overrides = { ...shared, 'git.cache_folder': join(folder, 'cache-of-nobody') }
  const config = loadConfig({ environment: {}, overrides }).values
  const open = await openWorld(config, { listening: { host: HOST, port: 0 } })
  try {
    await migrate(open.database.pool)
    const ctx = { ...open.world, actor: null, signal: new AbortController().signal }
    await createUser(ctx, {
      username: OWNER,
      email: `${OWNER}@example.test`,
      password: randomBytes(12).toString('hex'),
      is_admin: true,
      must_change_password: false,
    })
    const owner = await findAccount(ctx.db, OWNER)
    if (owner === undefined) throw new Error('the owner was not made')
    return (await issueToken(ctx, owner, { name: 'failover', scopes: ['all'] })).token
  } finally {
    await open.close()
  }
}

function asRole(address: string): string {
  const url = new URL(address)
  url.username = DATABASE
  url.password = PASSWORD
  return url.href
}
