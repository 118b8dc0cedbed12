/** Container images: push, pull, tags, access and deletion. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost, bytesOf, objectsOf, type Sent, send, sha256 } from '#testing/slices/packages'
import { cleanupPackages } from '../../sweep.ts'

const OCI = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'
const DAY_MS = 86_400_000

let forge: Forge
let bases: string[]
before(async () => {
  forge = await startForge({ nodes: 2, config: { 'log.level': 'silent' } })
  bases = (forge as unknown as { bases: string[] }).bases
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.person('hid', { visibility: 'private' })
})
after(() => forge[Symbol.asyncDispose]())

const digest = (bytes: Uint8Array | string) => `sha256:${sha256(bytes)}`
const v2 = (as: string | null, method: string, path: string, sent: Sent = {}, node = 0) =>
  send(forge, as, method, `/v2/${path}`, sent, bases[node])

async function pushBlob(as: string, image: string, bytes: Buffer): Promise<string> {
  const pushed = await v2(as, 'POST', `${image}/blobs/uploads/?digest=${digest(bytes)}`, { body: bytes })
  assert.equal(pushed.status, 201, pushed.bytes.toString())
  return digest(bytes)
}

async function pushImage(as: string, image: string, reference: string, more: object = {}) {
  const config = Buffer.from(JSON.stringify({ made: bytesOf(8).toString('hex') }))
  const layer = bytesOf(2_000)
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI,
    config: {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      digest: await pushBlob(as, image, config),
      size: config.length,
    },
    layers: [{ mediaType: 'x', digest: await pushBlob(as, image, layer), size: layer.length }],
    ...more,
  })
  const pushed = await putManifest(as, image, reference || digest(manifest), manifest)
  assert.equal(pushed.status, 201, pushed.bytes.toString())
  return { digest: digest(manifest), manifest, layer: digest(layer), pushed }
}

function putManifest(as: string, image: string, reference: string, body: string, type = OCI) {
  return v2(as, 'PUT', `${image}/manifests/${reference}`, { body, headers: { 'content-type': type } })
}

test('an upload whose pieces go to two nodes becomes one blob, and its pieces are deleted', async () => {
  const bytes = bytesOf(30_000)
  const begun = await v2('ann', 'POST', 'ann/pieces/blobs/uploads/')
  assert.equal(begun.status, 202)
  const at = (begun.headers.get('location') ?? '').slice('/v2/'.length)
  for (const [i, node] of [1, 0, 1].entries()) {
    const range = `${i * 8_000}-${i * 8_000 + 7_999}`
    const body = bytes.subarray(i * 8_000, (i + 1) * 8_000)
    const sent = { body, headers: { 'content-range': range, 'content-type': 'application/octet-stream' } }
    const extended = await v2('ann', 'PATCH', at, sent, node)
    assert.deepEqual([extended.status, extended.headers.get('range')], [202, `0-${(i + 1) * 8_000 - 1}`])
    const again = await v2('ann', 'PATCH', at, sent, node)
    assert.deepEqual([again.status, again.headers.get('range')], [416, `0-${(i + 1) * 8_000 - 1}`])
  }
  const status = await v2('ann', 'GET', at, {}, 1)
  assert.deepEqual([status.status, status.headers.get('range')], [204, '0-23999'])
  assert.equal((await v2('bob', 'GET', at)).status, 401)
  assert.equal((await v2('ann', 'PATCH', at.replace('ann/pieces', 'ann/other'), { body: 'x' })).status, 404)
  const wrong = await v2('ann', 'PUT', `${at}?digest=${digest('other')}`)
  assert.deepEqual([wrong.status, wrong.json.errors[0].code], [400, 'DIGEST_INVALID'])
  const ended = await v2('ann', 'PUT', `${at}?digest=${digest(bytes)}`, { body: bytes.subarray(24_000) }, 1)
  assert.equal(ended.status, 201, ended.bytes.toString())
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
  const got = await v2(null, 'GET', `ann/pieces/blobs/${digest(bytes)}`, {}, 0)
  assert.ok(got.bytes.equals(bytes))
  const part = await v2(null, 'GET', `ann/pieces/blobs/${digest(bytes)}`, {
    headers: { range: 'bytes=10-19' },
  })
  assert.ok(part.status === 206 && part.bytes.equals(bytes.subarray(10, 20)))
  const head = await v2(null, 'HEAD', `ann/pieces/blobs/${digest(bytes)}`)
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.headers.get('docker-content-digest')],
    [200, '30000', digest(bytes)],
  )
})

test('concurrent pieces of an upload are appended one after the other or refused', async () => {
  const begun = await v2('ann', 'POST', 'ann/pieces/blobs/uploads/')
  const at = (begun.headers.get('location') ?? '').slice('/v2/'.length)
  const sent = await Promise.all(
    [0, 1, 0, 1].map((node) => v2('ann', 'PATCH', at, { body: bytesOf(500) }, node)),
  )
  assert.ok(sent.filter(({ status }) => status === 202).length >= 1)
  const { headers } = await v2('ann', 'GET', at)
  const taken = sent.filter(({ status }) => status === 202).length
  assert.equal(headers.get('range'), `0-${taken * 500 - 1}`)
  assert.equal((await v2('ann', 'DELETE', at)).status, 204)
  assert.equal((await v2('ann', 'GET', at)).status, 404)
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})

test('content that does not match its digest is refused and not stored', async () => {
  const before = await objectsOf(forge)
  const wrong = await v2('ann', 'POST', `ann/wrong/blobs/uploads/?digest=${digest('a')}`, { body: 'b' })
  assert.deepEqual([wrong.status, wrong.json.errors[0].code], [400, 'DIGEST_INVALID'])
  const { manifest } = await pushImage('ann', 'ann/right', 'v1')
  assert.equal((await putManifest('ann', 'ann/right', digest('x'), manifest)).status, 400)
  const absent = await putManifest('ann', 'ann/wrong', 'v1', manifest)
  assert.deepEqual([absent.status, absent.json.errors[0].code], [404, 'MANIFEST_BLOB_UNKNOWN'])
  for (const body of ['', '{', '[]', '{"schemaVersion":1}', '{"schemaVersion":2,"mediaType":"text/html"}'])
    assert.equal((await putManifest('ann', 'ann/right', 'v2', body)).status, 400, body)
  await forge.call('ann', 'DELETE', '/packages/ann/container/right')
  await forge.deleteDiscarded()
  assert.deepEqual(await objectsOf(forge), before)
})

test('a blob is mounted only from an image that the caller may read', async () => {
  const bytes = bytesOf(400)
  await pushBlob('bob', 'bob/source', bytes)
  await pushBlob('hid', 'hid/source', Buffer.from('secret'))
  const mount = (of: string, from: string) =>
    v2('ann', 'POST', `ann/mounted/blobs/uploads/?mount=${of}&from=${encodeURIComponent(from)}`)
  assert.equal((await mount(digest(bytes), 'bob/source')).status, 201)
  assert.ok((await v2(null, 'GET', `ann/mounted/blobs/${digest(bytes)}`)).bytes.equals(bytes))
  assert.equal((await mount(digest('secret'), 'hid/source')).status, 202)
  assert.equal((await v2('ann', 'GET', `ann/mounted/blobs/${digest('secret')}`)).status, 404)
  assert.equal((await mount(digest('none'), 'bob/source')).status, 202)
  const { key } = await forge.db
    .selectFrom('package_blob')
    .select('key')
    .where('sha256', '=', sha256(bytes))
    .executeTakeFirstOrThrow()
  await forge.world.store.delete(`packages/${key.slice(0, 2)}/${key}`)
  assert.equal((await mount(digest(bytes), 'bob/source')).status, 202, 'its bytes are gone')
  const again = await v2('ann', 'POST', `ann/mounted/blobs/uploads/?digest=${digest(bytes)}`, { body: bytes })
  assert.equal(again.status, 201)
  assert.ok((await v2(null, 'GET', `bob/source/blobs/${digest(bytes)}`)).bytes.equals(bytes))
})

test('tags are paged, move to another manifest, and are deleted with it', async () => {
  const first = await pushImage('ann', 'ann/group/tagged', 'b')
  for (const tag of ['a', 'c', 'D'])
    assert.equal((await putManifest('ann', 'ann/group/tagged', tag, first.manifest)).status, 201)
  const page = await v2(null, 'GET', 'ann/group/tagged/tags/list?n=2')
  assert.deepEqual(page.json, { name: 'ann/group/tagged', tags: ['D', 'a'] })
  const next = /<\/v2\/(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  const last = await v2(null, 'GET', next)
  assert.deepEqual([last.json.tags, last.headers.get('link')], [['b', 'c'], null])
  const second = await pushImage('ann', 'ann/group/tagged', 'a')
  const got = await v2(null, 'GET', 'ann/group/tagged/manifests/a')
  assert.deepEqual([got.bytes.toString(), got.headers.get('content-type')], [second.manifest, OCI])
  assert.equal((await v2('bob', 'DELETE', `ann/group/tagged/manifests/${first.digest}`)).status, 401)
  assert.equal((await v2('ann', 'DELETE', `ann/group/tagged/manifests/${first.digest}`)).status, 202)
  assert.deepEqual((await v2(null, 'GET', 'ann/group/tagged/tags/list')).json.tags, ['a'])
  assert.equal((await v2(null, 'GET', `ann/group/tagged/manifests/${first.digest}`)).status, 404)
  const { body } = await forge.call('ann', 'GET', '/packages/ann?type=container&q=tagged')
  assert.deepEqual(
    body.map((it: { name: string; version: string }) => [it.name, it.version]),
    [['group/tagged', 'a']],
  )
  const older = await forge.call('ann', 'GET', '/packages/ann/docker/group%2Ftagged/a')
  assert.deepEqual([older.status, older.body.type], [200, 'container'])
})

test('an index requires its images, and referrers are listed', async () => {
  const one = await pushImage('ann', 'ann/multi', '')
  const index = (of: string) =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType: INDEX,
      manifests: [{ mediaType: OCI, digest: of, size: one.manifest.length }],
    })
  assert.equal((await putManifest('ann', 'ann/multi', 'none', index(digest('none')), INDEX)).status, 404)
  assert.equal((await putManifest('ann', 'ann/multi', 'all', index(one.digest), INDEX)).status, 201)
  const subject = { mediaType: OCI, digest: one.digest, size: one.manifest.length }
  const about = await pushImage('ann', 'ann/multi', '', {
    subject,
    artifactType: 'text/x-note',
    annotations: { a: 'b' },
  })
  assert.equal(about.pushed.headers.get('oci-subject'), one.digest)
  const told = await v2(null, 'GET', `ann/multi/referrers/${one.digest}`)
  assert.equal(told.headers.get('content-type'), INDEX)
  assert.deepEqual(
    told.json.manifests.map((it: { digest: string; artifactType: string; annotations: object }) => [
      it.digest,
      it.artifactType,
      it.annotations,
    ]),
    [[about.digest, 'text/x-note', { a: 'b' }]],
  )
  const other = await v2(null, 'GET', `ann/multi/referrers/${one.digest}?artifactType=text%2Fy`)
  assert.deepEqual([other.json.manifests, other.headers.get('oci-filters-applied')], [[], 'artifactType'])

  const another = await pushImage('ann', 'ann/multi', 'single')
  assert.equal((await forge.call('ann', 'DELETE', '/packages/ann/container/multi/all')).status, 204)
  for (const { digest: gone } of [one, about])
    assert.equal((await v2(null, 'GET', `ann/multi/manifests/${gone}`)).status, 404, 'no tag leads to it')
  assert.equal((await v2(null, 'GET', `ann/multi/manifests/${another.digest}`)).status, 200)
})

test('deleting an image over REST, and content without a manifest, leaves no objects', async () => {
  await forge.deleteDiscarded()
  const before = (await objectsOf(forge)).length
  await pushImage('bob', 'bob/gone', 'v1')
  assert.equal((await forge.call('bob', 'DELETE', '/packages/bob/container/gone/v1')).status, 204)
  await forge.deleteDiscarded()
  assert.equal((await objectsOf(forge)).length, before)
  assert.equal((await v2('bob', 'GET', 'bob/gone/tags/list')).status, 404)

  const kept = await pushImage('bob', 'bob/kept', 'v1')
  await pushBlob('bob', 'bob/never', bytesOf(100))
  const begun = await v2('bob', 'POST', 'bob/never/blobs/uploads/')
  const at = (begun.headers.get('location') ?? '').slice('/v2/'.length)
  await v2('bob', 'PATCH', at, { body: bytesOf(100) })
  forge.advance(DAY_MS + 1)
  await cleanupPackages(forge.ctx)
  await cleanupPackages(forge.ctx)
  await forge.deleteDiscarded()
  assert.equal((await v2('bob', 'GET', at)).status, 404)
  assert.equal((await v2('bob', 'GET', 'bob/never/tags/list')).status, 404)
  assert.equal((await v2('bob', 'GET', `bob/kept/blobs/${kept.layer}`)).status, 200)
  await assertNothingLost(forge)
})

test('a registry token has the access of its credentials, and expires after an hour', async () => {
  await forge.person('tom')
  await forge.person('wide', {}, ['read:package'])
  await pushImage('hid', 'hid/secret', 'v1')
  const get = async (authorization: string) =>
    (await send(forge, null, 'GET', '/v2/token', { headers: authorization ? { authorization } : {} })).json
      .token
  const bearing = (token: string, path: string, method = 'GET') =>
    v2(null, method, path, { headers: { authorization: `Bearer ${token}` } })
  const challenge = (await send(forge, null, 'GET', '/v2/')).headers.get('www-authenticate') ?? ''
  assert.match(challenge, /^Bearer realm="http:\/\/forge\.test\/v2\/token"/)
  const nobody = await get('')
  assert.equal((await bearing(nobody, '')).status, 200)
  assert.equal((await bearing(nobody, 'hid/secret/manifests/v1')).status, 401)
  assert.equal((await bearing(nobody, 'ann/x/blobs/uploads/', 'POST')).status, 401)
  const basic = (as: string) => `Basic ${Buffer.from(`${as}:${forge.tokenOf(as)}`).toString('base64')}`
  const own = await get(basic('hid'))
  assert.ok(!own.includes(forge.tokenOf('hid')))
  assert.equal((await bearing(own, 'hid/secret/manifests/v1')).status, 200)
  assert.equal((await bearing(await get(basic('wide')), 'wide/x/blobs/uploads/', 'POST')).status, 403)
  const wrong = await send(forge, null, 'GET', '/v2/token', { headers: { authorization: 'Basic eDp5' } })
  assert.equal(wrong.status, 401)
  const toms = await get(basic('tom'))
  assert.equal((await bearing(toms, 'tom/x/blobs/uploads/', 'POST')).status, 202)
  const { body: all } = await forge.call('tom', 'GET', '/users/tom')
  await forge.db.deleteFrom('access_token').where('account_id', '=', all.id).execute()
  assert.equal(
    (await bearing(toms, 'tom/x/blobs/uploads/', 'POST')).status,
    401,
    'the token behind it was revoked',
  )
  forge.advance(3_600_001)
  assert.equal((await bearing(own, 'hid/secret/manifests/v1')).status, 401, 'too old')
})

test('the catalog lists images that the caller may read', async () => {
  const names = async (as: string | null) => (await v2(as, 'GET', '_catalog')).json.repositories as string[]
  assert.ok((await names('hid')).includes('hid/secret'))
  assert.ok(!(await names('ann')).includes('hid/secret'))
  assert.ok((await names(null)).includes('bob/kept'))
  const page = await v2(null, 'GET', '_catalog?n=1')
  assert.equal(page.json.repositories.length, 1)
  assert.match(page.headers.get('link') ?? '', /rel="next"/)
})

for (const [path, status] of [
  ['ann/../x/manifests/v1', 404],
  ['ann/%2e%2e%2fx/manifests/v1', 400],
  ['ann/UPPER/manifests/v1', 400],
  ['ann/x/manifests/-bad', 400],
  [`ann/${'x'.repeat(300)}/manifests/v1`, 400],
  ['ann/x/blobs/sha256:zz', 400],
  ['ann/x/blobs/md5:00', 400],
  ['ann/x', 404],
  ['ann/%F0%9F%98%80/tags/list', 400],
] as const)
  test(`${path.slice(0, 30)} is refused`, async () =>
    assert.equal((await v2('ann', 'GET', path)).status, status))
