/**
 * A forge to break: one PostgreSQL, one S3 server, three nodes, a proxy on every connection between them, and a webhook
 * receiver.
 */

import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { loadConfig, openWorld, startPostgres } from '#cli'
import { issueToken } from '#domains/code/keys'
import { createUser, findAccount } from '#domains/people/users'
import type { StorageId } from '#git'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { migrate } from '#platform/migrate'
import { openPool, type Pool } from '#platform/pool'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { startS3Server } from '../../src/cli/s3-server.ts'
import { ChaosNode } from './chaos-node.ts'
import type { Dice } from './dice.ts'
import { PostgresProxy, PUSH } from './postgres-proxy.ts'
import { Receiver } from './receiver.ts'
import { StoreProxy } from './store-proxy.ts'

export interface ChaosRepository {
  readonly id: number
  readonly storageId: StorageId
  readonly path: string
}

const HOST = '127.0.0.1'
const DATABASE = 'bloomery'
const OWNER = 'smith'
const NODES = 3
const UP_MS_MAX = 120_000
/** Jobs of killed nodes are freed soon, because many nodes are killed. */
const DEAD_AFTER_MS = 5_000
const SETTLED_MS_MAX = 100_000
/** A little longer than `database.lock_timeout_ms`. */
const IN_LINE_MS_MAX = 11_000
const HOOK_EVENTS = ['push', 'create', 'delete']

export class ChaosForge implements AsyncDisposable {
  readonly nodes: readonly ChaosNode[]
  readonly folder: string
  /** Direct access to PostgreSQL, not through a proxy. */
  readonly db: Db
  /** An anonymous context without faults. */
  readonly ctx: Context
  /** Every repository has a webhook that reports every ref to it. */
  readonly receiver: Receiver
  private readonly token: string
  private readonly stack: AsyncDisposableStack

  private constructor(parts: {
    nodes: readonly ChaosNode[]
    folder: string
    db: Db
    ctx: Context
    receiver: Receiver
    token: string
    stack: AsyncDisposableStack
  }) {
    this.nodes = parts.nodes
    this.folder = parts.folder
    this.db = parts.db
    this.ctx = parts.ctx
    this.receiver = parts.receiver
    this.token = parts.token
    this.stack = parts.stack
  }

  static async open(dice: Dice, more: Partial<Config> = {}): Promise<ChaosForge> {
    await using stack = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'bloomery-chaos-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL runs as its own user, which must be able to traverse to its folder.
    await chmod(folder, 0o711)
    await mkdir(join(folder, 'postgres'))
    const postgres = await startPostgres({
      folder: join(folder, 'postgres'),
      isDurable: false,
      mayHaveStandby: true,
    })
    stack.defer(() => postgres.stop())
    const s3 = await startS3Server({ folder: join(folder, 'objects') })
    stack.defer(() => s3.stop())
    const settings: Partial<Config> = {
      'http.host': HOST,
      'secrets.keys': randomBytes(32).toString('hex'),
      'store.driver': 's3',
      'store.bucket': s3.store.bucket,
      'store.access_key_id': s3.store.accessKeyId,
      'store.secret_access_key': s3.store.secretAccessKey,
      'store.timeout_ms': 5_000,
      'jobs.dead_after_ms': DEAD_AFTER_MS,
      'outbound.allow_private': true,
      'log.level': (process.env.CHAOS_LOG ?? 'silent') as Config['log.level'],
      ...more,
    }
    const direct = { 'database.url': postgres.url(DATABASE), 'store.endpoint': s3.store.endpoint }
    const cache = { 'git.cache_folder': join(folder, 'cache-of-nobody') }
    await createDatabase(postgres.url('postgres'))
    const config = loadConfig({ environment: {}, overrides: { ...settings, ...direct, ...cache } }).values
    const open = await openWorld(config, { listening: { host: HOST, port: 0 } })
    stack.defer(() => open.close())
    const ctx: Context = { ...open.world, actor: null, signal: new AbortController().signal }
    const token = await prepare(ctx, open.database.pool)
    const socket = join(folder, 'postgres/run/.s.PGSQL.5432')
    const nodes: ChaosNode[] = []
    for (let i = 0; i < NODES; i++) {
      const ways = {
        postgres: stack.use(await PostgresProxy.open(socket)),
        store: stack.use(await StoreProxy.open(s3.store.endpoint)),
      }
      const own: Partial<Config> = {
        'http.port': await findFreePorts(),
        'database.url': `postgres://postgres@${HOST}:${ways.postgres.port}/${DATABASE}`,
        'store.endpoint': ways.store.endpoint,
        'git.cache_folder': join(folder, `cache-${i}`),
      }
      const node = new ChaosNode({ ...settings, ...own }, ways)
      nodes.push(node)
      stack.defer(() => node.stop())
    }
    await Promise.all(nodes.map((node) => node.start()))
    const { db } = open.world
    return new ChaosForge({
      nodes,
      folder,
      db,
      ctx,
      receiver: stack.use(await Receiver.open(dice)),
      token,
      stack: stack.move(),
    })
  }

