/**
 * External servers cannot direct the forge to internal addresses: not by a redirect, not by a name that changes while it
 * is called, not by a URL in an answer. Here 127.0.0.2 counts as public, and all other addresses are checked as usual.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Forge, GitClient, startForge, until, untilIdle } from '#testing'
import { startWorker, type Worker } from '../../src/jobs/index.ts'
import { isAllowedAddress } from '../../src/platform/outbound/addresses.ts'
import { type OutboundClient, openClient } from '../../src/platform/outbound/client.ts'
import { systemLookup } from '../../src/platform/outbound/target.ts'
import { NAMES } from './addresses.ts'
import { Canary } from './canary.ts'
import { OUTSIDE, Outside } from './outside.ts'
import { Resolver } from './resolver.ts'

const LIMITS = { timeoutMs: 30_000, connectTimeoutMs: 10_000, answerBytesMax: 1_000_000, redirectsMax: 5 }
const NOT_ALLOWED = 'address is not allowed'
/** Every kind of redirect, only to addresses on this machine: a client that followed must not leave it. */
const WAYS = [
  [301, 'http://127.0.0.1:PORT/x.git'],
  [302, 'http://127.1:PORT/x.git'],
  [303, '//0x7f000001:PORT/x.git'],
  [307, 'http://[::1]:PORT/x.git'],
  [308, 'http://localhost:PORT/x.git'],
  [302, 'http://[::ffff:127.0.0.1]:PORT/x.git'],
  [307, 'http://0.0.0.0:PORT/x.git'],
  [302, 'http://ann:sesame@127.0.0.1:PORT/x.git'],
  [308, 'http://loopback.test:PORT/x.git'],
  [302, 'ftp://127.0.0.1:PORT/x.git'],
] as const

let canary: Canary
let resolver: Resolver
let outbound: OutboundClient
let forge: Forge
let worker: Worker
let outside: Outside
let made = 0

before(async () => {
  canary = await Canary.open()
  resolver = new Resolver({ ...NAMES, 'outside.test': [[OUTSIDE]] })
  const isAllowed = (address: string) => address === OUTSIDE || isAllowedAddress(address, false)
  outbound = openClient({ ...LIMITS, isAllowed, allowedHosts: [], blockedHosts: [], lookup: systemLookup })
  forge = await startForge({ outbound, config: { 'log.level': 'silent' } })
  outside = await Outside.open(forge.base)
  worker = await startWorker(forge.ctx, forge.pool, forge.work)
  await forge.person('eve')
  await forge.call('eve', 'POST', '/user/repos', { name: 'source' })
  await using client = await GitClient.open(forge, 'eve', 'eve/source')
  await client.commit('a.txt', 'a')
  await client.ok('push', '--quiet', 'origin', 'main')
})

beforeEach(() => {
  outside.leads = undefined
  outside.heard.length = 0
})

after(async () => {
  await worker.stop()
  await forge[Symbol.asyncDispose]()
  await outbound.close()
  await outside[Symbol.asyncDispose]()
  resolver[Symbol.dispose]()
  await canary[Symbol.asyncDispose]()
})

const at = (path: string, host = 'outside.test') => `http://${host}:${outside.port}${path}`
const migrate = (body: object) =>
  forge.call('eve', 'POST', '/repos/migrate', {
    repo_name: `copy-${made++}`,
    clone_addr: at('/eve/source.git'),
    ...body,
  })

test('a source without redirects is called, by git and by the forge', async () => {
  assert.equal((await migrate({})).status, 201)
  assert.ok(outside.heard.length > 0)
})

for (const [status, to] of WAYS)
  test(`a redirect (${status}) to ${to} is not followed`, async () => {
    const { body: mirror } = await migrate({ mirror: true })
    const { body: pushed } = await migrate({})
    outside.leads = { status, to: canary.at(to) }
    outside.heard.length = 0

    for (const wish of [{}, { mirror: true }]) assert.equal((await migrate(wish)).status, 422)
    assert.match(await errorOfSync(mirror), /^Migration failed/)
    const target = { remote_address: at('/eve/target.git'), interval: '0' }
    assert.match(await errorOfPush(pushed, target), /^Migration failed/)
    assert.equal(outside.heard.length, 4, 'each of them has called, and has gone no further')
    assert.equal(await errorOfHook(at('/hook')), `unexpected response status: ${status}`)
    assert.equal(outside.heard.length, 5)
    assert.deepEqual(canary.heard, [])
  })

