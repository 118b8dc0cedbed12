/** The database: slow, locked, partly unavailable, or restored from a backup. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { base64 } from './kit/calls.ts'
import { type Forge, MAIN, PROJECT } from './kit/forge.ts'
import { clone, commitFile, git, run } from './kit/git.ts'

export const database: readonly Attack[] = [
  {
    name: 'a-backup-while-others-write',
    holds: 'a backup made in the order that docs/operations.md allows can be put back',
    seconds: 120,
    on: 'disk',
    // In CI: test/backup/backup.test.ts.
    run: restoreBackup,
  },
  {
    name: 'a-commit-without-its-standby',
    holds: 'a push that was answered as refused was refused, also when a standby was away',
    seconds: 120,
    on: 'disk',
    // In CI: test/chaos/chaos.test.ts, with connections lost at COMMIT.
    run: commitWithoutStandby,
  },
  {
    name: 'writers-of-one-repository',
    holds: 'writers who wait for one repository do not make others wait',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: blockWriters,
  },
]

/** Copies store and database with a write between them, and runs doctor on the restored forge. */
async function restoreBackup(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'saved')
  const store = join(forge.data, 'objects-saved')
  const dump = join(forge.data, 'saved.sql')
  const copyStore = async () => cpSync(join(forge.data, 'objects'), store, { recursive: true })
  const copyDatabase = async () => {
    const { code, said } = await run('pg_dump', [...forge.connection(), '-d', 'bloomery', '-f', dump])
    if (code !== 0) throw new Error(`pg_dump: ${said}`)
  }
  const [, advice] =
    /\*\*Backup\.?\*\*([^*]*)/.exec(readFileSync(join(PROJECT, 'docs/operations.md'), 'utf8')) ?? []
  if (advice === undefined) throw new Error('docs/operations.md says nothing about a backup')
  const isAnyOrder = /in\s+any\s+order/.test(advice)
  const [first, second] = isAnyOrder ? [copyStore, copyDatabase] : [copyDatabase, copyStore]
  await first()
  const body = { content: base64('written while the backup ran'), message: 'm' }
  await forge.must(ann, 'POST', `/api/v1/repos/${repository}/contents/late.txt`, body)
  await second()
  await forge.sql('create database restored', 'postgres')
  const restored = await run('psql', [
    ...forge.connection(),
    '-d',
    'restored',
    '-v',
    'ON_ERROR_STOP=1',
    '-qf',
    dump,
  ])
  if (restored.code !== 0) throw new Error(`psql: ${restored.said.slice(-200)}`)
  const settings = forge.environment()
  const address = new URL(settings.BLOOMERY_DATABASE_URL ?? '')
  address.pathname = '/restored'
  const env = {
    ...process.env,
    ...settings,
    BLOOMERY_DATABASE_URL: address.href,
    BLOOMERY_STORE_FOLDER: store,
    BLOOMERY_GIT_CACHE_FOLDER: join(forge.data, 'cache-doctor'),
  }
  const doctor = await run(process.execPath, [MAIN, 'doctor', 'repository', '--all'], { cwd: PROJECT, env })
  if (!/storage/.test(doctor.said))
    throw new Error(`the doctor said nothing of storages: ${doctor.said.slice(-200)}`)
  const wrong = doctor.said.split('\n').filter((line) => line.startsWith('error'))
  const order = isAnyOrder ? 'store first, database second' : 'database first, store second'
  return wrong.length > 0 ? `${order}: ${wrong[0]?.slice(0, 140)}` : undefined
}

const STATEMENT_MS = 4_000
const AWAY_MS = 25_000
const UNKNOWN = /unknown|not known|unsure|cannot say|in doubt|may have/i

