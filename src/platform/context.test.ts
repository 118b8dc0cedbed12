/** Transactions on a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startForge } from '#testing'
import { afterCommit, OutcomeUnknown, type TxContext, transact } from './context.ts'

test('two transactions that deadlock both succeed after a retry', async () => {
  await using forge = await startForge()
  await sql`create table door (id integer primary key, opened integer not null default 0)`.execute(forge.db)
  await sql`insert into door values (1), (2)`.execute(forge.db)
  let tries = 0
  let inside = 0
  const bothInside = Promise.withResolvers<void>()
  const walk = (first: number, second: number) =>
    transact(forge.ctx, async (ctx) => {
      tries += 1
      await open(ctx, first)
      inside += 1
      if (inside === 2) bothInside.resolve()
      await bothInside.promise
      await open(ctx, second)
    })
  await Promise.all([walk(1, 2), walk(2, 1)])
  const { rows } = await sql<{ opened: number }>`select opened from door order by id`.execute(forge.db)
  assert.deepEqual(rows, [{ opened: 2 }, { opened: 2 }])
  assert.ok(tries > 2, 'nobody stood in anybody’s way: the test proved nothing')
})

test('a transaction that references a row deleted meanwhile is retried and finds it gone', async () => {
  await using forge = await startForge()
  await sql`create table house (id integer primary key)`.execute(forge.db)
  await sql`create table door (house_id integer not null references house (id))`.execute(forge.db)
  await sql`insert into house values (1)`.execute(forge.db)
  let looks = 0
  const build = transact(forge.ctx, async (ctx) => {
    looks += 1
    const { rows } = await sql`select 1 from house`.execute(ctx.db)
    if (rows.length === 0) return 'gone'
    await sql`delete from house`.execute(forge.db)
    await sql`insert into door values (1)`.execute(ctx.db)
    return 'built'
  })
  assert.equal(await build, 'gone')
  assert.equal(looks, 2)
})

test('afterCommit runs once after the commit, and not after a rollback', async () => {
  await using forge = await startForge()
  await sql`create table door (id integer primary key)`.execute(forge.db)
  const seen: number[] = []
  const enter = (id: number, fails: boolean) =>
    transact(forge.ctx, async (ctx) => {
      await transact(ctx, async (ctx) => afterCommit(ctx, () => seen.push(id)))
      await sql`insert into door values (${id})`.execute(ctx.db)
      assert.deepEqual(seen.includes(id), false)
      if (fails) throw new Error('changed my mind')
    })
  await enter(1, false)
  await assert.rejects(enter(2, true), /changed my mind/)
  assert.deepEqual(seen, [1])
})

test('a nested transaction is part of the outer one', async () => {
  await using forge = await startForge()
  await sql`create table door (id integer primary key)`.execute(forge.db)
  await assert.rejects(
    transact(forge.ctx, async (ctx) => {
      await transact(ctx, (inner) => sql`insert into door values (1)`.execute(inner.db))
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.equal((await sql`select 1 from door`.execute(forge.db)).rows.length, 0)
})

test('a connection lost at COMMIT throws OutcomeUnknown; a COMMIT refused by PostgreSQL throws its error', async () => {
  await using forge = await startForge()
  await sql`create table door (id integer primary key)`.execute(forge.db)
  await sql`create function creak() returns trigger language plpgsql as $$ begin
    if new.id = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
    raise exception 'it is stuck'; end $$`.execute(forge.db)
  await sql`create constraint trigger creak after insert on door initially deferred
    for each row execute function creak()`.execute(forge.db)
  const insert = (id: number) =>
    transact(forge.ctx, (ctx) => sql`insert into door values (${id})`.execute(ctx.db))
  await assert.rejects(insert(1), OutcomeUnknown)
  await assert.rejects(insert(2), /it is stuck/)
})

async function open(ctx: TxContext, door: number): Promise<void> {
  await sql`update door set opened = opened + 1 where id = ${door}`.execute(ctx.db)
}
