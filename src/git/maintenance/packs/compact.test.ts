/** Compaction, on a real database with real git: fewer packs and nothing lost, also during pushes. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { listRefs } from '../../refs/read.ts'
import { makeWorkTree } from '../../testing.ts'
import { gitIn, grow, isStored } from '../testing.ts'
import { verifyStorage } from '../verify.ts'
import { compact } from './compact.ts'
import { packsToJoin } from './geometry.ts'
import { countLivePacks, listPacks } from './pack-rows.ts'

const PUSHES = 50
const PUSHERS = 10
const PUSHES_EACH = 5

for (const { sizes, joined } of [
  { sizes: [], joined: [] },
  { sizes: [7], joined: [] },
  { sizes: [1, 2, 4, 8], joined: [] },
  { sizes: [3, 3], joined: [3, 3] },
  { sizes: [1, 1, 1, 100], joined: [1, 1, 1] },
  { sizes: [3, 3, 3, 10, 1000], joined: [3, 3, 3, 10] },
  { sizes: [1000, 3, 3, 3, 10, 50], joined: [3, 3, 3, 10, 50].slice(0, 4) },
])
  test(`of packs with ${sizes.join(', ') || 'nothing'} those with ${joined.join(', ') || 'nothing'} are joined`, () => {
    const packs = sizes.map((object_count) => ({ object_count }))
    assert.deepEqual(
      packsToJoin(packs).map((pack) => pack.object_count),
      joined,
    )
  })

test('fifty pushes over HTTP become a few packs, and every branch still clones', {
  timeout: 300_000,
}, async () => {
  await using forge = await startForge()
  const address = await makeRepository(forge)
  await using tree = await makeWorkTree()
  for (let i = 0; i < PUSHES; i++) {
    if (i % 10 === 0) await tree.git('checkout', '--quiet', '--orphan', `branch-${i / 10}`)
    await tree.write('file', `line ${i}`)
    await tree.commit(`line ${i}`)
    await tree.git('push', '--quiet', address, `HEAD:refs/heads/branch-${Math.floor(i / 10)}`)
  }
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .executeTakeFirstOrThrow()
  const before = await countLivePacks(forge.db, storage_id)
  assert.equal(before, PUSHES)
  const refs = await listRefs(forge.db, storage_id)

  assert.equal(await compact(forge.ctx, storage_id), 'done')
  assert.ok((await countLivePacks(forge.db, storage_id)) <= 4)
  assert.equal(await compact(forge.ctx, storage_id), 'nothing', 'it can be run again')
  assert.deepEqual(await listRefs(forge.db, storage_id), refs)
  await assertClones(address, refs)
  assert.deepEqual(
    (await verifyStorage(forge.ctx, storage_id)).findings,
    [],
    'so does a node that never saw it',
  )
})

test('packs replaced by compaction are retired, not deleted', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 9; i++) await repo.push()
  const old = await listPacks(forge.db, repo.id)
  assert.equal(await compact(forge.ctx, repo.id), 'done')
  const rows = await forge.db.selectFrom('git_storage_pack').selectAll().orderBy('retired_at').execute()
  assert.deepEqual(
    rows
      .filter((row) => row.retired_at !== null)
      .map((row) => row.pack_id)
      .sort(),
    old.map(({ id }) => id).sort(),
  )
  for (const pack of old) assert.ok(await isStored(forge.ctx, pack))
})

test('a large pack is neither rewritten nor downloaded', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 30; i++) await repo.push()
  await compact(forge.ctx, repo.id)
  const [large] = await listPacks(forge.db, repo.id)
  assert.equal(large?.kind, 'compact')
  for (let i = 0; i < 3; i++) await repo.push()
  // Empties the cache, so that only packs compaction needs are downloaded.
  await rm(forge.ctx.cache.scratch, { recursive: true })
  await forge.ctx.cache.pool.sweep()
  await forge.ctx.cache.open()
  await forge.ctx.cache.pool.sweep()
  const before = forge.ctx.cache.pool.counts.downloads
  assert.equal(await compact(forge.ctx, repo.id), 'done')
  assert.equal(forge.ctx.cache.pool.counts.downloads - before, 3)
  const packs = await listPacks(forge.db, repo.id)
  assert.equal(packs.length, 2)
  assert.ok(packs.some(({ digest }) => digest === large?.digest))
  assert.equal(await repo.git('rev-list', '--count', '--objects', '--all'), String(33 * 3))
})

test('of two concurrent compactions one does the work and the other gives up', {
  timeout: 120_000,
}, async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 12; i++) await repo.push()
  const outcomes = await Promise.all([1, 2, 3].map(() => compact(forge.ctx, repo.id)))
  assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1, outcomes.join())
  assert.equal((await listPacks(forge.db, repo.id)).length, 1)
  assert.equal(await repo.git('rev-list', '--count', 'main'), '12')
})

test('pushes during compaction lose no objects', { timeout: 600_000 }, async () => {
  await using forge = await startForge()
  const address = await makeRepository(forge)
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .executeTakeFirstOrThrow()
  const outcomes: string[] = []
  let isPushing = true
  const compacting = (async () => {
    while (isPushing) outcomes.push(await compact(forge.ctx, storage_id))
  })()
  const pushers = Array.from({ length: PUSHERS }, async (_, who) => {
    await using tree = await makeWorkTree()
    for (let i = 0; i < PUSHES_EACH; i++) {
      await tree.write('file', `${who} ${i}`)
      await tree.commit(`${who} ${i}`)
      await tree.git('push', '--quiet', address, `HEAD:refs/heads/of-${who}`)
    }
    return await tree.git('rev-parse', 'HEAD')
  })
  const tips = await Promise.all(pushers)
  isPushing = false
  await compacting

  assert.ok(outcomes.includes('done'), outcomes.join())
  const refs = await listRefs(forge.db, storage_id)
  assert.deepEqual(refs.map(({ oid }) => oid).sort(), tips.sort())
  await assertClones(address, refs)
  assert.deepEqual((await verifyStorage(forge.ctx, storage_id)).findings, [])
  const commits = await cloned(address, (folder) => gitIn(folder, 'rev-list', '--count', '--all'))
  assert.equal(commits, String(PUSHERS * PUSHES_EACH))
})

async function makeRepository(forge: Forge): Promise<string> {
  await forge.person('ada')
  const made = await forge.call('ada', 'POST', '/user/repos', { name: 'site' })
  assert.equal(made.status, 201)
  return `${forge.base.replace('//', `//ada:${forge.tokenOf('ada')}@`)}/ada/site.git`
}

/** Clones everything and compares it with the refs. */
async function assertClones(address: string, refs: readonly { name: string; oid: string }[]): Promise<void> {
  await cloned(address, async (folder) => {
    await gitIn(folder, 'fsck', '--full', '--strict')
    for (const { name, oid } of refs) assert.equal(await gitIn(folder, 'rev-parse', name), oid)
  })
}

async function cloned<T>(address: string, look: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-clone-'))
  try {
    await gitIn(folder, 'clone', '--quiet', '--mirror', address, '.')
    return await look(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
