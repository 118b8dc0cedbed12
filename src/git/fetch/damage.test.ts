/**
 * Damaged cache files, real and merely claimed: client input causes no repair, and a repair does not disturb other
 * readers.
 */

import assert from 'node:assert/strict'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { type Forge, GitClient, type Reply, startForge } from '#testing'
import { GitCache } from '../cache/cache.ts'
import { gitText } from '../command/run.ts'
import { NO_STORAGE } from '../tables.ts'

let forge: Forge
let tip = ''
let storageId = NO_STORAGE
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  tip = await ann.commit('file', 'content')
  await ann.ok('push', 'origin', 'main')
  const row = await forge.db.selectFrom('repository').select('storage_id').executeTakeFirstOrThrow()
  storageId = row.storage_id
})
after(() => forge[Symbol.asyncDispose]())
const cache = () => forge.world.cache
const lease = () => cache().lease(forge.ctx, storageId)

/** Git repeats the filter in its error message when it refuses it. */
function fetchWithFilter(filter: string): Promise<Reply> {
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const asked = [`filter ${filter}\n`, `want ${tip}\n`, 'done\n'].map(line).join('')
  const body = `${line('command=fetch\n')}0001${asked}0000`
  const type = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }
  return forge.call(null, 'POST', '//ann/site.git/git-upload-pack', body, type)
}

async function rot(path: string): Promise<void> {
  const folder = join(path, 'objects/pack')
  const name = (await readdir(folder)).find((it) => it.endsWith('.pack')) ?? assert.fail()
  const file = await open(join(folder, name), 'r+')
  await file.write(Buffer.alloc(40, 0x55), 0, 40, 60)
  await file.close()
}

test('error text that a client provoked is not taken for damage, even with 40 requests at once', async () => {
  await using mine = await lease()
  const heal = mock.method(cache().pool, 'heal')
  const words = ['corrupt', 'missing', 'packfile', 'blob:corrupt', 'tree:missing']
  await Promise.all(Array.from({ length: 40 }, (_, i) => fetchWithFilter(`${words[i % words.length]}${i}`)))
  await stat(join(mine.path, 'config'))
  await using next = await lease()
  assert.equal(next.path, mine.path, 'nobody made another copy')
  assert.ok(heal.mock.callCount() <= 1, `packs were read ${heal.mock.callCount()} times`)
  heal.mock.restore()
})

test('a failing repair does not cause an unhandled rejection', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  const heal = mock.method(cache(), 'heal', async () => assert.fail('the database is away'))
  await fetchWithFilter('corrupt')
  await waitUntil(() => heal.mock.callCount() > 0)
  heal.mock.restore()
  assert.equal((await forge.call(null, 'GET', '//healthz')).status, 200)
  process.off('unhandledRejection', hear)
  assert.deepEqual(unheard, [])
})

test('a damaged copy is rebuilt once, and current leases keep the old copy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-damage-'))
  const cache = new GitCache({ folder, bytesMax: 1e9 })
  await cache.open()
  try {
    const ctx = { ...forge.ctx, cache }
    const mine = await cache.lease(ctx, storageId)
    await rot(mine.path)
    const heals = Array.from({ length: 5 }, () => cache.heal(ctx, storageId, 'rotten'))
    // Later calls may find it sound again.
    assert.ok((await Promise.all(heals)).includes(true))
    {
      await using next = await cache.lease(ctx, storageId)
      assert.notEqual(next.path, mine.path)
      await gitText(ctx, { name: 'fsck', flags: ['--full'] }, { path: next.path })
      await stat(join(mine.path, 'config'))
    }
    assert.equal(cache.pool.counts.downloads, 2)
    await mine[Symbol.asyncDispose]()
    await assert.rejects(stat(mine.path), { code: 'ENOENT' })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a repository found sound is not read again at once', async () => {
  await cache().heal(forge.ctx, storageId, 'rotten')
  const heal = mock.method(cache().pool, 'heal')
  assert.equal(await cache().heal(forge.ctx, storageId, 'rotten'), false)
  assert.equal(heal.mock.callCount(), 0)
  heal.mock.restore()
})

async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; !isTrue() && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 10))
  assert.ok(isTrue(), 'it did not happen in time')
}
