/** Python packages: uploaded like twine, downloaded like pip. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { assertNothingLost, bytesOf, objectsOf, send, sha256 } from '#testing/slices/packages'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'packages.file_bytes_max': 100_000, 'log.level': 'silent' } })
  for (const login of ['ann', 'bob']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/api/packages/ann/pypi'
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json'

function upload(as: string | null, file: string, bytes: Buffer, fields: Record<string, string> = {}) {
  const form = new FormData()
  const all = {
    ':action': 'file_upload',
    name: 'Some.Tool',
    version: '1.0',
    sha256_digest: sha256(bytes),
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) form.append(name, value)
  form.append('content', new Blob([new Uint8Array(bytes)]), file)
  return send(forge, as, 'POST', `${ROOT}/`, { body: form })
}

test('files are uploaded, listed as HTML and JSON, and downloaded', async () => {
  const bytes = bytesOf(50_000)
  const wheel = 'some_tool-1.0-py3-none-any.whl'
  assert.equal((await upload(null, wheel, bytes)).status, 401)
  assert.equal((await upload('bob', wheel, bytes)).status, 401)
  assert.equal((await upload('ann', wheel, bytes, { requires_python: '>=3.8' })).status, 201)
  assert.equal((await upload('ann', wheel, bytes)).status, 409)
  assert.equal((await upload('ann', 'some_tool-1.0.tar.gz', bytesOf(10), { name: 'some_tool' })).status, 201)
  const html = (await send(forge, null, 'GET', `${ROOT}/simple/some-tool/`)).bytes.toString()
  assert.match(
    html,
    new RegExp(`href="http://forge\\.test${ROOT}/files/some-tool/1\\.0/${wheel}#sha256=${sha256(bytes)}"`),
  )
  assert.match(html, /data-requires-python="&gt;=3\.8"/)
  const told = await send(forge, null, 'GET', `${ROOT}/simple/SOME_tool/`, { headers: { accept: JSON_TYPE } })
  assert.equal(told.headers.get('content-type'), JSON_TYPE)
  assert.deepEqual([told.json.name, told.json.files.length], ['some-tool', 2])
  const { url, hashes } = told.json.files.find((it: { filename: string }) => it.filename === wheel)
  assert.equal(hashes.sha256, sha256(bytes))
  assert.ok((await send(forge, null, 'GET', url.replace('http://forge.test', ''))).bytes.equals(bytes))
  const index = await send(forge, null, 'GET', `${ROOT}/simple/`, { headers: { accept: JSON_TYPE } })
  assert.deepEqual(index.json.projects, [{ name: 'some-tool' }])
  assert.equal((await send(forge, null, 'GET', `${ROOT}/simple/none/`)).status, 404)
})

const GOOD = 'x-1.0.tar.gz'
const WRONG: [what: string, file: string, bytes: number, fields: Record<string, string>, status: number][] = [
  ['another digest', GOOD, 10, { sha256_digest: '00' }, 400],
  ['another md5', GOOD, 10, { md5_digest: '00' }, 400],
  ['a path as name of the file', '..%2fx.tar.gz', 10, {}, 400],
  ['no package', 'x.exe', 10, {}, 400],
  ['a name of markup', GOOD, 10, { name: '<script>' }, 400],
  ['a version that is none', GOOD, 10, { version: '../1' }, 400],
  ['a null character', GOOD, 10, { summary: 'a\0b' }, 400],
  ['too many bytes', GOOD, 100_001, {}, 413],
]
for (const [what, file, bytes, fields, status] of WRONG)
  test(`an upload with ${what} is refused, and no objects remain`, async () => {
    await forge.deleteDiscarded()
    const before = await objectsOf(forge)
    assert.equal((await upload('ann', file, bytesOf(bytes), fields)).status, status)
    await forge.deleteDiscarded()
    assert.deepEqual(await objectsOf(forge), before)
  })

test('a malformed or truncated form is refused', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const cut = '--x\r\ncontent-disposition: form-data; name="content"; filename="a.tar.gz"\r\n\r\nbytes'
  for (const body of ['', 'nonsense', cut]) {
    const { status } = await send(forge, 'ann', 'POST', ROOT, { body, headers })
    assert.ok(status === 400, `${status} for ${body}`)
  }
  assert.equal(
    (await send(forge, 'ann', 'POST', ROOT, { body: 'x', headers: { 'content-type': 'text/x' } })).status,
    400,
  )
  await forge.deleteDiscarded()
  await assertNothingLost(forge)
})
