/** The sweeper deletes what nobody names, when nobody can name it any more, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { addPacks, type PublishedPack } from '../packs/publish.ts'
import { lockStorage } from '../refs/update.ts'
import { forkStorage } from './fork.ts'
import { listPacks } from './pack-rows.ts'
import { sweepPacks } from './sweep.ts'
import { sweepStorages } from './sweep-storages.ts'
import { DAY_MS, type Growing, grow, HOUR_MS, isStored, remove } from './testing.ts'
import { undeleteStorage } from './undelete.ts'
import { verifyStorage } from './verify.ts'

const ROUNDS = 50
const DELETE_MS = 15

test('a retired pack is kept for a day, then its row and its bytes go', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  await repo.retire(pack.digest)
  forge.advance(DAY_MS)
  await sweepPacks(forge.ctx)
  assert.equal((await forge.db.selectFrom('git_repository_pack').selectAll().execute()).length, 1)
  assert.ok(await isStored(forge.ctx, pack.digest))
  forge.advance(1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, pack.digest), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack').select('digest').execute(), [])
  assert.deepEqual(await forge.db.selectFrom('git_pack_upload').select('digest').execute(), [])
})

test('bytes that a fork names stay, whatever becomes of the parent', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 3; i++) await repo.push()
  const fork = await transact(forge.ctx, (ctx) => forkStorage(ctx, repo.id))
  const packs = await listPacks(forge.db, repo.id)
  for (const { digest } of packs) await repo.retire(digest)
  forge.advance(2 * DAY_MS)
  await sweepPacks(forge.ctx)
  await remove(forge.ctx, repo.id)
  forge.advance(8 * DAY_MS)
  await sweepPacks(forge.ctx)
  await sweepStorages(forge.ctx)
  assert.deepEqual(
    await forge.db.selectFrom('git_repository').select('id').execute(),
    [{ id: fork }],
    'the parent is gone',
  )
  for (const { digest } of packs) assert.ok(await isStored(forge.ctx, digest))
  assert.deepEqual(await verifyStorage(forge.ctx, fork), { packs: 3, refs: 1, findings: [] })
})

test('a storage goes with all it had, but not before its deletion can no longer be taken back', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  const digests = (await listPacks(forge.db, repo.id)).map(({ digest }) => digest)
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
  assert.ok(await isStored(forge.ctx, digests[0] ?? ''), 'clocks may differ')
  forge.advance(HOUR_MS + 1)
  await sweepStorages(forge.ctx)
  for (const digest of digests) assert.equal(await isStored(forge.ctx, digest), false)
  for (const table of ['git_repository', 'git_ref', 'git_pack', 'git_repository_pack', 'git_push'] as const)
    assert.equal((await forge.db.selectFrom(table).selectAll().execute()).length, 0, table)
})

test('an upload that came to nothing is swept after a day; a newer one of the same pack keeps it', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await using other = await grow(forge.ctx)
  const oid = await repo.commit(undefined)
  const { digest } = await repo.pack([oid])
  forge.advance(DAY_MS + 1)
  await repo.pack([oid], other.id)
  await sweepPacks(forge.ctx)
  assert.ok(await isStored(forge.ctx, digest))
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, digest), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack_upload').selectAll().execute(), [])
})

test('an intent does not wait for the push that is being committed, and is swept though its storage is gone', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  const { digest } = await transact(forge.ctx, async (ctx) => {
    await lockStorage(ctx, repo.id)
    return repo.pack([await repo.commit(oid)])
  })
  await remove(forge.ctx, repo.id)
  forge.advance(8 * DAY_MS)
  // Somebody is still at it, for a storage that is just being swept.
  await repo.pack([oid])
  await sweepStorages(forge.ctx)
  assert.deepEqual(await forge.db.selectFrom('git_repository').select('id').execute(), [])
  assert.equal(await isStored(forge.ctx, digest), false)
  assert.ok(await isStored(forge.ctx, pack.digest))
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  assert.equal(await isStored(forge.ctx, pack.digest), false)
  assert.deepEqual(await forge.db.selectFrom('git_pack_upload').selectAll().execute(), [])
})

test('a pack that is published again while it is swept has its bytes', { timeout: 300_000 }, async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.commit(undefined)
  // A store takes its time, so that whoever comes at the wrong moment comes at the worst one.
  const { store } = forge.ctx
  const slow = {
    ...store,
    delete: (key: string) => sleep(DELETE_MS).then(() => store.delete(key)),
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { digest } = await name(forge, repo, oid)
    await repo.retire(digest)
    forge.advance(DAY_MS + 1)
    await Promise.all([
      sweepPacks({ ...forge.ctx, store: slow }),
      sleep((round % 10) * 4).then(() => name(forge, repo, oid)),
      sweepPacks({ ...forge.ctx, store: slow }),
    ])
    await assertStored(forge, repo)
  }
})

test('pushes are forgotten after a week', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  forge.advance(7 * DAY_MS)
  await repo.push()
  forge.advance(1)
  await sweepPacks(forge.ctx)
  assert.equal((await forge.db.selectFrom('git_push').select('id').execute()).length, 1)
})

/** Publishes and names a pack, as a push does. */
async function name(forge: Forge, repo: Growing, oid: string): Promise<PublishedPack> {
  const pack = await repo.pack([oid])
  await transact(forge.ctx, async (ctx) => addPacks(ctx, await lockStorage(ctx, repo.id), [pack]))
  return pack
}

async function assertStored(forge: Forge, repo: Growing): Promise<void> {
  const packs = await listPacks(forge.db, repo.id)
  assert.equal(packs.length, 1)
  for (const { digest } of packs) assert.ok(await isStored(forge.ctx, digest))
}
