/**
 * What LFS costs: many objects pushed and cloned by the real client, and one large object sent and fetched past the node,
 * compared with the same bytes at the S3 server without LFS. `npm run prove:lfs` runs it in full length.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { must } from '#platform/must'
import type { Forge } from '#testing'
import { batch, lfs } from '#testing/slices/lfs'
import { type DirectForge, startDirectForge } from '#testing/slices/lfs-direct'
import { LfsClient } from './client.ts'

const OBJECTS = Number(process.env.LFS_OBJECTS ?? 100)
const LARGE_BYTES = Number(process.env.LFS_BYTES ?? 64 * 1024 * 1024)
const CHUNK = Buffer.alloc(1024 * 1024, 'large object ')
const CLIENT = resolve('.tools/bin/git-lfs')
/** Generous, because CI machines are busy: LFS adds two short requests to each transfer. */
const RATIO_MAX = 3
const TIMEOUT_MS = 1_800_000

let site: DirectForge
let forge: Forge
before(async () => {
  site = await startDirectForge()
  forge = site.forge
  await forge.person('ann')
})
after(() => site[Symbol.asyncDispose]())

async function make(name: string): Promise<string> {
  const made = { name, private: true, default_branch: 'main' }
  assert.equal((await forge.call('ann', 'POST', '/user/repos', made)).status, 201)
  return `http://${forge.tokenOf('ann')}:x-oauth-basic@forge.test/ann/${name}.git`
}

async function assertNoBytesThroughNode(): Promise<void> {
  assert.doesNotMatch(await forge.world.telemetry.scrape(), /bloomery_lfs_bytes_total\{[^}]*\} [1-9]/)
}

test(`${OBJECTS} objects are pushed and cloned, and no byte passes through the node`, async (t) => {
  const url = await make('many')
  const path = existsSync(CLIENT) ? `${dirname(CLIENT)}:${process.env.PATH}` : (process.env.PATH ?? '')
  await using client = await LfsClient.open(forge.base, { PATH: path })
  client.timeoutMs = TIMEOUT_MS
  const tree = await client.clone(url, 'many')
  await mkdir(join(tree, 'objects'))
  for (let i = 0; i < OBJECTS; i++) await writeFile(join(tree, 'objects', `${i}.bin`), randomBytes(1_000))
  await client.commit(tree, { 'list.txt': 'objects' })
  const push = await timed(() => client.okIn(tree, 'push', '-q', 'origin', 'HEAD:main'))
  const clone = await timed(() => client.clone(url, 'again'))
  const again = join(client.folder, 'again')
  for (const i of [0, OBJECTS - 1]) {
    const name = `objects/${i}.bin`
    assert.deepEqual(await client.read(again, name), await client.read(tree, name))
  }
  assert.equal((await client.okIn(again, 'lfs', 'ls-files')).split('\n').length, OBJECTS)
  await assertNoBytesThroughNode()
  const version = (await client.ok('lfs', 'version')).split(' ')[0]
  t.diagnostic(`${version}: ${OBJECTS} objects pushed in ${push} s, cloned in ${clone} s`)
})

test(`an object of ${LARGE_BYTES} bytes takes about as long as at the store alone`, async (t) => {
  await make('large')
  const oid = await digestOf(Readable.from(content()))
  const pointer = { oid, size: LARGE_BYTES }
  const direct = must(forge.world.store.direct, 'S3 has addresses')
  site.syncClock()
  const times = { at: forge.ctx.now(), seconds: 3_600 }
  const key = 'plain/object'
  const plain = must(
    direct.createAddress(key, { ...times, bytes: LARGE_BYTES, sha256: oid }),
    'it fits into one request',
  )
  const plainUp = await timed(() => send(plain.url, plain.headers))
  const plainDown = await timed(async () =>
    assert.equal(await fetchDigest(direct.readAddress(key, times)), oid),
  )
  await forge.world.store.delete(key)
  site.syncClock()
  const up = await timed(async () => {
    const { json } = await batch(forge, 'ann', 'ann/large', 'upload', [pointer])
    const { upload, verify } = json.objects[0].actions
    await send(upload.href, upload.header)
    const { search } = new URL(verify.href)
    assert.equal(
      (await lfs(forge, 'ann', 'POST', 'ann/large', `/verify${search}`, { json: pointer })).status,
      200,
    )
  })
  site.syncClock()
  const down = await timed(async () => {
    const { json } = await batch(forge, 'ann', 'ann/large', 'download', [pointer])
    assert.equal(await fetchDigest(json.objects[0].actions.download.href), oid)
  })
  await assertNoBytesThroughNode()
  const ratios = { up: up / plainUp, down: down / plainDown }
  t.diagnostic(
    `${LARGE_BYTES} bytes: up ${up} s (S3 alone ${plainUp}, ratio ${ratios.up.toFixed(2)}), ` +
      `down ${down} s (S3 alone ${plainDown}, ratio ${ratios.down.toFixed(2)})`,
  )
  assert.ok(Math.max(ratios.up, ratios.down) < RATIO_MAX, JSON.stringify(ratios))
})

function* content(): Generator<Buffer> {
  for (let left = LARGE_BYTES; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left)
}

async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

async function send(url: string, headers: OutgoingHttpHeaders): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asking = request(url, { method: 'PUT', headers: { ...headers, 'content-length': LARGE_BYTES } })
  asking.on('error', reject).on('response', (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  await pipeline(Readable.from(content()), asking)
  assert.equal(await promise, 200)
}

async function fetchDigest(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url).on('error', reject).on('response', resolve).end()
  const response = await promise
  assert.equal(response.statusCode, 200)
  return digestOf(response)
}

/** In seconds. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return Math.round(performance.now() - began) / 1_000
}
