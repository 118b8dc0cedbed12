/** Maintenance jobs: ordered by pushes and by the schedule, run once, and never blocking. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { observeGit } from '../metrics.ts'
import type { StorageId } from '../tables.ts'
import { collectAll, maintainStorages } from './due.ts'
import { countLivePacks, listPacks } from './packs/pack-rows.ts'
import { sweepPacks } from './sweep/sweep.ts'
import { DAY_MS, type Growing, grow, HOUR_MS, remove } from './testing.ts'
import { MAINTENANCE_JOB, makeRoomForPacks, orderMaintenance, scheduleCompaction } from './upkeep.ts'
import { verifyStorage } from './verify.ts'

test('many small packs are compacted by one job, however many pushes ordered it', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 10; i++) {
    await repo.push()
    const packs = await countLivePacks(forge.db, repo.id)
    await transact(forge.ctx, (ctx) => scheduleCompaction(ctx, repo.id, packs))
    assert.equal((await waiting(forge)).length, i < 8 ? 0 : 1)
  }
  await forge.runJobs()
  assert.equal(await countLivePacks(forge.db, repo.id), 1)
  assert.deepEqual(await waiting(forge), [])
})

test('a push that is rolled back orders no maintenance', async () => {
  await using forge = await startForge()
  await assert.rejects(
    transact(forge.ctx, async (ctx) => {
      await scheduleCompaction(ctx, 1 as StorageId, 100)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.deepEqual(await waiting(forge), [])
})

test('a write that finds more than 64 live packs joins them first, once for all concurrent writers', {
  timeout: 120_000,
}, async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 64; i++) await repo.push()
  assert.equal(await makeRoomForPacks(forge.ctx, repo.id), 64)
  await repo.push()
  const left = await Promise.all([1, 2, 3].map(() => makeRoomForPacks(forge.ctx, repo.id)))
  const [first = 0] = left
  assert.ok(first < 8, `${first} packs are left`)
  assert.deepEqual(left, [first, first, first])
  assert.equal(await countCompactions(forge), 1)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('when packs cannot be joined, writes go on, and are refused above 1,000 packs', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await addLostPacks(forge, repo.id, 1_000)
  assert.equal(await makeRoomForPacks(forge.ctx, repo.id), 1_000)
  await addLostPacks(forge, repo.id, 1)
  await assert.rejects(makeRoomForPacks(forge.ctx, repo.id), { kind: 'unavailable' })
})

test('in a transaction no packs are joined', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await addLostPacks(forge, repo.id, 100)
  const left = await transact(forge.ctx, (ctx) => makeRoomForPacks(ctx, repo.id))
  assert.equal(left, 100)
})

test('maintenance of a repository deleted meanwhile is skipped without an error', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 9; i++) await repo.push()
  await transact(forge.ctx, (ctx) => orderMaintenance(ctx, [{ storage_id: repo.id, work: 'compact' }]))
  await remove(forge.ctx, repo.id)
  await forge.runJobs()
  assert.deepEqual(await waiting(forge), [])
})

test('the schedule orders collection once a week and expiry of old garbage, and nothing else', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  await repo.push('side')
  await repo.drop('side')
  await maintainStorages(forge.ctx)
  assert.deepEqual(await waiting(forge), [], 'it is young')

  forge.advance(7 * DAY_MS)
  await nightly(forge)
  assert.deepEqual(await kinds(repo), ['garbage', 'gc'])
  forge.advance(DAY_MS)
  await maintainStorages(forge.ctx)
  assert.deepEqual(await waiting(forge), [], 'nothing has changed')

  forge.advance(6 * DAY_MS)
  await nightly(forge)
  assert.deepEqual(await kinds(repo), ['gc'])
  forge.advance(DAY_MS + HOUR_MS)
  await nightly(forge)
  await sweepPacks(forge.ctx)
  const rows = await forge.db
    .selectFrom('git_storage_pack')
    .innerJoin('git_pack', 'git_pack.id', 'git_storage_pack.pack_id')
    .select('kind')
    .where('kind', '=', 'garbage')
    .execute()
  assert.deepEqual(rows, [], 'what nobody missed was let go')
  await maintainStorages(forge.ctx)
  assert.deepEqual(await waiting(forge), [])

  await repo.push()
  await maintainStorages(forge.ctx)
  assert.equal((await waiting(forge)).length, 1, 'it changed, and was collected more than a week ago')
})

test('collectAll orders collection of all repositories that have packs', async () => {
  await using forge = await startForge()
  await using one = await grow(forge.ctx)
  await using two = await grow(forge.ctx)
  await using empty = await grow(forge.ctx)
  await one.push()
  await two.push()
  await collectAll(forge.ctx)
  await collectAll(forge.ctx)
  assert.equal((await waiting(forge)).length, 2)
  await forge.runJobs()
  assert.deepEqual(await kinds(one), ['gc'])
  assert.deepEqual(await kinds(two), ['gc'])
  assert.deepEqual(await kinds(empty), [])
})

test('the metrics report packs, cache hits and hydrations', async () => {
  await using forge = await startForge()
  await using one = await grow(forge.ctx)
  await using two = await grow(forge.ctx)
  for (let i = 0; i < 3; i++) await one.push()
  await two.push()
  await one.git('rev-parse', 'HEAD')
  await one.git('rev-parse', 'HEAD')
  observeGit(forge.world)
  const text = await forge.world.telemetry.scrape()
  assert.match(text, /^bloomery_git_live_packs\{of="all"\} 4$/m)
  assert.match(text, /^bloomery_git_live_packs\{of="largest"\} 3$/m)
  assert.match(text, /^bloomery_git_cache_hits_total 1$/m)
  assert.match(text, /^bloomery_git_cache_misses_total 1$/m)
  assert.match(text, /^bloomery_git_cache_downloads_total 3$/m)
  assert.match(text, /^bloomery_git_hydration_seconds_total 0?\.?\d/m)
  assert.match(text, /^bloomery_git_processes 0$/m)
  assert.match(text, /^bloomery_git_processes_total [1-9]/m)
})

async function nightly(forge: Forge): Promise<void> {
  await maintainStorages(forge.ctx)
  await forge.runJobs()
}

async function waiting(forge: Forge): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from job where kind = ${MAINTENANCE_JOB} order by key`.execute(forge.db)
  return rows.map(({ key }) => key)
}

async function kinds(repo: Growing): Promise<string[]> {
  return (await listPacks(repo.ctx.db, repo.id)).map(({ kind }) => kind).sort()
}

async function countCompactions(forge: Forge): Promise<number> {
  const { rows } = await sql<{ packs: number }>`
    select count(*)::int as packs from git_pack where kind = 'compact'`.execute(forge.db)
  return rows[0]?.packs ?? 0
}

/** Packs whose bytes the store does not have. */
async function addLostPacks(forge: Forge, storageId: StorageId, count: number): Promise<void> {
  await sql`with lost as (
      insert into git_pack (id, digest, bytes, index_bytes, object_count, kind, created_at)
      select gen_random_uuid(), encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 100, 100, 1, 'receive', now()
      from generate_series(1, ${count}) returning id)
    insert into git_storage_pack (storage_id, pack_id, added_generation)
    select ${storageId}, id, 1 from lost`.execute(forge.db)
}
