/** Packages over REST and in the generic registry: access, storage and deletion. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost, bytesOf, objectsOf, send, sha256 } from '#testing/slices/packages'
import { cleanupPackages } from '../sweep.ts'

const FILE_MAX = 100_000
const OWNER_MAX = 400_000
const DAY_MS = 86_400_000

let forge: Forge
before(async () => {
  forge = await startForge({
    config: {
      'packages.file_bytes_max': FILE_MAX,
      'quota.package_bytes': OWNER_MAX,
      'log.level': 'silent',
    },
  })
  for (const login of ['ann', 'bob', 'mem', 'wri']) await forge.person(login)
  await forge.person('hid', { visibility: 'private' })
  await forge.person('lim', { visibility: 'limited' })
  await forge.person('res', { is_restricted: true })
  await forge.person('root', { is_admin: true })
  await forge.person('reader', {}, ['read:package'])
  await forge.person('other', {}, ['write:repository'])
  await forge.person('open', {}, ['public-only', 'write:package'])
  for (const [name, visibility] of [
    ['club', 'public'],
    ['veil', 'private'],
  ]) {
    await forge.call('ann', 'POST', '/orgs', { username: name, visibility })
    for (const [member, level] of [
      ['mem', 'read'],
      ['wri', 'write'],
    ]) {
      const units = { name: `${member}s`, permission: 'read', units_map: { 'repo.packages': level } }
      const team = await forge.call('ann', 'POST', `/orgs/${name}/teams`, units)
      assert.equal(team.status, 201, JSON.stringify(team.body))
      await forge.call('ann', 'PUT', `/teams/${team.body.id}/members/${member}`)
    }
  }
  for (const owner of ['ann', 'club', 'veil']) assert.equal(await put('ann', owner, 'base/1/a.txt', 'a'), 201)
  assert.equal(await put('hid', 'hid', 'base/1/a.txt', 'a'), 201)
  assert.equal(await put('lim', 'lim', 'base/1/a.txt', 'a'), 201)
})
after(() => forge[Symbol.asyncDispose]())

const at = (owner: string, path: string) => `/api/packages/${owner}/generic/${path}`
const put = async (as: string | null, owner: string, path: string, body: string | Uint8Array) =>
  (await send(forge, as, 'PUT', at(owner, path), { body })).status

/** [registry read, registry write, REST read]; the expected status of a REST delete is derived from them. */
const ACCESS: Record<string, Record<string, readonly [number, number, number]>> = {
  ann: {
    null: [200, 401, 401],
    bob: [200, 401, 200],
    ann: [200, 201, 200],
    root: [200, 201, 200],
    res: [200, 401, 200],
    reader: [200, 403, 200],
    other: [403, 403, 403],
    open: [200, 401, 200],
  },
  lim: {
    null: [401, 401, 401],
    bob: [200, 401, 200],
    res: [404, 404, 404],
    lim: [200, 201, 200],
    open: [403, 403, 403],
  },
  hid: { null: [401, 401, 401], bob: [404, 404, 404], hid: [200, 201, 200], root: [200, 201, 200] },
  club: {
    null: [200, 401, 401],
    bob: [200, 401, 200],
    mem: [200, 401, 200],
    wri: [200, 201, 200],
    ann: [200, 201, 200],
  },
  veil: {
    null: [401, 401, 401],
    bob: [404, 404, 404],
    mem: [200, 401, 200],
    wri: [200, 201, 200],
    ann: [200, 201, 200],
    root: [200, 201, 200],
  },
}

for (const [owner, callers] of Object.entries(ACCESS))
  for (const [name, [read, write, rest]] of Object.entries(callers))
    test(`packages of ${owner}: access of ${name === 'null' ? 'an anonymous user' : name}`, async () => {
      const as = name === 'null' ? null : name
      assert.equal((await send(forge, as, 'GET', at(owner, 'base/1/a.txt'))).status, read)
      const wrote = await send(forge, as, 'PUT', at(owner, `from-${name}/1/a.txt`), { body: 'x' })
      assert.equal(wrote.status, write)
      assert.equal(wrote.headers.has('www-authenticate'), write === 401)
      assert.equal((await forge.call(as, 'GET', `/packages/${owner}/generic/base/1`)).status, rest)
      const isWriter = write === 201
      const removal = `/packages/${owner}/generic/${isWriter ? `from-${name}` : 'base'}/1`
      assert.equal(
        (await forge.call(as, 'DELETE', removal)).status,
        isWriter ? 204 : rest === 200 ? 403 : rest,
      )
      assert.equal((await send(forge, 'root', 'GET', at(owner, 'base/1/a.txt'))).status, 200)
    })

