/** The sweeper deletes packs that no row names and none can name any more, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { duringBackup } from '#platform/backup'
import { transact } from '#platform/context'
import { startForge } from '#testing'
import { lockStorage } from '../../refs/update.ts'
import { forkStorage } from '../../storage/fork.ts'
import { listPacks } from '../packs/pack-rows.ts'
import { replacePacks } from '../packs/replace-packs.ts'
import { DAY_MS, grow, HOUR_MS, isStored, remove } from '../testing.ts'
import { verifyStorage } from '../verify.ts'
import { sweepPacks } from './sweep.ts'
import { sweepLostPacks } from './sweep-lost.ts'
import { sweepStorages } from './sweep-storages.ts'
import { undeleteStorage } from './undelete.ts'

const ROUNDS = 20

test('a retired pack is kept for a day, then its row and its bytes are deleted', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  await repo.retire(pack.id)
  forge.advance(DAY_MS)
  await sweepPacks(forge.ctx)
  assert.equal((await forge.db.selectFrom('git_storage_pack').selectAll().execute()).length, 1)
  assert.ok(await isStored(forge.ctx, pack))
  forge.advance(1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, pack), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack').select('id').execute(), [])
  assert.deepEqual(await forge.db.selectFrom('git_pack_unnamed').select('pack_id').execute(), [])
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.deepEqual(await forge.db.selectFrom('git_pack_doomed').select('id').execute(), [])
})

test('bytes that a fork names are kept, whatever happens to the parent', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 3; i++) await repo.push()
  const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
  const packs = await listPacks(forge.db, repo.id)
  for (const { id } of packs) await repo.retire(id)
  forge.advance(2 * DAY_MS)
  await sweepPacks(forge.ctx)
  await remove(forge.ctx, repo.id)
  forge.advance(8 * DAY_MS)
  await sweepPacks(forge.ctx)
  await sweepStorages(forge.ctx)
  assert.deepEqual(
    await forge.db.selectFrom('git_storage').select('id').execute(),
    [{ id: fork }],
    'the parent is gone',
  )
  for (const pack of packs) assert.ok(await isStored(forge.ctx, pack))
  assert.deepEqual(await verifyStorage(forge.ctx, fork), { packs: 3, refs: 1, findings: [] })
})

test('a deleted storage is swept completely, but only after its restore period', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  const packs = await listPacks(forge.db, repo.id)
  assert.equal(packs.length, 1)
  await remove(forge.ctx, repo.id)
  forge.advance(7 * DAY_MS - 1)
  await sweepStorages(forge.ctx)
  await transact(forge.ctx, (ctx) => undeleteStorage(ctx, repo.id))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])

  await remove(forge.ctx, repo.id)
  forge.advance(7 * DAY_MS)
  await assert.rejects(
    transact(forge.ctx, (ctx) => undeleteStorage(ctx, repo.id)),
    { kind: 'not_found' },
  )
  await sweepStorages(forge.ctx)
  for (const pack of packs) assert.ok(await isStored(forge.ctx, pack), 'clocks may differ')
  forge.advance(HOUR_MS + 1)
  await sweepStorages(forge.ctx)
  for (const pack of packs) assert.equal(await isStored(forge.ctx, pack), false)
  for (const table of ['git_storage', 'git_ref', 'git_pack', 'git_storage_pack', 'git_generation'] as const)
    assert.equal((await forge.db.selectFrom(table).selectAll().execute()).length, 0, table)
})

test('an abandoned upload is swept after a day; a newer upload of the same content has its own bytes', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.commit(undefined)
  const pack = await repo.pack([oid])
  forge.advance(DAY_MS + 1)
  const newer = await repo.pack([oid])
  assert.equal(newer.digest, pack.digest)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, pack), false)
  assert.ok(await isStored(forge.ctx, newer))
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, newer), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack_unnamed').selectAll().execute(), [])
})

test('packs whose rows a failover lost are found in the store and deleted, and no others are', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const lost = await repo.pack([await repo.commit(oid)])
  await sql`delete from git_pack where id = ${lost.id}`.execute(forge.db)
  // The object store has its own clock.
  const [stored] = await Array.fromAsync(forge.ctx.store.list('git/'))
  assert.ok(stored)
  forge.advance(Math.ceil(stored.modified_at.getTime()) - forge.ctx.now().getTime() + 6 * DAY_MS)
  await sweepLostPacks(forge.ctx)
  assert.deepEqual(await forge.db.selectFrom('git_pack_doomed').select('id').execute(), [], 'it is too new')
  forge.advance(DAY_MS + HOUR_MS)
  await sweepLostPacks(forge.ctx)
  assert.deepEqual(await forge.db.selectFrom('git_pack_doomed').select('id').execute(), [{ id: lost.id }])
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, lost), false)
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a pack that the store refuses to delete does not block deletion of others', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.commit(undefined)
  const packs = [await repo.pack([oid]), await repo.pack([oid])].sort((a, b) => (a.id < b.id ? -1 : 1))
  const [first, second] = packs
  assert.ok(first && second)
  forge.advance(DAY_MS + 1)
  const { store } = forge.ctx
  const refusing = {
    ...store,
    delete: (key: string) =>
      key.includes(first.id) ? Promise.reject(new Error('object is locked')) : store.delete(key),
  }
  await sweepPacks({ ...forge.ctx, store: refusing })
  forge.advance(DAY_MS + 1)
  await sweepPacks({ ...forge.ctx, store: refusing })
  assert.deepEqual(await forge.db.selectFrom('git_pack_doomed').select('id').execute(), [{ id: first.id }])
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, first), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack_doomed').select('id').execute(), [])
})

test('announcing a pack does not wait for a push that holds the storage lock', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  await transact(forge.ctx, async (ctx) => {
    await lockStorage(ctx, repo.id)
    await repo.pack([await repo.commit(oid)])
  })
})

test('a push whose announcement was swept by a clock a day ahead is refused and can be retried', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.commit(undefined)
  const pack = await repo.pack([oid])
  const ahead = { ...forge.ctx, now: () => new Date(forge.ctx.now().getTime() + DAY_MS + 1) }
  await sweepPacks(ahead)
  await assert.rejects(repo.move('main', repo.zero, oid, [pack]), { kind: 'unavailable' })
  await repo.move('main', repo.zero, oid, [await repo.pack([oid])])
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('a deletion that is being swept cannot be reverted, whatever the clocks say', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  await remove(forge.ctx, repo.id)
  // The sweeper's clock is a month ahead, and its store does not answer.
  const ahead = () => new Date(forge.ctx.now().getTime() + 30 * DAY_MS)
  const store = { ...forge.ctx.store, delete: () => Promise.reject(new Error('away')) }
  await sweepStorages({ ...forge.ctx, now: ahead, store })
  await assert.rejects(
    transact(forge.ctx, (ctx) => undeleteStorage(ctx, repo.id)),
    { kind: 'not_found' },
  )
})

test('content pushed again while its old pack is being deleted keeps its new bytes', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  await repo.drop('main')
  await repo.retire(pack.id)
  forge.advance(DAY_MS + 1)
  const { store } = forge.ctx
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: deleting, resolve: begin } = Promise.withResolvers<void>()
  const slow = {
    ...store,
    delete: async (key: string) => {
      begin()
      await released
      await store.delete(key)
    },
  }
  const swept = sweepPacks({ ...forge.ctx, store: slow })
  await deleting
  // The sweeper waits for the store's delete without holding a transaction.
  const { rows } = await sql<{ held: number }>`select count(*) as held from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(forge.db)
  assert.equal(rows[0]?.held, 0)
  await repo.move('main', repo.zero, oid, [await repo.pack([oid])])
  release()
  await swept
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('packs named and unnamed during sweeps leave no bytes without a row and no row without bytes', {
  timeout: 300_000,
}, async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  for (let round = 0; round < ROUNDS; round++) {
    const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
    const [pack] = await listPacks(forge.db, fork)
    assert.ok(pack)
    await replacePacks(forge.ctx, fork, { add: [], replace: [pack.id] })
    forge.advance(DAY_MS + 1)
    await Promise.all([
      sweepPacks(forge.ctx),
      sleep(round).then(() => transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))),
      sweepPacks(forge.ctx),
    ])
    assert.ok(await isStored(forge.ctx, pack))
  }
})

test('nothing that a backup in progress may name is deleted', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  await repo.retire(pack.id)
  forge.advance(DAY_MS + 1)
  await duringBackup(forge.ctx, async () => {
    await sweepPacks(forge.ctx)
    assert.ok(await isStored(forge.ctx, pack))
  })
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, pack), false)
})

test('generations are deleted after a week', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  forge.advance(7 * DAY_MS)
  await repo.push()
  forge.advance(1)
  await sweepPacks(forge.ctx)
  assert.equal((await forge.db.selectFrom('git_generation').select('stamp').execute()).length, 1)
})