  get live(): ChaosNode[] {
    return this.nodes.filter((node) => node.isUp)
  }

  /** A live node, different from `butNot` if possible; waits for one when all are down. */
  async pickNode(dice: Dice, butNot?: ChaosNode): Promise<ChaosNode> {
    for (let waited = 0; waited < UP_MS_MAX; waited += 100) {
      const others = this.live.filter((node) => node !== butNot)
      if (others.length > 0) return dice.pick(others)
      if (this.live.length > 0 && waited > 1_000) return dice.pick(this.live)
      await sleep(100)
    }
    throw new Error('no node came up')
  }

  /** Removes all faults, and starts every node. */
  async calm(): Promise<void> {
    for (const { postgres, store } of this.nodes) {
      postgres.isCut = false
      store.become('fair')
      postgres.traps.disarm()
      postgres.watched = PUSH
      store.traps.disarm()
    }
    await Promise.all(this.nodes.map((node) => node.start()))
  }

  call(node: ChaosNode, method: string, path: string, body?: object): Promise<Response> {
    return this.send(node, `/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Sends any request as the owner of all repositories, such as package uploads and forms. */
  send(node: ChaosNode, path: string, init: RequestInit): Promise<Response> {
    return fetch(`${node.url}${path}`, {
      signal: AbortSignal.timeout(60_000),
      ...init,
      headers: { authorization: `token ${this.token}`, ...(init.headers as Record<string, string>) },
    })
  }

  async createRepository(node: ChaosNode, name: string): Promise<ChaosRepository> {
    const path = `${OWNER}/${name}`
    const { id } = await this.make(node, '/user/repos', { name, default_branch: 'main' })
    const config = { url: this.receiver.urlOf(path), content_type: 'json' }
    await this.make(node, `/repos/${path}/hooks`, {
      type: 'gitea',
      config,
      events: HOOK_EVENTS,
      active: true,
    })
    const { storage_id } = await this.db
      .selectFrom('repository')
      .select('storage_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { id, storageId: storage_id, path }
  }

  private async make(node: ChaosNode, path: string, body: object): Promise<{ id: number }> {
    const answer = await this.call(node, 'POST', path, body)
    if (answer.status !== 201)
      throw new Error(`${path} was not made: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: number }
  }

  gitUrl(node: ChaosNode, repo: Pick<ChaosRepository, 'path'>): string {
    return `${node.url.replace('://', `://${this.token}@`)}/${repo.path}.git`
  }

  /**
   * Waits until no push is in the middle of its transaction. A COMMIT that a dead node had sent may still be in flight;
   * the lock on the repository is free only when it has arrived or never will.
   */
  async untilSettled(repo: ChaosRepository): Promise<void> {
    // A push whose client is gone may still be queued, for as long as the lock timeout.
    await sleep(IN_LINE_MS_MAX)
    await this.db.transaction().execute(async (tx) => {
      // Other pushers of the repository may be ahead, each for as long as a node waits.
      await sql`set local lock_timeout = ${sql.lit(SETTLED_MS_MAX)}`.execute(tx)
      await sql`select 1 from git_storage where id = ${repo.storageId} for no key update`.execute(tx)
    })
  }

  /** Stops the nodes and leaves PostgreSQL and the store running, so that what the nodes left behind can be inspected. */
  async stopNodes(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync()
  }
}

async function createDatabase(url: string): Promise<void> {
  const pool = openPool({ url, poolMax: 1, connectTimeoutMs: 20_000, statementTimeoutMs: 120_000 })
  await pool.query(`create database ${DATABASE}`)
  await pool.end()
}

/** Schema, the owner of all repositories, and a token for all scopes. */
async function prepare(ctx: Context, pool: Pool): Promise<string> {
  await migrate(pool)
  await createUser(ctx, {
    username: OWNER,
    email: `${OWNER}@example.test`,
    password: randomBytes(12).toString('hex'),
    is_admin: true,
    must_change_password: false,
  })
  const owner = await findAccount(ctx.db, OWNER)
  if (owner === undefined) throw new Error('the owner was not made')
  return (await issueToken(ctx, owner, { name: 'chaos', scopes: ['all'] })).token
}
