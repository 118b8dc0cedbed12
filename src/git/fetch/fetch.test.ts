/** Fetching with the real git client, from caches that are warm, cold, deleted and damaged. */

import assert from 'node:assert/strict'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, type Reply, startForge } from '#testing'
import { GitCache } from '../cache/cache.ts'
import type { StorageId } from '../tables.ts'

let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  for (let i = 0; i < 5; i++) tip = await ann.commit(`file${i}`, `content ${i}`)
  await ann.ok('push', 'origin', 'main')
})
after(() => forge[Symbol.asyncDispose]())

const storageId = async (name = 'site') =>
  (
    await forge.db
      .selectFrom('repository')
      .select('storage_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).storage_id
const cacheFolder = () => forge.world.config['git.cache_folder']

let clones = 0
/** Each clone sends other arguments: a shared answer would not need the repository. */
async function assertClones(flag = `--filter=blob:limit=${100 + clones++}m`): Promise<void> {
  await using client = await GitClient.open(forge, null, 'ann/site')
  await client.ok('fetch', flag, 'origin', 'main')
  assert.equal(await client.ok('rev-parse', 'FETCH_HEAD'), tip)
}

for (const version of ['0', '1', '2'])
  test(`protocol ${version}: refs and packs, whole, shallow, partial`, async () => {
    await using client = await GitClient.open(forge, null, 'ann/site')
    await client.ok('config', 'protocol.version', version)
    assert.match(await client.ok('ls-remote', '--symref', 'origin', 'HEAD'), /ref: refs\/heads\/main\tHEAD/)
    await client.ok('fetch', '--depth=2', 'origin', 'main')
    assert.equal(await client.ok('rev-list', '--count', 'FETCH_HEAD'), '2')
    await client.ok('fetch', '--unshallow', 'origin', 'main')
    assert.equal(await client.ok('rev-list', '--count', 'FETCH_HEAD'), '5')
    await assertClones('--filter=blob:none')
  })

test('refs are advertised without a git process', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nonexistent'
  try {
    const old = await forge.call(null, 'GET', '//ann/site.git/info/refs?service=git-upload-pack')
    assert.match(String(old.body), new RegExp(`${tip} refs/heads/main`))
    const type = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }
    const asked = await forge.call(
      null,
      'POST',
      '//ann/site.git/git-upload-pack',
      '0014command=ls-refs\n0001000cpeel\n0000'.replace('000cpeel', '0009peel'),
      type,
    )
    assert.match(String(asked.body), new RegExp(`${tip} refs/heads/main`))
  } finally {
    process.env.PATH = path
  }
})

test('a node with an empty cache serves clones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-cold-'))
  const cache = new GitCache({ folder, bytesMax: 1e9 })
  await cache.open()
  try {
    await using lease = await cache.lease(forge.ctx, await storageId())
    assert.equal((await readdir(join(lease.path, 'objects/pack'))).length, 2)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a deleted cache is rebuilt', async () => {
  await assertClones()
  await rm(join(cacheFolder(), 'repositories'), { recursive: true })
  await assertClones()
  await rm(join(cacheFolder(), 'packs'), { recursive: true })
  await rm(join(cacheFolder(), 'repositories'), { recursive: true })
  await forge.world.cache.pool.open()
  await assertClones()
})

test('a corrupt pack in the cache is detected and downloaded again', async () => {
  await assertClones()
  const folder = join(cacheFolder(), 'packs')
  for (const name of (await readdir(folder)).filter((it) => it.endsWith('.pack'))) {
    const file = await open(join(folder, name), 'r+')
    await file.write(Buffer.alloc(40, 0x55), 0, 40, 60)
    await file.close()
  }
  await using client = await GitClient.open(forge, null, 'ann/site')
  // A depth that no earlier test used: an earlier answer might still be shared.
  const fetch = () => client.run('fetch', '--depth=3', 'origin', 'main')
  const first = await fetch()
  assert.notEqual(first.code, 0, 'the damage was not seen: the test proved nothing')
  for (let tries = 0; tries < 20 && (await fetch()).code !== 0; tries++);
  await assertClones()
})

function askForClone(depth: number): Promise<Reply> {
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const asked = ['no-progress\n', `deepen ${depth}\n`, `want ${tip}\n`, 'done\n'].map(line).join('')
  const body = `${line('command=fetch\n')}${line('agent=test\n')}0001${asked}0000`
  const type = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }
  return forge.call(null, 'POST', '//ann/site.git/git-upload-pack', body, type)
}

test('129 shallow clones of one commit at once compute one pack', async () => {
  const before = forge.world.cache.answers.counts.computed
  const answers = await Promise.all(Array.from({ length: 129 }, () => askForClone(1)))
  assert.equal(new Set(answers.map((it) => String(it.body))).size, 1)
  assert.match(String(answers[0]?.body), /PACK/)
  assert.equal(forge.world.cache.answers.counts.computed - before, 1)
})