test('files of releases are imported from external addresses only, whatever the source states', async () => {
  const { body: release } = await forge.call('eve', 'POST', '/repos/eve/source/releases', { tag_name: 'v1' })
  const asset = `/repos/eve/source/releases/${release.id}/assets?name=tool.bin`
  const octets = { 'content-type': 'application/octet-stream' }
  assert.equal((await forge.call('eve', 'POST', asset, 'tool', octets)).status, 201)
  const wish = { service: 'gitea', releases: true, auth_token: forge.tokenOf('eve') }
  outside.renames = at('')
  assert.equal((await migrate(wish)).status, 201)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1']) {
    outside.renames = `http://${host}:${canary.port}`
    const { status, body } = await migrate(wish)
    assert.deepEqual([status, body.message], [422, NOT_ALLOWED], host)
  }
  outside.renames = at('')
  for (const from of [/\/api\//, /\/releases\/download\//])
    for (const [status, to] of WAYS) {
      outside.leads = { status, to: canary.at(to), from }
      assert.equal((await migrate(wish)).status, 422, `${from}: ${to}`)
      assert.match(outside.heard.at(-1) ?? '', from)
    }
  outside.renames = ''
  assert.deepEqual(canary.heard, [])
})

test('a repository whose alternates are internal is not imported', async () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    outside.alternates = `http://${host}:${canary.port}/x.git/objects`
    assert.equal((await migrate({ clone_addr: at('/folder.git') })).status, 422)
    assert.ok(outside.heard.includes('/folder.git/objects/info/http-alternates'))
  }
  assert.deepEqual(canary.heard, [])
})

test('an internal LFS server is refused, and none is called without objects', async () => {
  const lfs_endpoint = `http://127.0.0.1:${canary.port}/lfs`
  assert.equal((await migrate({ lfs: true, lfs_endpoint })).status, 422)
  assert.equal((await migrate({ lfs: true })).status, 201)
  assert.deepEqual(canary.heard, [])
})

test('a name is called at the checked address, though it is internal a moment later', async () => {
  const clone_addr = at('/eve/source.git', 'turning.test')
  // It is resolved when the import is requested, when git lists, and when git fetches; git itself resolves nothing.
  resolver.set('turning.test', [OUTSIDE], [OUTSIDE], [OUTSIDE], ['127.0.0.1'])
  assert.equal((await migrate({ clone_addr })).status, 201)
  for (const times of [1, 2]) {
    resolver.set('turning.test', ...Array.from({ length: times }, () => [OUTSIDE]), ['127.0.0.1'])
    const { status, body } = await migrate({ clone_addr })
    assert.deepEqual([status, body.message], [422, NOT_ALLOWED])
  }
  resolver.set('turning.test', [OUTSIDE], ['127.0.0.1'])
  assert.equal(await errorOfHook(at('/api/v1/hook', 'turning.test')), 'unexpected response status: 404')
  assert.equal(outside.heard.at(-1), '/api/v1/hook')
  assert.deepEqual(canary.heard, [])
})

async function errorOfSync({ id, full_name }: { id: number; full_name: string }): Promise<string> {
  assert.equal((await forge.call('eve', 'POST', `/repos/${full_name}/mirror-sync`)).status, 200)
  const find = () =>
    forge.db
      .selectFrom('mirror')
      .select('last_error')
      .where('repository_id', '=', id)
      .executeTakeFirstOrThrow()
  await until(async () => (await find()).last_error !== '')
  return (await find()).last_error
}

async function errorOfPush({ full_name }: { full_name: string }, target: object): Promise<string> {
  const path = `/repos/${full_name}/push_mirrors`
  assert.equal((await forge.call('eve', 'POST', path, target)).status, 200)
  assert.equal((await forge.call('eve', 'POST', `${path}-sync`)).status, 200)
  const find = async () => (await forge.call('eve', 'GET', path)).body[0].last_error
  await until(async () => (await find()) !== '')
  return find()
}

/** Waits first, so that earlier events are not delivered to it. */
async function errorOfHook(url: string): Promise<string> {
  await untilIdle(forge)
  const config = { url, content_type: 'json' }
  const wish = { type: 'gitea', active: true, events: ['repository'], config }
  const { body: hook } = await forge.call('eve', 'POST', '/user/hooks', wish)
  await forge.call('eve', 'POST', '/user/repos', { name: `news-${made++}` })
  const find = async () => (await forge.call('eve', 'GET', `/user/hooks/${hook.id}/deliveries`)).body[0]
  await until(async () => (await find())?.attempts > 0)
  const { error } = await find()
  await forge.call('eve', 'DELETE', `/user/hooks/${hook.id}`)
  return error
}
