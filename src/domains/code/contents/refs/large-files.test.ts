/** The limit of single files: pushes and the file API are refused by name, with a hint to Git LFS. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'git.file_bytes_max': 1_000 } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  for (const name of ['site', 'api', 'old', 'many'])
    await forge.call('ann', 'POST', '/user/repos', { name, default_branch: 'main' })
})
after(() => forge[Symbol.asyncDispose]())

const LARGE = 'x'.repeat(1_001)

test('a push with a file above the limit is refused with its name, in any of its commits', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.commit('fits.bin', LARGE.slice(1))
  await client.ok('push', 'origin', 'HEAD:main')
  await client.commit('dir large.bin', LARGE)
  await client.ok('rm', '-q', 'dir large.bin')
  await client.commit('after.txt', 'the file is gone again')
  const refused = await client.run('push', 'origin', 'HEAD:main')
  assert.notEqual(refused.code, 0)
  assert.match(refused.output, /file dir large\.bin is larger than 1000 bytes: store it with Git LFS/)
  const branch = await forge.call('ann', 'GET', '/repos/ann/site/commits?sha=main')
  assert.equal(branch.body.length, 1)
})

test('only the refs that bring the file are refused', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/many')
  await client.commit('a.txt', 'a')
  await client.ok('branch', 'good')
  await client.commit('large.bin', LARGE)
  const mixed = await client.run('push', 'origin', 'HEAD:bad', 'good', 'HEAD:refs/tags/v1')
  assert.notEqual(mixed.code, 0)
  const branches = await forge.call('ann', 'GET', '/repos/ann/many/branches')
  assert.deepEqual(
    branches.body.map(({ name }: { name: string }) => name),
    ['good'],
  )
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/many/tags')).body.length, 0)
})

test('the file API refuses the file, too', async () => {
  const content = Buffer.from(LARGE).toString('base64')
  const { status } = await forge.call('ann', 'POST', '/repos/ann/api/contents/large.bin', { content })
  assert.equal(status, 413)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/api/contents/large.bin')).status, 404)
})

test('a file that a repository has from before the limit stays, and is pushed to new branches and forks', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/old')
  await client.commit('large.bin', LARGE)
  const { config } = forge.world
  Object.assign(config, { 'git.file_bytes_max': -1 })
  await client.ok('push', 'origin', 'HEAD:main')
  Object.assign(config, { 'git.file_bytes_max': 1_000 })
  await client.commit('more.txt', 'more')
  await client.ok('push', 'origin', 'HEAD:main', 'HEAD:refs/heads/other', 'HEAD:refs/tags/v1')
})
