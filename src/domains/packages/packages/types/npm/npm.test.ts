/** npm packages: publish, read, tag, deprecate and unpublish. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost, bytesOf, objectsOf, send } from '#testing/slices/packages'
import { splitPublication } from './split-publication.ts'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'packages.file_bytes_max': 3_000_000, 'log.level': 'silent' } })
  for (const login of ['ann', 'bob']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

const at = (path: string) => `/api/packages/ann/npm/${path}`
const NAME = '@ann/tool'
const ENCODED = '@ann%2ftool'

function publication(
  version: string,
  bytes: Buffer,
  more: { tag?: string; dist?: object; meta?: object } = {},
) {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  return {
    _id: NAME,
    name: NAME,
    'dist-tags': { [more.tag ?? 'latest']: version },
    versions: {
      [version]: {
        name: NAME,
        version,
        description: 'a "tool" {',
        dist: { integrity },
        ...more.dist,
        ...more.meta,
      },
    },
    _attachments: {
      [`${NAME}-${version}.tgz`]: { content_type: 'x', data: bytes.toString('base64'), length: bytes.length },
    },
  }
}
const put = (as: string | null, path: string, body: object) =>
  send(forge, as, 'PUT', at(path), {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const read = async () => (await send(forge, null, 'GET', at(ENCODED))).json

test('the attachment is split from the document however the input is chunked', async () => {
  const bytes = bytesOf(1_000)
  const text = JSON.stringify({
    readme: '"_attachments":{"x":{"data":"no',
    ...publication('1.0.0', bytes),
    last: [1, '}'],
  })
  for (const size of [1, 3, 7, 64, 5_000]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      Buffer.from(text.slice(i * size, (i + 1) * size)),
    )
    const { text: rest, taken } = await splitPublication(Readable.from(pieces), (content) => buffer(content))
    assert.ok(taken?.equals(bytes), String(size))
    const told = JSON.parse(rest)
    assert.deepEqual(
      [told.last, Object.values(told._attachments).map((it) => (it as { data: string }).data)],
      [[1, '}'], ['']],
    )
  }
})

test('versions are published, found, and downloaded unchanged', async () => {
  const bytes = bytesOf(2_000_000)
  assert.equal((await put(null, ENCODED, publication('1.0.0', bytes))).status, 401)
  assert.equal((await put('bob', ENCODED, publication('1.0.0', bytes))).status, 401)
  assert.equal((await put('ann', ENCODED, publication('1.0.0', bytes))).status, 201)
  const again = await put('ann', '@ann/tool', publication('1.0.0', bytesOf(10)))
  assert.deepEqual([again.status, again.json], [409, { error: 'package version already exists' }])
  assert.equal(
    (await put('ann', ENCODED, publication('2.0.0-rc.1', bytesOf(10), { tag: 'next' }))).status,
    201,
  )
  const told = await read()
  assert.deepEqual(told['dist-tags'], { latest: '1.0.0', next: '2.0.0-rc.1' })
  assert.equal(told.versions['1.0.0'].description, 'a "tool" {')
  const tarball = told.versions['1.0.0'].dist.tarball.replace('http://forge.test', '')
  assert.ok((await send(forge, null, 'GET', tarball)).bytes.equals(bytes))
  assert.equal((await send(forge, null, 'GET', at('@ann/tool'))).status, 200)
  const found = await send(forge, null, 'GET', at('-/v1/search?text=TOO&size=5'))
  assert.deepEqual([found.json.total, found.json.objects[0].package.name], [1, NAME])
  assert.deepEqual((await send(forge, 'bob', 'GET', at('-/whoami'))).json, { username: 'bob' })
  assert.equal((await send(forge, null, 'GET', at('-/whoami'))).status, 401)
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})

const WRONG: [what: string, path: string, body: object, status: number][] = [
  ['another checksum', ENCODED, publication('3.0.0', bytesOf(9), { dist: { dist: { shasum: '00' } } }), 400],
  ['another name', '@ann%2fother', publication('3.0.0', bytesOf(9)), 400],
  ['no version', ENCODED, publication('newest', bytesOf(9)), 400],
  ['a tag like a version', ENCODED, publication('3.0.0', bytesOf(9), { tag: '1.x' }), 400],
  ['a null character', ENCODED, publication('3.0.0', bytesOf(9), { meta: { x: '\0' } }), 400],
  ['half a character', ENCODED, publication('3.0.0', bytesOf(9), { meta: { x: '\ud800' } }), 400],
  [
    'too much metadata',
    ENCODED,
    publication('3.0.0', bytesOf(9), { meta: { x: 'x'.repeat(1_100_000) } }),
    413,
  ],
  ['too many bytes', ENCODED, publication('3.0.0', bytesOf(3_000_001)), 413],
  [
    'two versions',
    ENCODED,
    { ...publication('3.0.0', bytesOf(9)), versions: { '1.0.0': {}, '2.0.0': {} } },
    400,
  ],
  [
    'two packages',
    ENCODED,
    { ...publication('3.0.0', bytesOf(9)), _attachments: { a: { data: 'YQ==' }, b: { data: 'YQ==' } } },
    400,
  ],
  ['no document', ENCODED, [], 400],
]
for (const [what, path, body, status] of WRONG)
  test(`a publication with ${what} is refused, and no objects remain`, async () => {
    await forge.deleteDiscarded()
    const before = await objectsOf(forge)
    assert.equal((await put('ann', path, body)).status, status)
    await forge.deleteDiscarded()
    assert.deepEqual(await objectsOf(forge), before)
  })

test('tags are set on existing versions, and removed', async () => {
  const tags = `-/package/${ENCODED}/dist-tags`
  const set = (tag: string, version: string) =>
    send(forge, 'ann', 'PUT', at(`${tags}/${tag}`), { body: JSON.stringify(version) })
  assert.equal((await set('old', '1.0.0')).status, 200)
  assert.equal((await set('none', '9.9.9')).status, 404)
  assert.equal((await set('1.0.0', '1.0.0')).status, 400)
  assert.equal((await send(forge, 'bob', 'DELETE', at(`${tags}/old`))).status, 401)
  assert.equal((await send(forge, null, 'GET', at(tags))).json.old, '1.0.0')
  assert.equal((await send(forge, 'ann', 'DELETE', at(`${tags}/old`))).status, 200)
  assert.equal((await send(forge, null, 'GET', at(tags))).json.old, undefined)
})

test('versions are deprecated, and unpublished only with the current revision', async () => {
  const seen = await read()
  const versions = { ...seen.versions, '1.0.0': { ...seen.versions['1.0.0'], deprecated: 'use 2' } }
  assert.equal((await put('ann', ENCODED, { ...seen, versions })).status, 201)
  assert.equal((await read()).versions['1.0.0'].deprecated, 'use 2')
  assert.equal((await put('ann', ENCODED, publication('2.0.0', bytesOf(10)))).status, 201)
  const { '1.0.0': _, ...without } = (await read()).versions
  const stale = await put('ann', `${ENCODED}/-rev/${seen._rev}`, { ...seen, versions: without })
  assert.equal(stale.status, 409, 'a version came meanwhile')
  const now = await read()
  assert.equal((await put('ann', `${ENCODED}/-rev/${now._rev}`, { ...now, versions: without })).status, 201)
  assert.deepEqual(Object.keys((await read()).versions), ['2.0.0-rc.1', '2.0.0'])
  assert.equal((await send(forge, 'ann', 'DELETE', at(`${ENCODED}/-rev/x`))).status, 200)
  assert.equal((await send(forge, null, 'GET', at(ENCODED))).status, 404)
  await forge.deleteDiscarded()
  assert.deepEqual(await objectsOf(forge), [])
})

test('a document lists the latest and the newest versions that fit, and cannot be sent back', async () => {
  const name = 'wide'
  const publish = (version: string, tag: string) => {
    const body = publication(version, bytesOf(10), { tag, meta: { name, keywords: 'x'.repeat(1_000_000) } })
    return put('ann', name, { ...body, name, _id: name })
  }
  assert.equal((await publish('0.0.1', 'latest')).status, 201)
  for (let i = 0; i < 40; i++) assert.equal((await publish(`1.0.${i}`, 'next')).status, 201)
  const { json } = await send(forge, null, 'GET', at(name))
  const told = Object.keys(json.versions)
  assert.deepEqual([told.at(0), told.at(-1)], ['0.0.1', '1.0.39'])
  assert.ok(told.length > 25 && told.length < 35, `${told.length} versions`)
  assert.deepEqual(json['dist-tags'], { latest: '0.0.1', next: '1.0.39' })
  assert.deepEqual(Object.keys(json.time).length, told.length + 2)
  assert.equal(json.keywords.length, 1_000_000)
  const { status } = await put('ann', `${name}/-rev/${json._rev}`, { name, versions: {} })
  assert.equal(status, 412, 'what it does not tell of would be deleted')
  assert.ok(json.versions['0.0.1'].dist.tarball.endsWith('wide-0.0.1.tgz'))
  const { json: found } = await send(forge, null, 'GET', at('-/v1/search?text=wide'))
  assert.deepEqual(found.objects[0].package.keywords, [], 'a result has no room for it')
})
