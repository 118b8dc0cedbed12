/** Bitmaps and commit-graphs: made by a collection, present wherever the pack is, deleted with it, and optional. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startForge } from '#testing'
import { GitCache } from '../../cache/cache.ts'
import { packKey } from '../../packs/keys.ts'
import { sweepPacks } from '../sweep/sweep.ts'
import { DAY_MS, gitIn, grow } from '../testing.ts'
import { verifyStorage } from '../verify.ts'
import { collectGarbage } from './collect-garbage.ts'
import { compact } from './compact.ts'
import { listPacks } from './pack-rows.ts'

test('a node with an empty cache gets bitmap and commit-graph with the pack', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  for (let i = 0; i < 3; i++) await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  const cache = new GitCache({ folder: join(forge.ctx.cache.scratch, 'other-node'), bytesMax: 1_000_000_000 })
  await cache.open()
  await using lease = await cache.lease(forge.ctx, repo.id)
  assert.deepEqual(await endings(lease.path), ['bitmap', 'idx', 'pack'])
  assert.equal(await gitIn(lease.path, 'rev-list', '--test-bitmap', 'main'), '', 'git finds the bitmap right')
  await gitIn(lease.path, 'commit-graph', 'verify')
  assert.equal(await gitIn(lease.path, 'rev-list', '--count', 'main', '--', 'file-2'), '1')
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])
})

test('the next collection replaces the accelerators, and compacted packs have none', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  const path = await repo.git('rev-parse', '--absolute-git-dir')
  assert.deepEqual(await endings(path), ['bitmap', 'idx', 'pack'])
  await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  await repo.git('commit-graph', 'verify')
  assert.deepEqual(await endings(path), ['bitmap', 'idx', 'pack'])
  await repo.push()
  await repo.push()
  await compact(forge.ctx, repo.id)
  await repo.git('rev-parse', 'HEAD')
  assert.deepEqual(await endings(path), ['idx', 'pack'])
  assert.equal(existsSync(join(path, 'objects/info/commit-graph')), false)
})

test('accelerators are swept with their pack', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  for (const hint of ['bitmap', 'graph'] as const)
    assert.notEqual(await forge.ctx.store.stat(packKey(pack, hint)), undefined)
  await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  forge.advance(DAY_MS + 1)
  await sweepPacks(forge.ctx)
  const kept = (await listPacks(forge.db, repo.id)).map(({ digest }) => digest)
  const stored = await Array.fromAsync(forge.ctx.store.list('git/packs/'))
  assert.equal(stored.length, 4)
  for (const { key } of stored) assert.ok(kept.some((digest) => key.includes(digest)))
})

test('a repository whose bitmap or commit-graph is missing or corrupt is used without it', async () => {
  await using forge = await startForge()
  await using repo = await grow(forge.ctx)
  const oid = await repo.push()
  await collectGarbage(forge.ctx, repo.id)
  const [pack] = await listPacks(forge.db, repo.id)
  assert.ok(pack)
  await forge.ctx.store.delete(packKey(pack, 'bitmap'))
  await forge.ctx.store.delete(packKey(pack, 'graph'))
  assert.deepEqual((await verifyStorage(forge.ctx, repo.id)).findings, [])

  const path = await repo.git('rev-parse', '--absolute-git-dir')
  await writeFile(join(path, 'objects/info/commit-graph'), 'rot')
  assert.equal(await repo.git('rev-parse', 'main'), oid)
  await forge.ctx.cache.heal(forge.ctx, repo.id, 'rotten')
  assert.equal(await repo.git('rev-parse', 'main'), oid)
  const healed = await repo.git('rev-parse', '--absolute-git-dir')
  assert.deepEqual(await endings(healed), ['idx', 'pack'], 'what is rotten is not used again')
})

async function endings(path: string): Promise<string[]> {
  const names = await readdir(join(path, 'objects/pack'))
  return names.map((name) => name.split('.').at(-1) ?? '').sort()
}
