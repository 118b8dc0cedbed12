/** How often a push looks its repository up, which costs most of what a small push asks of the database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'ore' })
})
after(() => forge[Symbol.asyncDispose]())

test('a push opens its repository once for each request, and once in the transaction', async () => {
  await using git = await GitClient.open(forge, 'ann', 'ann/ore')
  await git.commit('a.txt', 'a\n')
  await git.ok('push', 'origin', 'main')
  await git.commit('b.txt', 'b\n')
  const opened = await forge.countQueries(() => git.ok('push', 'origin', 'main'), /^select "repository"\.\*/)
  // Git asks for the refs without credentials, then with them, and sends its pack.
  assert.equal(opened, 4)
})
