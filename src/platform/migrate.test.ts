/** Migrations on a real database: applied once, by one node, and refused where they do not fit. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openPool, type Pool } from '#platform/pool'
import { openServer } from '../testing/database.ts'
import { until } from '../testing/pace.ts'
import { migrate, schemaRefusal } from './migrate.ts'

let server: Awaited<ReturnType<typeof openServer>>
before(async () => {
  server = await openServer()
})
after(() => server.stop())

interface Bench {
  readonly pool: Pool
  readonly folder: URL
  write(name: string, sql: string): Promise<void>
}

async function onEmptyDatabase(work: (bench: Bench) => Promise<void>): Promise<void> {
  const options = { poolMax: 4, connectTimeoutMs: 20_000, statementTimeoutMs: 60_000 }
  const name = `migrate_${randomBytes(6).toString('hex')}`
  const root = openPool({ url: server.url('postgres'), ...options })
  await root.query(`create database ${name}`)
  const pool = openPool({ url: server.url(name), ...options })
  const path = await mkdtemp(join(tmpdir(), 'bloomery-migrations-'))
  try {
    const write = (file: string, sql: string) => writeFile(join(path, file), sql)
    await work({ pool, folder: pathToFileURL(`${path}/`), write })
  } finally {
    await pool.end()
    await root.query(`drop database ${name} with (force)`)
    await root.end()
    await rm(path, { recursive: true })
  }
}

test('four nodes that start together apply each migration once', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await write('0002_two.sql', '-- phase: expand\ncreate table two (id bigint);')
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(pool, folder)))
    assert.deepEqual(applied.flat().sort(), ['0001_one.sql', '0002_two.sql'])
  }))

test('a failing migration leaves nothing behind and can be retried', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);\nselect broken;')
    await assert.rejects(migrate(pool, folder), /0001_one\.sql failed/)
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    assert.deepEqual(await migrate(pool, folder), ['0001_one.sql'])
  }))

test('an applied migration must not be changed', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await migrate(pool, folder)
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint, name text);')
    await assert.rejects(migrate(pool, folder), /was changed after it had been applied/)
  }))

test('a node refuses an unknown schema, but serves next to newer code that only expanded it', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    assert.match((await schemaRefusal(pool, folder)) ?? '', /has no schema/)
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await migrate(pool, folder)
    assert.equal(await schemaRefusal(pool, folder), undefined)

    await write('0002_two.sql', '-- phase: expand\nselect 1;')
    assert.match((await schemaRefusal(pool, folder)) ?? '', /pending migration 0002_two\.sql/)

    const newer = `insert into schema_migration (name, phase, checksum) values ($1, $2, '')`
    await migrate(pool, folder)
    await pool.query(newer, ['0003_added.sql', 'expand'])
    assert.equal(await schemaRefusal(pool, folder), undefined, 'old code runs on beside new code')
    await pool.query(newer, ['0004_took_away.sql', 'contract'])
    assert.match((await schemaRefusal(pool, folder)) ?? '', /unknown migration 0004_took_away\.sql/)
  }))

test('a migration blocked by a long read does not block other reads, and is applied afterwards', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await migrate(pool, folder)
    await write('0002_two.sql', '-- phase: expand\nalter table one add column name text;')
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query('select * from one')
    const waited: string[] = []
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>()
    const onWait = (reason: string) => {
      waited.push(reason)
      resolve()
    }
    const applied = migrate(pool, folder, { onWait })
    await isWaiting
    // The migration has released its lock request, so a later statement does not wait for the reader either.
    await pool.query('begin; set local lock_timeout = 2500; select * from one; commit')
    await reader.query('commit')
    reader.release()
    assert.deepEqual(await applied, ['0002_two.sql'])
    assert.match(
      waited[0] ?? '',
      /^0002_two\.sql: waiting for a lock; the oldest transaction is of process \d+/,
    )
  }))

test('a migration that deadlocks with a transaction is retried', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write(
      '0001_both.sql',
      '-- phase: expand\ncreate table one (id bigint); create table two (id bigint);',
    )
    await migrate(pool, folder)
    const alterBoth = ['one', 'two'].map((table) => `alter table ${table} add column name text;`)
    await write('0002_names.sql', `-- phase: expand\n${alterBoth.join('\n')}`)
    const other = await pool.connect()
    // So that PostgreSQL ends the migration, not this transaction.
    await other.query(`set deadlock_timeout = '1min'`)
    await other.query('begin')
    await other.query('select * from two')
    const waited: string[] = []
    const applied = migrate(pool, folder, { onWait: (reason) => waited.push(reason) })
    await until(async () => {
      const held = await pool.query(
        `select 1 from pg_locks where granted and relation = 'one'::regclass and mode = 'AccessExclusiveLock'`,
      )
      return held.rowCount === 1
    })
    await other.query('select * from one')
    await other.query('commit')
    other.release(true)
    assert.deepEqual(await applied, ['0002_names.sql'])
    assert.equal(waited.length, 1)
  }))

test('a migration that waits too long for a lock gives up and names the lock holder', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await migrate(pool, folder)
    await write('0002_two.sql', '-- phase: expand\nalter table one add column name text;')
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query('select * from one')
    await assert.rejects(migrate(pool, folder, { waitMs: 0 }), /0002_two\.sql gave up: waiting for a lock/)
    await reader.query('commit')
    reader.release()
  }))

test('an index that is built concurrently stops no write, and several nodes build it once', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table one (id bigint);')
    await migrate(pool, folder)
    await write(
      '0002_index.sql',
      `-- phase: expand\n-- concurrently\ndrop index concurrently if exists one_id;
      create index concurrently one_id on one (id);`,
    )
    const writer = await pool.connect()
    await writer.query('begin')
    await writer.query('insert into one values (1)')
    const nodes = [migrate(pool, folder), migrate(pool, folder)]
    await until(async () => {
      const { rows } = await pool.query(`select 1 from pg_stat_activity
        where query like '%create index concurrently one_id on one%' and state = 'active'
          and pid <> pg_backend_pid()`)
      return rows.length > 0
    })
    await pool.query('insert into one values (2)')
    await writer.query('commit')
    writer.release()
    assert.deepEqual((await Promise.all(nodes)).flat(), ['0002_index.sql'])
    const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'one_id'::regclass`)
    assert.deepEqual(rows, [{ indisvalid: true }])
  }))

test('a migration waits for the end of a backup', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    await write('0001_one.sql', '-- phase: expand\ncreate table backup (expires_at timestamptz);')
    await migrate(pool, folder)
    await pool.query(`insert into backup values (now() + interval '10 minutes')`)
    await write('0002_two.sql', '-- phase: expand\ncreate table two (id bigint);')
    await assert.rejects(migrate(pool, folder, { waitMs: 0 }), /gave up: waiting for the end of a backup/)
    await pool.query('update backup set expires_at = now()')
    assert.deepEqual(await migrate(pool, folder), ['0002_two.sql'])
  }))

test('jobs waiting in the queue of the previous version are migrated, and the old queue is dropped', () =>
  onEmptyDatabase(async ({ pool, folder, write }) => {
    const own = new URL('../../migrations/', import.meta.url)
    const names = (await readdir(own)).filter((name) => name.endsWith('.sql')).sort()
    const copy = async (name: string) => write(name, await readFile(new URL(name, own), 'utf8'))
    for (const name of names.filter((it) => it < '0053')) await copy(name)
    await migrate(pool, folder)
    await pool.query(`create schema graphile_worker;
      create table graphile_worker._private_tasks (id int primary key, identifier text not null);
      create table graphile_worker._private_job_queues (id int primary key, queue_name text not null);
      create table graphile_worker._private_jobs (id bigint primary key, task_id int not null, job_queue_id int,
        payload json not null, key text, flags jsonb, run_at timestamptz not null default now(),
        attempts smallint not null default 0, max_attempts smallint not null default 3, last_error text);
      insert into graphile_worker._private_tasks values (1, 'deliver'), (2, 'webhook-send');
      insert into graphile_worker._private_job_queues values (7, 'webhook:5');
      insert into event (subject, payload, created_at) values ('a', '{}', now()), ('b', '{}', now());
      insert into event_consumed select min(id), 'ear' from event;
      insert into graphile_worker._private_jobs (id, task_id, job_queue_id, payload, key, flags)
      select 1, 1, null::int, json_build_object('event_id', min(id), 'consumer', 'ear'), null, null::jsonb from event
      union all select 2, 1, null, json_build_object('event_id', max(id), 'consumer', 'ear'), null, null from event
      union all select 3, 2, 7, '{"webhook_id": 5}', 'webhook:5', '{"keyed": true}'
      union all select 4, 2, 7, '{"webhook_id": 5}', null, '{"keyed": true}'`)
    for (const name of names.filter((it) => it >= '0053')) await copy(name)
    await migrate(pool, folder)
    const { rows } = await pool.query(
      `select kind, payload -> 'consumers' as consumers, key, group_key, is_serial from job order by id`,
    )
    assert.deepEqual(rows, [
      { kind: 'deliver-to', consumers: ['ear'], key: null, group_key: '', is_serial: false },
      { kind: 'webhook-send', consumers: null, key: 'webhook:5', group_key: 'webhook:5', is_serial: true },
    ])
    const { rows: left } = await pool.query(`select 1 from pg_namespace where nspname = 'graphile_worker'`)
    assert.deepEqual(left, [])
  }))
