/**
 * The forge cannot be made to call internal addresses. One table of addresses is tried with everything that takes
 * addresses, on a forge with default settings, while a canary listens on internal addresses and must get no connection.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Forge, startForge, until, untilIdle } from '#testing'
import { sealCredentials } from '../../src/domains/remotes/imports/sources/source.ts'
import { startWorker, type Worker } from '../../src/jobs/index.ts'
import { INSIDE, NAMES, OTHER_SCHEMES, PUBLIC } from './addresses.ts'
import { Canary } from './canary.ts'
import { Resolver } from './resolver.ts'

const NOT_ALLOWED = 'address is not allowed'
/** All messages that explain a refused call. */
const REFUSED =
  /^(address is not allowed|URL must not contain credentials|invalid URL|URL must be http or https)$/
const REPOSITORY = '/repos/eve/own'

let forge: Forge
let worker: Worker
let canary: Canary
let resolver: Resolver
let inside: readonly string[]
let everything: readonly string[]

before(async () => {
  canary = await Canary.open()
  inside = INSIDE.map(([address]) => canary.at(address))
  everything = [...inside, ...OTHER_SCHEMES.map((address) => canary.at(address))]
  resolver = new Resolver(NAMES)
  forge = await startForge({ config: { 'log.level': 'silent' } })
  worker = await startWorker(forge.ctx, forge.pool, forge.work)
  await forge.person('eve')
  assert.equal((await forge.call('eve', 'POST', '/user/repos', { name: 'own', auto_init: true })).status, 201)
  assert.equal((await forge.call('eve', 'POST', '/orgs', { username: 'crew' })).status, 201)
})

after(async () => {
  await worker.stop()
  await forge[Symbol.asyncDispose]()
  resolver[Symbol.dispose]()
  await canary[Symbol.asyncDispose]()
})

test('the table has no duplicates, and the canary detects connections', async () => {
  assert.ok(inside.length >= 40)
  assert.equal(new Set(everything).size, everything.length)
  await using other = await Canary.open()
  connect(other.port, '127.0.0.1').on('error', () => undefined)
  await until(() => other.heard.length > 0)
})

for (const mirror of [false, true])
  test(`migrate refuses all of them${mirror ? ' as the source of a mirror' : ''}`, async () => {
    for (const clone_addr of everything) {
      const { status, body } = await migrate({ clone_addr, mirror })
      assert.equal(status, 422, clone_addr)
      if (inside.includes(clone_addr)) assert.match(body.message, /disallowed hosts/, clone_addr)
    }
    assert.deepEqual(await forge.db.selectFrom('import').select('id').execute(), [])
    assert.deepEqual(canary.heard, [])
  })

test('a push mirror to any of them is refused, and an existing one is not pushed', async () => {
  const add = (remote_address: string) =>
    forge.call('eve', 'POST', `${REPOSITORY}/push_mirrors`, { remote_address, interval: '0' })
  for (const address of everything) {
    const { status } = await add(address)
    assert.equal(status, inside.includes(address) ? 422 : 400, address)
  }
  assert.equal((await add(`http://${PUBLIC}/a.git`)).status, 200)
  for (const url of everything) {
    await forge.db.updateTable('push_mirror').set({ url, last_error: '' }).execute()
    assert.match(await errorOfPush(), REFUSED, url)
  }
  assert.deepEqual(canary.heard, [])
})

test('a mirror whose source is any of them is not synced', async () => {
  await makeFollower()
  for (const url of everything) {
    await forge.db.updateTable('mirror').set({ url, last_error: '' }).execute()
    assert.match(await errorOfSync(), REFUSED, url)
  }
  assert.deepEqual(canary.heard, [])
})

test('a webhook to any of them is not sent, and its history states the reason', async () => {
  const hooks = new Map<number, string>()
  for (const url of everything) {
    const { status, body } = await addHook(url)
    if (status === 201) hooks.set(body.id, url)
    else assert.equal(status, 422, url)
  }
  assert.ok(hooks.size >= 40, 'whether a name leads inside is asked when it is called')
  await forge.call('eve', 'POST', '/user/repos', { name: 'news' })
  for (const [hook, url] of hooks) {
    const told = await delivery(hook)
    assert.deepEqual([told.state, told.attempts, told.error], ['failed', 1, NOT_ALLOWED], url)
    assert.equal((await forge.call('eve', 'DELETE', `/user/hooks/${hook}`)).status, 204)
  }
  assert.deepEqual(canary.heard, [])
})

