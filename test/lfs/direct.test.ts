/** Debian's git-lfs against three nodes, with its bytes straight to and from an S3 server. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Forge } from '#testing'
import { assertNothingLost } from '#testing/slices/lfs'
import { type DirectForge, startDirectForge } from '#testing/slices/lfs-direct'
import { LfsClient } from './client.ts'

let direct: DirectForge
let forge: Forge
before(async () => {
  direct = await startDirectForge({ nodes: 3 })
  forge = direct.forge
  await forge.person('ann')
})
after(() => direct[Symbol.asyncDispose]())

test('objects are pushed at one node and cloned at another, past both', async () => {
  const made = { name: 'site', private: true, default_branch: 'main' }
  assert.equal((await forge.call('ann', 'POST', '/user/repos', made)).status, 201)
  const url = `http://${forge.tokenOf('ann')}:x-oauth-basic@forge.test/ann/site.git`
  await using here = await LfsClient.open(forge.bases[0] ?? '')
  await using there = await LfsClient.open(forge.bases[2] ?? '')
  const tree = await here.clone(url, 'site')
  const files = { 'large.bin': randomBytes(30_000_000), 'small.bin': randomBytes(100) }
  await here.commit(tree, files)
  await here.okIn(tree, 'push', '-q', 'origin', 'HEAD:main')
  const theirs = await there.clone(url, 'site')
  for (const [name, content] of Object.entries(files))
    assert.deepEqual(await there.read(theirs, name), content)
  assert.doesNotMatch(await forge.world.telemetry.scrape(), /bloomery_lfs_bytes_total\{[^}]*\} [1-9]/)
  await assertNothingLost(forge)
})