test('a file is downloaded unchanged, in full, in ranges, and with HEAD', async () => {
  const bytes = bytesOf(70_000)
  assert.equal(await put('ann', 'ann', 'ranges/1/a.bin', bytes), 201)
  const path = at('ann', 'ranges/1/a.bin')
  const whole = await send(forge, null, 'GET', path)
  assert.ok(whole.bytes.equals(bytes))
  assert.equal(whole.headers.get('etag'), `"${sha256(bytes)}"`)
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
  const head = await send(forge, null, 'HEAD', path)
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '70000'])
  for (const [range, status, told, part] of [
    ['bytes=100-199', 206, 'bytes 100-199/70000', bytes.subarray(100, 200)],
    ['bytes=69990-', 206, 'bytes 69990-69999/70000', bytes.subarray(69_990)],
    ['bytes=-5', 206, 'bytes 69995-69999/70000', bytes.subarray(69_995)],
    ['bytes=69990-99999', 206, 'bytes 69990-69999/70000', bytes.subarray(69_990)],
    ['bytes=70000-', 416, 'bytes */70000', Buffer.alloc(0)],
    ['bytes=5-4', 416, 'bytes */70000', Buffer.alloc(0)],
    ['bytes=0-1,3-4', 200, null, bytes],
    ['lines=1-2', 200, null, bytes],
  ] as const) {
    const got = await send(forge, null, 'GET', path, { headers: { range } })
    assert.deepEqual([got.status, got.headers.get('content-range')], [status, told], range)
    assert.ok(got.bytes.equals(part), range)
  }
  const known = await send(forge, null, 'GET', path, { headers: { 'if-none-match': `"${sha256(bytes)}"` } })
  assert.equal(known.status, 304)
})

const LONG = 'x'.repeat(300)
const HOSTILE: readonly (readonly [string, number])[] = [
  ['%2e%2e/1/a.txt', 404],
  ['..%2f..%2fetc/1/passwd', 400],
  ['na%2fme/1/a.txt', 400],
  ['name/%2e%2e/a.txt', 404],
  ['name/1%2f2/a.txt', 400],
  ['name/1/..%2fa.txt', 400],
  ['name/1/%2e%2e', 404],
  ['name/1/a%0d%0ab', 400],
  ['name/1/%E2%80%AEtxt.exe', 400],
  ['%F0%9F%98%80/1/a.txt', 400],
  ['name/1/%00', 404],
  [`${LONG}/1/a.txt`, 400],
  [`name/${LONG}/a.txt`, 400],
  [`name/1/${LONG}`, 400],
  ['name/1%20/a.txt', 400],
]
for (const [path, status] of HOSTILE)
  test(`the name ${path.slice(0, 40)} is refused`, async () => {
    const before = await objectsOf(forge)
    assert.equal(await put('ann', 'ann', path, 'x'), status)
    assert.deepEqual(await objectsOf(forge), before)
  })

test('a file over the size limit and an owner over quota are refused, and no objects remain', async () => {
  await forge.person('fat')
  await forge.deleteDiscarded()
  const before = await objectsOf(forge)
  assert.equal(await put('fat', 'fat', 'big/1/a', bytesOf(FILE_MAX + 1)), 413)
  assert.deepEqual(await objectsOf(forge), before)
  const same = bytesOf(FILE_MAX)
  for (let i = 0; i < 6; i++) assert.equal(await put('fat', 'fat', `same/${i}/a`, same), 201, 'counted once')
  for (let i = 0; i < 3; i++) assert.equal(await put('fat', 'fat', `many/${i}/a`, bytesOf(FILE_MAX)), 201)
  assert.equal(await put('fat', 'fat', 'many/9/a', bytesOf(FILE_MAX)), 403)
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before.length + 4)
  await assertNothingLost(forge)
})

test('equal content is stored once, and deleted with its last reference', async () => {
  const bytes = bytesOf(1_000)
  const before = (await objectsOf(forge)).length
  for (const name of ['one', 'two']) assert.equal(await put('ann', 'ann', `${name}/1/a.bin`, bytes), 201)
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before + 1)
  assert.equal((await forge.call('ann', 'DELETE', '/packages/ann/generic/one/1')).status, 204)
  await forge.deleteDiscarded()
  assert.ok((await send(forge, null, 'GET', at('ann', 'two/1/a.bin'))).bytes.equals(bytes))
  assert.equal((await forge.call('ann', 'DELETE', '/packages/ann/generic/two')).status, 204)
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before)
  await assertNothingLost(forge)
})

test('a blob whose object is lost gets it back by a new upload', async () => {
  const bytes = bytesOf(1_000)
  assert.equal(await put('ann', 'ann', 'lost/1/a.bin', bytes), 201)
  const { key } = await forge.db
    .selectFrom('package_blob')
    .select('key')
    .where('sha256', '=', sha256(bytes))
    .executeTakeFirstOrThrow()
  // Simulates a failover that restored the row after its object was deleted.
  await forge.ctx.store.delete(`packages/${key.slice(0, 2)}/${key}`)
  assert.equal(await put('bob', 'bob', 'lost/1/a.bin', bytes), 201)
  for (const owner of ['ann', 'bob'])
    assert.ok((await send(forge, null, 'GET', at(owner, 'lost/1/a.bin'))).bytes.equals(bytes), owner)
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})