/** The COMMIT of the refs waits for a standby; everything before it does not. */
async function commitWithoutStandby(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'standby')
  const node = await forge.freshNode({ BLOOMERY_DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_MS) })
  const folder = await clone(forge, ann, repository, node.base)
  const pushed = await commitFile(folder, 'f', 'x')
  await forge.sql(`create function wait_for_standby() returns trigger language plpgsql as
    $$ begin perform set_config('synchronous_commit', 'on', true); return new; end $$`)
  await forge.sql(
    `create trigger wait_for_standby before insert or update on git_ref for each row execute function wait_for_standby()`,
  )
  await configure(
    forge,
    `alter system set synchronous_commit = 'local'`,
    `alter system set synchronous_standby_names = 'absent'`,
  )
  const began = performance.now()
  let seconds = 0
  const pushing = git(folder, ['push', 'origin', 'HEAD:main']).then((it) => {
    seconds = Math.round((performance.now() - began) / 1000)
    return it
  })
  await Promise.race([pushing, sleep(AWAY_MS)])
  const waiting = await forge.sql(`select count(*) from pg_stat_activity where wait_event = 'SyncRep'`)
  await configure(
    forge,
    'alter system reset synchronous_standby_names',
    'alter system reset synchronous_commit',
  )
  const { code, said } = await pushing
  await forge.sql('drop trigger wait_for_standby on git_ref; drop function wait_for_standby')
  await sleep(2_000)
  const isMoved = (await forge.tip(ann, repository)) === pushed
  if (code === 0) return isMoved ? undefined : 'the push was acknowledged and is not there'
  if (!isMoved && waiting === '0') throw new Error(`COMMIT never waited for the standby: ${said.slice(-200)}`)
  if (!isMoved || UNKNOWN.test(said)) return undefined
  const [refusal = said.slice(-120)] = /^.*(rejected|error|fatal).*$/m.exec(said) ?? []
  return `answered after ${seconds} s: «${refusal.trim()}»; then the push was there`
}

async function configure(forge: Forge, ...statements: string[]): Promise<void> {
  for (const statement of statements) await forge.sql(statement)
  await forge.sql('select pg_reload_conf()')
  await sleep(500)
}

const WRITERS = 20
const READERS = 10
const WRITES_MAX = 20
/** Most of the ten connections of a process; a forge that reserves some never gets there. */
const BLOCKED = 8
const BLOCKED_MS_MAX = 8_000
const LOCKED_S_MAX = 30
const LATE_S = 4

/** A refused client retries, so that a freed connection is taken again at once. */
async function blockWriters(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const bob = await forge.user('bob')
  const repository = await forge.repository(ann, 'busy')
  await forge.must(bob, 'GET', '/api/v1/user')
  const unlock = await lockStorages(forge)
  const body = { content: base64('a'), message: 'm' }
  let isLocked = true
  const write = async (_: unknown, i: number) => {
    for (let n = 0; n < WRITES_MAX && isLocked; n++) {
      const path = `/api/v1/repos/${repository}/contents/f${i}-${n}`
      await forge.call(ann, 'POST', path, body).catch(() => undefined)
      await sleep(200)
    }
  }
  const read = async (_: unknown, i: number) => {
    await sleep(i * 200)
    const { status, seconds } = await forge.call(bob, 'GET', '/api/v1/user')
    return { status, seconds }
  }
  const writing = Array.from({ length: WRITERS }, write)
  try {
    await untilBlocked(forge)
    const answers = await Promise.all(Array.from({ length: READERS }, read))
    const hurt = answers.filter(({ status, seconds }) => status !== 200 || seconds > LATE_S)
    const [first] = hurt
    const said = `${hurt.length} of ${READERS} readers of something else`
    return first && `${said}: ${first.status} after ${first.seconds.toFixed(1)} s`
  } finally {
    isLocked = false
    await unlock()
    await Promise.all(writing)
  }
}

/** Locks the row of every storage, as a slow transaction would; returns a function that unlocks them. */
async function lockStorages(forge: Forge): Promise<() => Promise<void>> {
  const lock = `begin; select count(*) from (select 1 from git_storage for update) locked; select pg_sleep(${LOCKED_S_MAX})`
  const locker = spawn('psql', [...forge.connection(), '-d', 'bloomery', '-qc', lock], { stdio: 'ignore' })
  await sleep(1_000)
  return async () => {
    await forge.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%pg_sleep%' and pid <> pg_backend_pid()`)
    locker.kill('SIGKILL')
  }
}

async function untilBlocked(forge: Forge): Promise<void> {
  let most = 0
  for (
    const end = performance.now() + BLOCKED_MS_MAX;
    performance.now() < end && most < BLOCKED;
    await sleep(200)
  ) {
    const waiting = await forge.sql(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`)
    most = Math.max(most, Number(waiting))
  }
  if (most === 0) throw new Error('no writer waits for the repository')
}