test('an avatar is the uploaded image, never fetched from an address', async () => {
  for (const path of ['/user/avatar', '/orgs/crew/avatar', `${REPOSITORY}/avatar`])
    for (const image of everything) {
      const { status } = await forge.call('eve', 'POST', path, { image })
      assert.equal(status, 400, `${path}: ${image}`)
      const encoded = { image: Buffer.from(image).toString('base64') }
      assert.equal((await forge.call('eve', 'POST', path, encoded)).status, 422, `${path}: ${image}, encoded`)
    }
  assert.deepEqual(canary.heard, [])
})

/** What a name may resolve to later. */
const LATER = ['127.0.0.1', '::1', '::ffff:7f00:1', '0.0.0.0', '169.254.169.254', '10.0.0.5', 'fd00:ec2::254']

test('a name that is public when checked and internal when used is not called', async () => {
  for (const address of LATER)
    for (const mirror of [false, true]) {
      resolver.set('turning.test', [PUBLIC], [address])
      const clone_addr = `http://turning.test:${canary.port}/a.git`
      const { status, body } = await migrate({ clone_addr, mirror })
      assert.deepEqual([status, body.message], [422, NOT_ALLOWED], address)
    }
  assert.deepEqual(canary.heard, [])
})

test('a name that becomes internal later is not called by existing mirrors and hooks', async () => {
  const url = `http://moving.test:${canary.port}/a.git`
  resolver.set('moving.test', [PUBLIC])
  await forge.db.deleteFrom('push_mirror').execute()
  const added = { remote_address: url, interval: '0' }
  assert.equal((await forge.call('eve', 'POST', `${REPOSITORY}/push_mirrors`, added)).status, 200)
  const { body: hook } = await addHook(url)
  for (const [before, address] of LATER.entries()) {
    resolver.set('moving.test', [address])
    await forge.db.updateTable('push_mirror').set({ last_error: '' }).execute()
    assert.equal(await errorOfPush(), NOT_ALLOWED, address)
    await forge.db.updateTable('mirror').set({ url, last_error: '' }).execute()
    assert.equal(await errorOfSync(), NOT_ALLOWED, address)
    await forge.call('eve', 'POST', '/user/repos', { name: `at-${address.replaceAll(':', '-')}` })
    assert.equal((await delivery(hook.id, before)).error, NOT_ALLOWED, address)
  }
  assert.deepEqual(canary.heard, [])
})

test('only known names were resolved', () => {
  const known = [...Object.keys(NAMES), 'turning.test', 'moving.test']
  assert.deepEqual(
    resolver.asked.filter((name) => !known.includes(name)),
    [],
  )
})

function migrate(body: { clone_addr: string; mirror: boolean }) {
  return forge.call('eve', 'POST', '/repos/migrate', { repo_name: 'x', ...body })
}

/** Waits first, so that earlier events are not delivered to it. */
async function addHook(url: string) {
  await untilIdle(forge)
  const config = { url, content_type: 'json' }
  const hook = { type: 'gitea', active: true, events: ['repository'], config }
  return forge.call('eve', 'POST', '/user/hooks', hook)
}

/** The delivery after `before` others, as soon as it was attempted. */
async function delivery(
  hook: number,
  before = 0,
): Promise<{ state: string; attempts: number; error: string }> {
  for (;;) {
    const { body } = await forge.call('eve', 'GET', `/user/hooks/${hook}/deliveries`)
    if (body.length > before && body[0].attempts > 0) return body[0]
    await sleep(25)
  }
}

async function errorOfPush(): Promise<string> {
  assert.equal((await forge.call('eve', 'POST', `${REPOSITORY}/push_mirrors-sync`)).status, 200)
  let error = ''
  await until(async () => {
    error = (await forge.call('eve', 'GET', `${REPOSITORY}/push_mirrors`)).body[0].last_error
    return error !== ''
  })
  return error
}

async function errorOfSync(): Promise<string> {
  assert.equal((await forge.call('eve', 'POST', '/repos/eve/follower/mirror-sync')).status, 200)
  let error = ''
  await until(async () => {
    error = (await forge.db.selectFrom('mirror').select('last_error').executeTakeFirstOrThrow()).last_error
    return error !== ''
  })
  return error
}

/** As if its source had been public once. */
async function makeFollower(): Promise<void> {
  const { body } = await forge.call('eve', 'POST', '/user/repos', { name: 'follower' })
  await forge.db.updateTable('repository').set({ is_mirror: true }).where('id', '=', body.id).execute()
  const credentials = sealCredentials(forge.ctx, { username: '', password: '' })
  const row = { repository_id: body.id, url: `http://${PUBLIC}/a.git`, credentials }
  await forge.db.insertInto('mirror').values(row).execute()
}