test('unused objects are swept after a day, and referenced ones stay', async () => {
  await assertNothingLost(forge)
  const before = await objectsOf(forge)
  const row = { bytes: 1, md5: 'a', sha1: 'a', sha512: 'a', created_at: forge.ctx.now() }
  const key = '00000000-0000-4000-8000-000000000001'
  const orphan = '00000000-0000-4000-8000-000000000002'
  await forge.db
    .insertInto('package_object')
    .values({ ...row, key, sha256: 'lost' })
    .execute()
  await forge.db
    .insertInto('package_blob')
    .values({ ...row, key: orphan, sha256: 'orphan' })
    .execute()
  for (const it of [key, orphan])
    await forge.world.store.create(`packages/00/${it}`, Buffer.from('x'), { bytes: 1 })
  await cleanupPackages(forge.ctx)
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before.length + 2, 'it may still be on its way')
  forge.advance(DAY_MS + 1)
  await cleanupPackages(forge.ctx)
  await forge.deleteDiscarded()
  assert.deepEqual(await objectsOf(forge), before)
})

test('old versions are deleted according to the settings', async () => {
  const config = { ...forge.ctx.config, 'packages.remove_older_days': 10, 'packages.keep_newest': 2 }
  const ctx = { ...forge.ctx, config: { ...config, 'packages.remove_pattern': '[0-9]*' } }
  for (const version of ['1', '2', 'rc', '3', '4', '5'])
    assert.equal(await put('bob', 'bob', `aged/${version}/a`, version), 201)
  await cleanupPackages(ctx)
  const versions = async () =>
    (await forge.call('bob', 'GET', '/packages/bob/generic/aged')).body.map(
      (it: { version: string }) => it.version,
    )
  assert.equal((await versions()).length, 6)
  forge.advance(11 * DAY_MS)
  await cleanupPackages(ctx)
  assert.deepEqual(await versions(), ['5', '4', 'rc'])
})

test('lists take the same number of queries for any length', async () => {
  await forge.person('lister')
  const repo = await forge.call('lister', 'POST', '/user/repos', { name: 'code' })
  assert.equal(repo.status, 201)
  const lists = ['/packages/lister', '/packages/lister/generic/n', '/packages/lister/generic/n/1/files']
  assert.equal(await put('lister', 'lister', 'n/1/a', 'a'), 201)
  assert.equal((await forge.call('lister', 'POST', '/packages/lister/generic/n/-/link/code')).status, 201)
  const cost = async (as: string, path: string) => forge.countQueries(() => forge.call(as, 'GET', path))
  // The first request after a while also updates the last use of the token.
  for (const as of ['lister', 'root']) await forge.call(as, 'GET', '/user')
  const few: number[] = []
  for (const path of lists) few.push(await cost('lister', path))
  const all = await cost('root', '/admin/packages')
  for (let i = 2; i < 12; i++) assert.equal(await put('lister', 'lister', `n/${i}/a`, 'a'), 201)
  assert.equal(await put('lister', 'lister', 'n/1/b', 'b'), 201)
  for (const [i, path] of lists.entries()) assert.equal(await cost('lister', path), few[i], path)
  assert.equal(await cost('root', '/admin/packages'), all)
  assert.equal((await forge.call('bob', 'GET', '/admin/packages')).status, 403)
})

test('an account with packages cannot be deleted without purge, which deletes them', async () => {
  for (const login of ['leaver', 'purged']) {
    await forge.person(login)
    assert.equal(await put(login, login, 'kept/1/a', login), 201)
  }
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/leaver')).status, 422)
  assert.equal((await forge.call('leaver', 'DELETE', '/packages/leaver/generic/kept')).status, 204)
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/leaver')).status, 204)
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/purged?purge=true')).status, 204)
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})

test('webhooks of the owner receive published and deleted versions', async () => {
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' }
  const hook = { type: 'gitea', config, events: ['package'], active: true }
  assert.equal((await forge.call('ann', 'POST', '/orgs/club/hooks', hook)).status, 201)
  assert.equal(await put('ann', 'club', 'told/1/a', 'a'), 201)
  assert.equal(await put('ann', 'club', 'told/1/b', 'b'), 201, 'a second file is no version')
  assert.equal((await forge.call('ann', 'DELETE', '/packages/club/generic/told/1')).status, 204)
  await forge.deleteDiscarded()
  const told = await forge.db
    .selectFrom('webhook_payload')
    .select('body')
    .where('type', '=', 'package')
    .orderBy('id')
    .execute()
  const bodies = told.map(({ body }) => JSON.parse(body ?? '{}'))
  assert.deepEqual(
    bodies.map((it) => [
      it.action,
      it.package.name,
      it.package.version,
      it.package.owner.login,
      it.sender.login,
    ]),
    [
      ['created', 'told', '1', 'club', 'ann'],
      ['deleted', 'told', '1', 'club', 'ann'],
    ],
  )
  assert.deepEqual([bodies[0].repository, bodies[0].organization.login], [null, 'club'])
})
