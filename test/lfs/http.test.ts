/** Git LFS over HTTP with Debian's client, on one node and on three that share the store. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost } from '#testing/slices/lfs'
import { LfsClient } from './client.ts'

let forge: Forge
let ann: LfsClient
/** At other nodes. */
let bob: LfsClient
let eve: LfsClient
before(async () => {
  forge = await startForge({ nodes: 3 })
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  ann = await LfsClient.open(forge.bases[0] ?? '')
  bob = await LfsClient.open(forge.bases[1] ?? '')
  eve = await LfsClient.open(forge.bases[2] ?? '')
})
after(async () => {
  for (const it of [ann, bob, eve]) await it?.[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const urlOf = (as: string, path: string) => `http://${forge.tokenOf(as)}:x-oauth-basic@forge.test/${path}.git`

async function make(name: string, facts: object = {}): Promise<void> {
  const made = { name, private: true, default_branch: 'main', ...facts }
  assert.equal((await forge.call('ann', 'POST', '/user/repos', made)).status, 201)
}

test('files are pushed at one node, and cloned, fetched and pulled at others', async () => {
  await make('shared')
  await forge.call('ann', 'PUT', '/repos/ann/shared/collaborators/bob', { permission: 'write' })
  const tree = await ann.clone(urlOf('ann', 'ann/shared'), 'shared')
  const [small, large] = [randomBytes(1_000), randomBytes(20_000_000)]
  await ann.commit(tree, { 'small.bin': small, 'large.bin': large, 'text.txt': 'no object' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  const theirs = await bob.clone(urlOf('bob', 'ann/shared'), 'shared')
  assert.deepEqual(await bob.read(theirs, 'large.bin'), large)
  assert.deepEqual(await bob.read(theirs, 'small.bin'), small)
  assert.match(await bob.okIn(theirs, 'show', 'HEAD:large.bin'), /^version https:\/\/git-lfs/)
  const again = randomBytes(2_000)
  await bob.commit(theirs, { 'small.bin': again })
  await bob.okIn(theirs, 'push', '-q', 'origin', 'HEAD:main')
  await ann.okIn(tree, 'pull', '-q', 'origin', 'main')
  assert.deepEqual(await ann.read(tree, 'small.bin'), again)
  await ann.okIn(tree, 'lfs', 'fetch', '--all')
  assert.match(await ann.okIn(tree, 'lfs', 'fsck'), /fsck OK/)
  await assertNothingLost(forge)
})

test('a reader clones and does not push, a stranger gets neither', async () => {
  await make('closed')
  const tree = await ann.clone(urlOf('ann', 'ann/closed'), 'closed')
  await ann.commit(tree, { 'a.bin': 'secret bytes' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  await forge.call('ann', 'PUT', '/repos/ann/closed/collaborators/bob', { permission: 'read' })
  const theirs = await bob.clone(urlOf('bob', 'ann/closed'), 'closed')
  assert.equal(String(await bob.read(theirs, 'a.bin')), 'secret bytes')
  await bob.commit(theirs, { 'b.bin': 'mine' })
  const refused = await bob.runIn(theirs, 'lfs', 'push', 'origin', 'HEAD')
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr + refused.stdout, /permission|Authorization/)
  assert.notEqual((await eve.run('clone', '-q', urlOf('eve', 'ann/closed'), 'closed')).code, 0)
})

test('a locked file cannot be pushed by another user until it is unlocked', async () => {
  await make('locked')
  await forge.call('ann', 'PUT', '/repos/ann/locked/collaborators/bob', { permission: 'write' })
  const tree = await ann.clone(urlOf('ann', 'ann/locked'), 'locked')
  await ann.commit(tree, { 'a.bin': 'one' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  await ann.okIn(tree, 'lfs', 'lock', 'a.bin')
  const theirs = await bob.clone(urlOf('bob', 'ann/locked'), 'locked')
  assert.match(await bob.okIn(theirs, 'lfs', 'locks'), /a\.bin\s+ann/)
  await bob.commit(theirs, { 'a.bin': 'two' })
  await bob.okIn(theirs, 'config', 'lfs.locksverify', 'true')
  const refused = await bob.runIn(theirs, 'push', 'origin', 'HEAD:main')
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /Cannot update locked files/)
  assert.notEqual((await bob.runIn(theirs, 'lfs', 'unlock', '--force', 'a.bin')).code, 0)
  await ann.okIn(tree, 'lfs', 'unlock', 'a.bin')
  await bob.okIn(theirs, 'push', '-q', 'origin', 'HEAD:main')
})

test('a clone of a public repository needs no credentials', async () => {
  await make('public', { private: false })
  const tree = await ann.clone(urlOf('ann', 'ann/public'), 'public')
  await ann.commit(tree, { 'a.bin': 'for everybody' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  const theirs = await eve.clone('http://forge.test/ann/public', 'public')
  assert.equal(String(await eve.read(theirs, 'a.bin')), 'for everybody')
})

test('a fork is cloned with the objects of its parent, and takes commits of the parent without them', async () => {
  await make('parent', { private: false })
  const tree = await ann.clone(urlOf('ann', 'ann/parent'), 'parent')
  await ann.commit(tree, { 'a.bin': 'before the fork' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/parent/forks', {})).status, 202)
  await ann.commit(tree, { 'b.bin': 'after the fork' })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  const theirs = await bob.clone(urlOf('bob', 'bob/parent'), 'fork')
  assert.equal(String(await bob.read(theirs, 'a.bin')), 'before the fork')
  // Bob never has the object: only its pointer comes with the commits.
  await bob.okIn(theirs, 'fetch', '-q', urlOf('bob', 'ann/parent'), 'main')
  await bob.okIn(theirs, 'push', '-q', 'origin', 'FETCH_HEAD:refs/heads/main')
  const fresh = await bob.clone(urlOf('bob', 'bob/parent'), 'fresh')
  assert.equal(String(await bob.read(fresh, 'b.bin')), 'after the fork')
})

test('a download that broke off goes on where it ended', async () => {
  await make('resumed')
  const tree = await ann.clone(urlOf('ann', 'ann/resumed'), 'resumed')
  const content = randomBytes(3_000_000)
  await ann.commit(tree, { 'a.bin': content })
  await ann.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  const [, oid = ''] = /sha256:(\w+)/.exec(await ann.okIn(tree, 'show', 'HEAD:a.bin')) ?? []
  await using client = await LfsClient.open(forge.base)
  await client.ok('lfs', 'install', '--skip-repo', '--skip-smudge', '--force')
  await client.ok('clone', '-q', urlOf('ann', 'ann/resumed'), 'resumed')
  const theirs = join(client.folder, 'resumed')
  const incomplete = join(theirs, '.git/lfs/incomplete')
  await mkdir(incomplete, { recursive: true })
  await writeFile(join(incomplete, `${oid}.part`), content.subarray(0, 2_000_000))
  const before = await sentBytes()
  await client.okIn(theirs, 'lfs', 'pull')
  assert.deepEqual(await client.read(theirs, 'a.bin'), content)
  assert.equal((await sentBytes()) - before, 1_000_000)
})

/** By the first node. */
async function sentBytes(): Promise<number> {
  const metrics = await forge.world.telemetry.scrape()
  return Number(/bloomery_lfs_bytes_total\{direction="download"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}
