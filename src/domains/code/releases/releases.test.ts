/** Releases: published with their tags, drafts visible to writers only, and assets. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { handler } from '#events/handler'
import { duringBackup } from '#platform/backup'
import { Problem } from '#platform/problem'
import { assertIndexed, type Forge, GitClient, insertMany, startForge } from '#testing'
import { sweepAttachments } from '../attachments/sweep.ts'
import { selectReleases } from './record/store.ts'

const DAY_MS = 24 * 3_600_000
let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  tip = await client.commit('a.txt', 'a')
  await client.ok('push', 'origin', 'main')
})
after(() => forge[Symbol.asyncDispose]())

const at = '/repos/ann/site/releases'
const counter = async () => (await forge.call(null, 'GET', '/repos/ann/site')).body.release_counter
const tagOf = async (name: string) => {
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  return await client.remoteRef(`refs/tags/${name}`)
}

test('publishing a release creates its tag, increments the counter and emits an event', async () => {
  const { status, body } = await forge.call('ann', 'POST', at, { tag_name: 'v1', name: 'One', body: 'Notes' })
  assert.equal(status, 201)
  assert.equal(await tagOf('v1'), tip)
  assert.equal(await counter(), 1)
  const event = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'release.published')
    .executeTakeFirstOrThrow()
  assert.equal((event.payload as { release_id?: number }).release_id, body.id)
})

test('a release that fails to publish leaves neither a tag nor a release', async () => {
  await using other = await startForge({
    config: { 'log.level': 'silent' },
    handlers: [
      handler('release.published', async () => {
        throw new Problem('conflict', 'not today')
      }),
    ],
  })
  await other.person('ann')
  await other.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  assert.equal((await other.call('ann', 'POST', at, { tag_name: 'v1' })).status, 409)
  assert.deepEqual((await other.call('ann', 'GET', '/repos/ann/site/tags')).body, [])
  assert.deepEqual((await other.call('ann', 'GET', at)).body, [])
})

test('a draft has no tag, only writers see it, and it becomes the latest release when published', async () => {
  const { body } = await forge.call('ann', 'POST', at, { tag_name: 'v2', draft: true })
  assert.equal(await tagOf('v2'), '')
  assert.equal((await forge.call('bob', 'GET', `${at}/${body.id}`)).status, 404)
  assert.equal((await forge.call('bob', 'GET', `${at}/tags/v2`)).status, 404)
  assert.equal((await forge.call('bob', 'GET', at)).body.length, 1)
  assert.equal((await forge.call('ann', 'GET', at)).body.length, 2)
  assert.equal((await forge.call(null, 'GET', `${at}/latest`)).body.tag_name, 'v1')
  forge.advance(1_000)
  assert.equal((await forge.call('ann', 'PATCH', `${at}/${body.id}`, { draft: false })).status, 200)
  assert.equal(await tagOf('v2'), tip)
  assert.equal((await forge.call(null, 'GET', `${at}/latest`)).body.tag_name, 'v2')
  assert.equal(await counter(), 2)
})

test('an asset is served byte for byte, its downloads are counted, and it is deleted with its release', async () => {
  const { body: release } = await forge.call('ann', 'POST', at, { tag_name: 'v3' })
  const bytes = randomBytes(1_500_000)
  const response = await fetch(`${forge.base}/api/v1${at}/${release.id}/assets?name=tool.bin`, {
    method: 'POST',
    body: bytes,
    headers: {
      authorization: `token ${forge.tokenOf('ann')}`,
      'content-type': 'application/octet-stream',
    },
  })
  const asset = (await response.json()) as { id: number; size: number; uuid: string }
  assert.equal(response.status, 201)
  assert.equal(asset.size, bytes.length)
  for (const address of [`/attachments/${asset.uuid}`, '/ann/site/releases/download/v3/tool.bin']) {
    const download = await fetch(forge.base + address)
    assert.equal(download.status, 200)
    assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes), address)
  }
  const shown = await forge.call(null, 'GET', `${at}/${release.id}/assets/${asset.id}`)
  assert.equal(shown.body.download_count, 2)
  assert.equal((await forge.call('ann', 'DELETE', `${at}/${release.id}`)).status, 204)
  assert.equal((await fetch(`${forge.base}/attachments/${asset.uuid}`)).status, 404)
  forge.advance(DAY_MS + 1_000)
  await sweepAttachments(forge.ctx)
  await duringBackup(forge.ctx, () => forge.deleteDiscarded())
  assert.notEqual(
    await forge.ctx.store.stat(`attachments/${asset.uuid.slice(0, 2)}/${asset.uuid}`),
    undefined,
  )
  await forge.deleteDiscarded()
  assert.equal(await forge.ctx.store.stat(`attachments/${asset.uuid.slice(0, 2)}/${asset.uuid}`), undefined)
  assert.equal(await tagOf('v3'), tip)
})

test('assets of a private repository are served only to its readers, others get 404', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
  await using client = await GitClient.open(forge, 'ann', 'ann/closed')
  await client.commit('a.txt', 'a')
  await client.ok('push', 'origin', 'main')
  const { body: release } = await forge.call('ann', 'POST', '/repos/ann/closed/releases', { tag_name: 'v1' })
  const form = new FormData()
  form.append('attachment', new Blob(['secret']), 'secret.txt')
  const response = await fetch(`${forge.base}/api/v1/repos/ann/closed/releases/${release.id}/assets`, {
    method: 'POST',
    body: form,
    headers: { authorization: `token ${forge.tokenOf('ann')}` },
  })
  const { uuid } = (await response.json()) as { uuid: string }
  const ask = async (as: string | null, address: string) =>
    (await forge.call(as, 'GET', `/${address}`)).status
  for (const address of [`/attachments/${uuid}`, '/ann/closed/releases/download/v1/secret.txt']) {
    assert.equal(await ask('ann', address), 200)
    assert.equal(await ask('bob', address), 404)
    assert.equal(await ask(null, address), 404)
  }
})

test('listing twenty releases takes as many queries as listing one', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  await using client = await GitClient.open(forge, 'ann', 'ann/many')
  await client.commit('a.txt', 'a')
  await client.ok('push', 'origin', 'main')
  const look = () => forge.countQueries(() => forge.call('ann', 'GET', '/repos/ann/many/releases'))
  await forge.call('ann', 'POST', '/repos/ann/many/releases', { tag_name: 'v0', draft: true })
  const few = await look()
  for (let i = 1; i < 20; i++)
    await forge.call('ann', 'POST', '/repos/ann/many/releases', { tag_name: `v${i}`, draft: true })
  assert.equal(await look(), few)
})

test('the releases of a repository are found by index among 100,000 rows', async () => {
  const { id, owner_id } = await forge.db
    .selectFrom('repository')
    .select(['id', 'owner_id'])
    .where('name', '=', 'site')
    .executeTakeFirstOrThrow()
  await sql`alter table release drop constraint release_repository_id_fkey`.execute(forge.db)
  await insertMany(
    forge.db,
    sql`insert into release (repository_id, tag, target, title, note, is_draft, is_prerelease, author_id,
      created_at, published_at)
    select 1000000 + n / 10, 'v' || n, '', '', '', false, false, ${owner_id}, now(), now()
    from generate_series(1, 100000) as n`,
  )
  await sql`analyze release`.execute(forge.db)
  const filter = { showsDrafts: false, isDraft: undefined, isPrerelease: undefined, tagPart: '' }
  const query = selectReleases(forge.db, id, filter)
  await assertIndexed(forge.db, query.selectAll().orderBy('id', 'desc').limit(30), 'release')
})