test('an answer is still shared after the cache was deleted', async () => {
  const first = await askForClone(4)
  assert.match(String(first.body), /PACK/)
  const { shared } = forge.world.cache.answers.counts
  await rm(cacheFolder(), { recursive: true })
  const second = await askForClone(4)
  assert.equal(second.status, 200)
  assert.equal(String(second.body), String(first.body))
  assert.equal(forge.world.cache.answers.counts.shared, shared + 1)
})

test('the least recently used repository is evicted when the budget is spent, but never a leased one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-small-'))
  const cache = new GitCache({ folder, bytesMax: 1 })
  await cache.open()
  const id = await storageId()
  try {
    const lease = await cache.lease(forge.ctx, id)
    await using second = await cache.lease(forge.ctx, id)
    await lease[Symbol.asyncDispose]()
    assert.ok((await readdir(join(second.path, 'objects/pack'))).length > 0, 'it is still in use')
    await second[Symbol.asyncDispose]()
    await assert.rejects(readdir(second.path), 'it was evicted')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('packs left by an earlier process are reused, and evicted first when the budget is spent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-left-'))
  const id = await storageId()
  const start = async (bytesMax: number) => {
    const cache = new GitCache({ folder, bytesMax })
    await cache.open()
    return cache
  }
  const use = async (cache: GitCache, storage: StorageId) => {
    await using _lease = await cache.lease(forge.ctx, storage)
  }
  const left = () => readdir(join(folder, 'packs'))
  try {
    await use(await start(1e9), id)
    assert.equal((await left()).length, 2)
    const second = await start(1e9)
    await use(second, id)
    assert.equal(second.pool.counts.downloads, 0)

    const sizes = await Promise.all((await left()).map((name) => stat(join(folder, 'packs', name))))
    const third = await start(sizes.reduce((sum, { size }) => sum + size, 0))
    assert.equal((await left()).length, 2, 'there is just enough room')
    await forge.call('ann', 'POST', '/user/repos', { name: 'other' })
    await using ann = await GitClient.open(forge, 'ann', 'ann/other')
    await ann.commit('other', 'other')
    await ann.ok('push', 'origin', 'main')
    const before = await left()
    await use(third, await storageId('other'))
    const after = await left()
    assert.equal(after.length, 2)
    assert.ok(!before.some((name) => after.includes(name)), 'what was left behind is still there')

    await use(await start(1e9), id)
    await start(1)
    assert.deepEqual(await left(), [], 'the budget may be smaller than it was')
  } finally {
    await rm(folder, { recursive: true })
  }
})

for (const [what, body, status] of [
  ['no length', 'zzzz', 400],
  ['a length of its own making', '0003', 400],
  ['an unknown command', '0013command=dance\n0000', 400],
  ['a command that is missing', '000bagent=\n0000', 400],
  ['a null character', '0014command=ls-refs\n00010014ref-prefix refs\0/0000', 400],
] as const)
  test(`a request of protocol 2 with ${what}: ${status}`, async () => {
    const type = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }
    assert.equal(
      (await forge.call(null, 'POST', '//ann/site.git/git-upload-pack', body, type)).status,
      status,
    )
  })

test('refs are advertised as they are now, even when an advertisement was cached a moment ago', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/many')
  const root = await ann.commit('a', 'a')
  // Enough refs for an advertisement that is cached.
  const names = Array.from({ length: 200 }, (_, i) => `refs/heads/branch-${i}`)
  await ann.ok('push', '--quiet', 'origin', ...names.map((name) => `main:${name}`))
  for (const version of ['0', '2']) {
    await ann.ok('config', 'protocol.version', version)
    const told = () => ann.ok('ls-remote', 'origin')
    await told()
    const second = await ann.commit('b', `b for ${version}`)
    await ann.ok('push', '--quiet', 'origin', 'main:refs/heads/branch-7')
    const first = await forge.countQueries(async () =>
      assert.match(await told(), new RegExp(`${second}\\trefs/heads/branch-7\n`)),
    )
    assert.ok((await forge.countQueries(told)) < first, 'told again without being read again')
    await ann.ok('push', '--quiet', 'origin', ':refs/heads/branch-8')
    assert.doesNotMatch(await told(), /branch-8\n/)
    await ann.ok('push', '--quiet', 'origin', `${root}:refs/heads/branch-8`)
  }
  await forge.call('ann', 'PATCH', '/repos/ann/many', { default_branch: 'branch-9' })
  assert.match(await ann.ok('ls-remote', '--symref', 'origin', 'HEAD'), /ref: refs\/heads\/branch-9\tHEAD/)
})
