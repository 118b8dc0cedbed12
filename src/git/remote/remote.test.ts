/** Remote repositories: listed, fetched, mirrored, pushed to; and never at a forbidden address. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { pipeline } from 'node:stream'
import { after, before, test } from 'node:test'
import { transact } from '#platform/context'
import { openOutbound } from '#platform/outbound'
import { type Forge, GitClient, startForge } from '#testing'
import { setRefs } from '../refs/move.ts'
import { listRefs } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { gitInStorage, makeStorage, NO_POLICY } from '../testing.ts'
import { fetchFrom } from './fetch-from.ts'
import { listRemote } from './list-remote.ts'
import { pushTo } from './push-to.ts'

const LIMITS = { timeoutMs: 60_000, bytesMax: 50_000_000 }
let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const urlOf = (name: string) => `${forge.base}/ann/${name}.git`
const told = async (storageId: StorageId) =>
  (await listRefs(forge.db, storageId)).map(({ name, oid, peeled_oid }) => [name, oid, peeled_oid])

async function makeSource(name: string, format: 'sha1' | 'sha256' = 'sha1', isPrivate = false) {
  const body = { name, object_format_name: format, private: isPrivate }
  assert.equal((await forge.call('ann', 'POST', '/user/repos', body)).status, 201)
  const client = await GitClient.open(forge, 'ann', `ann/${name}`, format)
  await client.commit('a.txt', 'first')
  await client.ok('branch', 'next')
  await client.ok('tag', '--annotate', '--message', 'one', 'v1')
  await client.ok('push', 'origin', 'main', 'next', 'v1')
  return client
}

test('only requested extra refs are fetched, and only those that point to commits', async () => {
  await using client = await makeSource('others')
  const tip = await client.ok('rev-parse', 'main')
  const blob = await client.ok('rev-parse', 'main:a.txt')
  const tag = await client.ok('rev-parse', 'v1')
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('name', '=', 'others')
    .executeTakeFirstOrThrow()
  const refs = { 'refs/pull/1/head': tip, 'refs/pull/2/head': blob, 'refs/pull/3/head': tag }
  await transact(forge.ctx, (ctx) =>
    setRefs(ctx, storage_id, [
      ...Object.entries(refs).map(([name, oid]) => ({ name, oid })),
      { name: 'refs/pull/1/v/1', oid: tip },
    ]),
  )
  const names = async (also: readonly string[]) => {
    const storage = await makeStorage(forge.ctx, 'sha1')
    await fetchFrom(forge.ctx, storage, { url: urlOf('others') }, LIMITS, NO_POLICY, { patterns: also })
    return (await listRefs(forge.db, storage)).map(({ name }) => name)
  }
  const own = ['refs/heads/main', 'refs/heads/next', 'refs/tags/v1']
  assert.deepEqual(await names([]), own)
  assert.deepEqual((await names(['refs/pull/*/head'])).sort(), [...own, 'refs/pull/1/head'].sort())
})

for (const format of ['sha1', 'sha256'] as const)
  test(`branches and tags are fetched, then updates and deletions, by ${format}`, async () => {
    await using client = await makeSource(`source-${format}`, format)
    const remote = { url: urlOf(`source-${format}`) }
    const offer = await listRemote(forge.ctx, remote)
    assert.equal(offer.objectFormat, format)
    assert.equal(offer.head, 'refs/heads/main')
    assert.deepEqual([...offer.refs.keys()].sort(), ['refs/heads/main', 'refs/heads/next', 'refs/tags/v1'])
    const storage = await makeStorage(forge.ctx, format)
    const first = await fetchFrom(forge.ctx, storage, remote, LIMITS, NO_POLICY)
    assert.equal(first.updates.length, 3)
    const tip = await client.ok('rev-parse', 'main')
    const tag = await client.ok('rev-parse', 'v1')
    assert.deepEqual(await told(storage), [
      ['refs/heads/main', tip, null],
      ['refs/heads/next', tip, null],
      ['refs/tags/v1', tag, tip],
    ])
    await client.ok('commit', '--quiet', '--amend', '--message', 'another first')
    await client.ok('push', '--force', 'origin', 'main', ':next')
    await fetchFrom(forge.ctx, storage, remote, LIMITS, NO_POLICY)
    assert.deepEqual(await told(storage), [
      ['refs/heads/main', await client.ok('rev-parse', 'main'), null],
      ['refs/tags/v1', tag, tip],
    ])
    assert.equal(await gitInStorage(forge.ctx, storage, 'fsck', '--connectivity-only'), '')
    const again = await fetchFrom(forge.ctx, storage, remote, LIMITS, NO_POLICY)
    assert.deepEqual(again.updates, [])
  })

