/** An unavailable, overloaded or blocked database: writers get 503 with Retry-After, and reads keep working. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { internalOperations, rawRoutes, routes, web } from '#cli'
import { databaseAway, openDb } from '#platform/db'
import { schemaRefusal } from '#platform/migrate'
import { openPool } from '#platform/pool'
import { type Forge, GitClient, type Reply, startForge } from '#testing'
import { buildApp } from './app.ts'

const WRITERS = 16
const LINE_MAX = 6
const LISTENING = { host: '127.0.0.1', port: 0 }
const CONFIG = {
  'log.level': 'silent' as const,
  'database.pool_max': 4,
  'database.connect_timeout_ms': 2_000,
  'git.writers_waiting_max': LINE_MAX,
}

let forge: Forge
before(async () => {
  forge = await start(60_000)
})
after(() => forge[Symbol.asyncDispose]())

async function start(lockTimeoutMs: number): Promise<Forge> {
  const started = await startForge({ config: { ...CONFIG, 'database.lock_timeout_ms': lockTimeoutMs } })
  await started.person('ann')
  await started.person('bob')
  for (const name of ['busy', 'free'])
    await started.call('ann', 'POST', '/user/repos', { name, auto_init: true })
  return started
}

/** Locks the repository as a slow transaction would. */
async function holdBusy({ db }: Forge, work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const { storage_id } = await tx
      .selectFrom('repository')
      .select('storage_id')
      .where('name_key', '=', 'busy')
      .executeTakeFirstOrThrow()
    await tx.selectFrom('git_storage').select('id').where('id', '=', storage_id).forUpdate().execute()
    await work()
  })
}

const write = (to: Forge, repository: string, file: string) =>
  to.call('ann', 'POST', `/repos/ann/${repository}/contents/${file}`, { content: 'YQ==', message: 'm' })

test('writers waiting for one repository block neither reads nor writes to other repositories', async () => {
  const writing: Promise<Reply>[] = []
  await holdBusy(forge, async () => {
    for (let i = 0; i < WRITERS; i++) writing.push(write(forge, 'busy', `f${i}`))
    // Requests beyond the queue limit are refused; by then the others wait for the lock.
    await Promise.any(writing)
    for (let i = 0; i < 5; i++) assert.equal((await forge.call('bob', 'GET', '/user')).status, 200)
    assert.equal((await forge.call('bob', 'POST', '/user/repos', { name: 'new' })).status, 201)
    assert.equal((await write(forge, 'free', 'f')).status, 201)
  })
  const answers = await Promise.all(writing)
  const refused = answers.filter(({ status }) => status === 503)
  assert.ok(refused.length >= WRITERS - LINE_MAX - forge.world.config['git.writers_max'])
  for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  for (const { status } of answers.filter((it) => !refused.includes(it))) assert.equal(status, 201)
})

test('a write that waits too long for a lock gets 503 with Retry-After, and succeeds later', async () => {
  await using impatient = await start(300)
  await holdBusy(impatient, async () => {
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await write(impatient, 'busy', 'f')
      assert.equal(status, 503)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
  })
  assert.equal((await write(impatient, 'busy', 'f')).status, 201)
})

for (const [what, url] of [
  ['refuses', 'postgres://nobody@127.0.0.1:1/none'],
  ['has no socket', 'postgres://nobody@/none?host=/nonexistent'],
  ['has no address', 'postgres://nobody@-/none'],
] as const)
  test(`a database that ${what} is 503 for every caller, and the node is not ready`, async () => {
    const pool = openPool({ url, poolMax: 2, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 })
    const db = openDb(pool)
    const app = buildApp({
      world: { ...forge.world, db, transactions: db },
      routes,
      internalOperations,
      rawRoutes,
      web,
      isReady: () => schemaRefusal(pool),
    })
    const base = await app.listen(LISTENING)
    const authorization = `token ${forge.tokenOf('ann')}`
    for (const path of ['/readyz', '/api/v1/user', '/ann/free.git/info/refs?service=git-upload-pack']) {
      const answer = await fetch(base + path, { headers: { authorization } })
      assert.equal(answer.status, 503, path)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    }
    assert.equal((await fetch(`${base}/healthz`)).status, 200)
    await app.close()
    await db.destroy()
  })

test('git tells its user that the database is away, before a push and during it', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const db = openDb(openPool({ url, poolMax: 2, connectTimeoutMs: 2_000, statementTimeoutMs: 2_000 }))
  await using client = await GitClient.open(forge, 'ann', 'ann/free')
  await client.commit('a.txt', 'a')
  for (const [other, line] of [
    [{ db, transactions: db }, /^remote: database is unavailable, please try again later/m],
    [{ transactions: db }, /\[remote rejected\] main -> new \(database is unavailable\)/],
  ] as const) {
    const world = { ...forge.world, ...other }
    const parts = { routes, internalOperations, rawRoutes, web, isReady: async () => undefined }
    const app = buildApp({ world, ...parts })
    const remote = new URL(client.remote)
    remote.port = new URL(await app.listen(LISTENING)).port
    const { code, output } = await client.run('push', remote.href, 'main:new')
    assert.notEqual(code, 0)
    assert.match(output, line)
    assert.doesNotMatch(output, /abnormally/)
    await app.close()
  }
  await db.destroy()
})

test('a request is refused at once when too many clients wait for a database connection', async () => {
  const url = forge.world.config['database.url']
  const pool = openPool({
    url,
    poolMax: 1,
    waitingMax: 2,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 20_000,
  })
  const holder = await pool.connect()
  const waiting = [pool.query('select 1'), pool.connect().then((client) => client.release())]
  const fromQuery = await pool.query('select 1').catch((error: unknown) => error)
  const fromConnect = await pool.connect().catch((error: unknown) => error)
  for (const error of [fromQuery, fromConnect]) assert.equal(databaseAway(error)?.kind, 'unavailable')
  holder.release()
  await Promise.all(waiting)
  await pool.end()
})

for (const [error, isAway] of [
  [{ code: '57014' }, true],
  [{ code: '55P03' }, true],
  [{ code: '53300' }, true],
  [{ code: '57P01' }, true],
  [{ code: '08006' }, true],
  [{ code: '25006' }, true],
  [{ code: 'ECONNRESET', syscall: 'read' }, true],
  [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, true],
  [{ message: 'timeout exceeded when trying to connect' }, true],
  [{ message: 'Connection terminated unexpectedly' }, true],
  [{ message: 'Query read timeout' }, true],
  [{ code: '23505' }, false],
  [{ code: '42P01' }, false],
  [{ code: 'ENOENT', syscall: 'open' }, false],
  [{ code: 'ECONNRESET', message: 'aborted' }, false],
  [{ message: 'a mistake of ours' }, false],
] as const)
  test(`${JSON.stringify(error)} ${isAway ? 'means' : 'does not mean'} that the database is away`, () => {
    assert.equal(databaseAway(Object.assign(new Error(), error)) !== undefined, isAway)
  })
