/** Debian's git-lfs against three nodes, with its bytes straight to and from an S3 server. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost } from '#testing/slices/lfs'
import { type S3Server, startS3Server } from '../../src/cli/s3-server.ts'
import { LfsClient } from './client.ts'

let folder: string
let server: S3Server
let forge: Forge
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-lfs-s3-'))
  server = await startS3Server({ folder })
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server.store
  forge = await startForge({
    nodes: 3,
    config: {
      'lfs.direct': true,
      'store.driver': 's3',
      'store.endpoint': endpoint,
      'store.bucket': bucket,
      'store.access_key_id': accessKeyId,
      'store.secret_access_key': secretAccessKey,
    },
  })
  // The store compares signatures with its own clock.
  forge.advance(performance.timeOrigin + performance.now() - forge.ctx.now().getTime())
  await forge.person('ann')
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

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