test('an empty remote has no refs; a private one requires credentials and accepts them', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'empty' })
  assert.equal((await listRemote(forge.ctx, { url: urlOf('empty') })).refs.size, 0)
  await using _client = await makeSource('closed', 'sha1', true)
  const asking = listRemote(forge.ctx, { url: urlOf('closed') })
  await assert.rejects(asking, { kind: 'invalid', message: /Authentication failed/ })
  const remote = { url: urlOf('closed'), username: 'ann', password: forge.tokenOf('ann') }
  assert.equal((await listRemote(forge.ctx, remote)).refs.size, 3)
})

test('a remote at an IPv6 address is listed and fetched', async (t) => {
  await using _client = await makeSource('sixth')
  const { port } = new URL(forge.base)
  const sixth = createTcpServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1')
    pipeline(socket, onward, socket, () => undefined)
  })
  sixth.listen(0, '::1').unref()
  const isListening = await once(sixth, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return t.skip('this machine has no IPv6')
  const remote = { url: `http://[::1]:${(sixth.address() as AddressInfo).port}/ann/sixth.git` }
  assert.equal((await listRemote(forge.ctx, remote)).refs.size, 3)
  const storage = await makeStorage(forge.ctx)
  assert.equal((await fetchFrom(forge.ctx, storage, remote, LIMITS, NO_POLICY)).updates.length, 3)
})

test('a push mirror creates and deletes branches like its source', async () => {
  await using client = await makeSource('here')
  await forge.call('ann', 'POST', '/user/repos', { name: 'there' })
  const remote = { url: urlOf('there'), username: 'ann', password: forge.tokenOf('ann') }
  const storage = await makeStorage(forge.ctx)
  await fetchFrom(forge.ctx, storage, { url: urlOf('here') }, LIMITS, NO_POLICY)
  await pushTo(forge.ctx, storage, remote, LIMITS)
  const names = async () => [...(await listRemote(forge.ctx, remote)).refs.keys()].sort()
  assert.deepEqual(await names(), ['refs/heads/main', 'refs/heads/next', 'refs/tags/v1'])
  await client.ok('push', 'origin', ':next')
  await fetchFrom(forge.ctx, storage, { url: urlOf('here') }, LIMITS, NO_POLICY)
  await pushTo(forge.ctx, storage, remote, LIMITS)
  assert.deepEqual(await names(), ['refs/heads/main', 'refs/tags/v1'])
})

test('a remote with too many refs is refused', async () => {
  const pkt = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const ref = (i: number) => `${i.toString(16).padStart(40, '0')} refs/heads/${'x'.repeat(200)}${i}`
  const refs = Array.from({ length: 150_000 }, (_, i) => pkt(`${ref(i + 1)}${i === 0 ? '\0agent=x' : ''}\n`))
  const answer = `${pkt('# service=git-upload-pack\n')}0000${refs.join('')}0000`
  const endless = createServer((_request, response) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    response.end(answer)
  })
  endless.listen(0, '127.0.0.1').unref()
  await once(endless, 'listening')
  const { port } = endless.address() as AddressInfo
  const asking = listRemote(forge.ctx, { url: `http://127.0.0.1:${port}/a.git` })
  await assert.rejects(asking, { kind: 'invalid', message: /too many refs/ })
})

test('an import above its size limit is aborted', async () => {
  await using client = await makeSource('grown')
  await client.commit('noise', Array.from({ length: 400_000 }, () => Math.random().toString(36)).join('\n'))
  await client.ok('push', 'origin', 'main')
  const storage = await makeStorage(forge.ctx)
  const slow = { ...LIMITS, bytesMax: 1_000 }
  const remote = { url: urlOf('grown') }
  await assert.rejects(fetchFrom(forge.ctx, storage, remote, slow, NO_POLICY), { kind: 'invalid' })
  assert.deepEqual(await told(storage), [])
})

test('git refuses forbidden addresses and does not follow redirects', async () => {
  await using _client = await makeSource('inside')
  const limits = { timeoutMs: 5_000, connectTimeoutMs: 1_000, answerBytesMax: 1_000, redirectsMax: 0 }
  const outbound = openOutbound({ ...limits, allowPrivate: false })
  const guarded = { ...forge.ctx, outbound }
  await assert.rejects(listRemote(guarded, { url: urlOf('inside') }), {
    kind: 'invalid',
    message: /not allowed/,
  })
  await outbound.close()
  const redirecting = createServer((request, response) => {
    response.writeHead(302, { location: `${forge.base}/ann/inside.git${request.url}` }).end()
  }).listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  const { port } = redirecting.address() as AddressInfo
  await assert.rejects(listRemote(forge.ctx, { url: `http://127.0.0.1:${port}` }), { kind: 'invalid' })
  redirecting.close()
})
