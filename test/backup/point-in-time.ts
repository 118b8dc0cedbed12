/**
 * Restores PostgreSQL to a moment between two pushes, from a base backup and archived WAL, while the object store stays as
 * it is now. The forge serves the state of that moment: what the store has of later pushes is only garbage.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Config, settingVariable } from '#platform/config'
import { openPool } from '#platform/pool'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { startNode } from '../../src/cli/node-process.ts'
import {
  asServerUser,
  findBinaries,
  giveToServer,
  type OwnPostgres,
  startPostgres,
} from '../../src/cli/postgres.ts'
import { until } from '../attacks/kit/faults.ts'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, '../../src/main.ts')
const PASSWORD = 'hammer and tongs'
const DATABASE = 'bloomery'
const FILES = ['before-the-backup', 'before-the-moment', 'after-the-moment'] as const

test('a forge restored to a moment between two pushes serves that moment', { timeout: 600_000 }, async () => {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-moment-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // As root, PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  const [archive, base] = [join(folder, 'archive'), join(folder, 'restored/data')]
  for (const made of [archive, join(folder, 'restored')]) await mkdir(made)
  await giveToServer(archive, join(folder, 'restored'))

  const primary = await startArchiving(join(folder, 'primary'), archive)
  const settings = await settingsOf(folder, primary)
  await bloomery(settings, 'migrate')
  const user = ['create', '--username', 'ann', '--email', 'ann@forge.test', '--password', PASSWORD, '--admin']
  await bloomery(settings, 'admin', 'user', ...user)
  let moment = ''
  {
    const node = await startNode(settings)
    assert.equal(await call(node.url, 'POST', '/user/repos', { name: 'site', auto_init: true }), 201)
    assert.equal(await addFile(node.url, FILES[0]), 201)
    await copyBase(primary, join(folder, 'primary/run'), base)
    assert.equal(await addFile(node.url, FILES[1]), 201)
    moment = await ask(primary, 'select clock_timestamp()::text as answer')
    assert.equal(await addFile(node.url, FILES[2]), 201)
    await node.stop()
  }
  await untilArchived(primary)
  await primary.stop()

  const began = performance.now()
  const restored = await restoreTo(moment, base, archive)
  stack.defer(() => restored.stop())
  const then = { ...settings, 'database.url': restored.url(DATABASE) }
  const node = await startNode(then)
  stack.defer(() => node.stop())
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const statuses = async () =>
    Promise.all(FILES.map((file) => call(node.url, 'GET', `/repos/ann/site/contents/${file}`)))
  assert.deepEqual(await statuses(), [200, 200, 404])
  const packs = (await readdir(join(folder, 'objects/git/packs'), { recursive: true })).filter((name) =>
    name.endsWith('.pack'),
  )
  const named = Number(await ask(restored, 'select count(*)::text as answer from git_pack', DATABASE))
  assert.ok(named > 0 && packs.length > named, 'no pack is newer than the moment: this proves nothing')
  assert.equal(await addFile(node.url, 'after-the-restore'), 201)
  const clone = join(folder, 'clone')
  await run('git', ['clone', '-q', `${node.url}/ann/site.git`, clone])
  const { stdout } = await run('git', ['-C', clone, 'ls-tree', '--name-only', 'HEAD'])
  assert.deepEqual(stdout.trim().split('\n').sort(), ['README.md', 'after-the-restore', FILES[0], FILES[1]])
  const all = await bloomery(then, 'doctor', 'repository', '--all')
  assert.match(all, /^ok .*ann\/site/m)
  assert.doesNotMatch(all, /^error/m)
  const found = await bloomery(then, 'doctor')
  assert.doesNotMatch(found, /^error/m)
  console.log(`restored and ready after ${seconds} s, ${packs.length - named} packs without a row\n${found}`)
})

/** A server that copies each finished segment of its WAL to the archive. */
async function startArchiving(folder: string, archive: string): Promise<OwnPostgres> {
  const first = await startPostgres({ folder, isDurable: true })
  await ask(first, `alter system set archive_mode = on`)
  await ask(first, `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`)
  await ask(first, `create database ${DATABASE}`)
  await first.stop()
  return startPostgres({ folder, isDurable: true })
}

async function copyBase(server: OwnPostgres, sockets: string, to: string): Promise<void> {
  const [program, ...args] = asServerUser(join(await findBinaries(), 'pg_basebackup'))
  const copy = ['-h', sockets, '-U', 'postgres', '-D', to, '--checkpoint=fast', '--no-sync']
  await run(program, [...args, ...copy])
  assert.equal(await ask(server, 'select pg_is_in_recovery()::text as answer'), 'false')
}

/** The segment with the last commit is archived when the next one is begun. */
async function untilArchived(server: OwnPostgres): Promise<void> {
  const last = await ask(server, 'select pg_walfile_name(pg_switch_wal()) as answer')
  await until('the last segment is archived', async () => {
    const sql = `select (coalesce(last_archived_wal, '') >= '${last}')::text as answer from pg_stat_archiver`
    return (await ask(server, sql)) === 'true'
  })
}

async function restoreTo(moment: string, data: string, archive: string): Promise<OwnPostgres> {
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `archive_mode = off
restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${moment}'
recovery_target_action = promote
`,
  )
  await writeFile(join(data, 'recovery.signal'), '')
  const server = await startPostgres({ folder: join(data, '..'), isDurable: true })
  await until(
    'the server has ended its recovery',
    async () => (await ask(server, 'select pg_is_in_recovery()::text as answer')) === 'false',
  )
  return server
}

async function settingsOf(folder: string, server: OwnPostgres): Promise<Partial<Config>> {
  const port = await findFreePorts()
  return {
    'database.url': server.url(DATABASE),
    'store.folder': join(folder, 'objects'),
    'git.cache_folder': join(folder, 'cache'),
    'secrets.keys': randomBytes(32).toString('hex'),
    'http.host': '127.0.0.1',
    'http.port': port,
    'http.url': `http://127.0.0.1:${port}`,
    'log.level': 'warn',
  }
}

async function bloomery(settings: Partial<Config>, ...args: string[]): Promise<string> {
  const own = Object.entries(settings).map(([name, value]) => [settingVariable(name), String(value)])
  const env = { ...process.env, BLOOMERY_OPERATIONS_PORT: '0', ...Object.fromEntries(own) }
  return (await run(process.execPath, [MAIN, ...args], { env })).stdout
}

async function ask(server: OwnPostgres, sql: string, database = 'postgres'): Promise<string> {
  const url = server.url(database)
  const pool = openPool({ url, poolMax: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 })
  try {
    return (await pool.query<{ answer?: string }>(sql)).rows[0]?.answer ?? ''
  } finally {
    await pool.end()
  }
}

function addFile(url: string, name: string): Promise<number> {
  const content = Buffer.from(name).toString('base64')
  return call(url, 'POST', `/repos/ann/site/contents/${name}`, { content, message: name })
}

async function call(url: string, method: string, path: string, body?: object): Promise<number> {
  const authorization = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}
