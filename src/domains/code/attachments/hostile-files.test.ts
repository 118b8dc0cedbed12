/** Disguised uploads: stored byte for byte, bounded, and never executed in the forge's origin. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

const BYTES_MAX = 200_000
const big = (more: number) => Buffer.alloc(BYTES_MAX + more, 'x')
const SCRIPT = '<script>alert(document.domain)</script>'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const GIF = Buffer.from('GIF89a')
const SAVED = 'application/octet-stream'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'attachments.bytes_max': BYTES_MAX } })
  for (const login of ['ann', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  await forge.call('eve', 'POST', '/repos/ann/one/issues', { title: 'with files' })
})
after(() => forge[Symbol.asyncDispose]())

interface Sent {
  readonly what: string
  /** The limit or check under test. */
  readonly limit: string
  readonly name: string
  readonly bytes: Buffer | string
  /** The stored name; the sent name when absent. */
  readonly kept?: string
  /** The expected content type of the download. */
  readonly type?: string
}

const TYPE = 'type by first bytes'
const NAME = 'NAME_MAX'
const KEPT: readonly Sent[] = [
  { what: 'a script', limit: TYPE, name: 'a.txt', bytes: SCRIPT },
  {
    what: 'a script in SVG',
    limit: TYPE,
    name: 'a.svg',
    bytes: `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
  },
  { what: 'HTML that is called a picture', limit: TYPE, name: 'a.png', bytes: `<html>${SCRIPT}` },
  { what: 'SVG that is called a picture', limit: TYPE, name: 'a.jpg', bytes: '<?xml?><svg onload="x()"/>' },
  { what: 'HTML that is called text', limit: TYPE, name: 'a.md', bytes: `<!doctype html>${SCRIPT}` },
  { what: 'a PDF with a script', limit: TYPE, name: 'a.pdf', bytes: '%PDF-1.7\n/JS (app.alert(1))' },
  {
    what: 'a picture that is also HTML',
    limit: TYPE,
    name: 'a.png',
    bytes: Buffer.concat([PNG, Buffer.from(SCRIPT)]),
    type: 'image/png',
  },
  {
    what: 'a picture that is also JavaScript, called text',
    limit: TYPE,
    name: 'a.txt',
    bytes: Buffer.concat([GIF, Buffer.from('=1;alert(1)')]),
    type: 'image/gif',
  },
  { what: 'the start of a picture behind a space', limit: TYPE, name: 'a.gif', bytes: ' GIF89a' },
  { what: 'an archive that is also HTML', limit: TYPE, name: 'a.zip', bytes: `PK\x03\x04${SCRIPT}` },
  { what: 'no bytes at all', limit: TYPE, name: 'a.txt', bytes: '' },
  { what: 'as many bytes as there may be', limit: 'attachments.bytes_max', name: 'a.txt', bytes: big(0) },
  {
    what: 'a name of 10,000 letters',
    limit: NAME,
    name: `${'a'.repeat(10_000)}.txt`,
    kept: `${'a'.repeat(251)}.txt`,
    bytes: 'x',
  },
  {
    what: 'a name of 10,000 letters of four bytes',
    limit: NAME,
    name: `${'😀'.repeat(10_000)}.txt`,
    kept: `${'😀'.repeat(251)}.txt`,
    bytes: 'x',
  },
  {
    what: 'a name that is a path',
    limit: NAME,
    name: '../../etc/passwd.txt',
    kept: 'passwd.txt',
    bytes: 'x',
  },
  { what: 'a name that is a path elsewhere', limit: NAME, name: 'C:\\a\\b.txt', kept: 'b.txt', bytes: 'x' },
  {
    what: 'a name that is data',
    limit: NAME,
    name: `data:text/html,${SCRIPT}.txt`,
    kept: 'script>.txt',
    bytes: 'x',
  },
  {
    what: 'a name with quotes and another header',
    limit: NAME,
    name: `a"; filename=b.html'(*).txt`,
    bytes: 'x',
  },
  {
    what: 'a name with control characters',
    limit: NAME,
    name: 'a\r\nset-cookie: x=1\r\n\x1b[31m\x7f.txt',
    kept: 'aset-cookie: x=1[31m.txt',
    bytes: 'x',
  },
  { what: 'a name that runs backwards', limit: NAME, name: 'a\u202egnp.txt', kept: 'agnp.txt', bytes: 'x' },
]

for (const { what, limit, name, bytes, kept = name, type = SAVED } of KEPT)
  test(`${what} is stored and served harmlessly (${limit})`, async () => {
    const { status, body } = await send(name, bytes)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.name, kept)
    assert.ok([...body.name].length <= 255)
    const got = await fetch(`${forge.base}/attachments/${body.uuid}`)
    assert.equal(got.status, 200)
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(Buffer.from(bytes)))
    const told = (header: string) => got.headers.get(header) ?? ''
    assert.equal(told('content-type'), type)
    assert.equal(told('x-content-type-options'), 'nosniff')
    assert.match(told('content-security-policy'), /default-src 'none';.* sandbox$/)
    const [disposition, file = ''] = told('content-disposition').split("; filename*=UTF-8''")
    assert.equal(disposition, type === SAVED ? 'attachment' : 'inline')
    assert.match(file, /^[\w.!~%-]*$/)
    assert.equal(decodeURIComponent(file), kept)
    assert.equal(told('set-cookie'), '')
  })

const REFUSED: readonly (Sent & { readonly status: number })[] = [
  { what: 'HTML', limit: 'attachments.types', name: 'a.html', bytes: SCRIPT, status: 422 },
  { what: 'a program', limit: 'attachments.types', name: 'a.exe', bytes: 'MZ', status: 422 },
  { what: 'two endings', limit: 'attachments.types', name: 'a.png.html', bytes: PNG, status: 422 },
  { what: 'a null before the ending', limit: 'attachments.types', name: 'a.html\0.', bytes: '', status: 422 },
  { what: 'no ending', limit: 'attachments.types', name: 'png', bytes: PNG, status: 422 },
  {
    what: 'an ending of 10,000 letters',
    limit: 'attachments.types',
    name: `.${'t'.repeat(9_999)}`,
    bytes: 'x',
    status: 422,
  },
  { what: 'a folder', limit: NAME, name: '..', bytes: 'x', status: 400 },
  { what: 'a name of control characters', limit: NAME, name: '\r\n\t', bytes: 'x', status: 400 },
  { what: 'one byte too many', limit: 'attachments.bytes_max', name: 'a.txt', bytes: big(1), status: 413 },
]

for (const { what, limit, name, bytes, status } of REFUSED)
  test(`${what} is refused (${limit})`, async () => {
    const before = await files()
    assert.equal((await send(name, bytes)).status, status)
    assert.deepEqual(await files(), before)
  })

test('a form without a file is refused', async () => {
  const form = new FormData()
  form.append('attachment', 'no file')
  assert.equal((await post(form)).status, 422)
})

/** A name in the query reaches the server unchanged; a name in the form can be longer than a query allows. */
function send(name: string, bytes: Buffer | string) {
  return name.length > 1_000
    ? post(formOf(name, bytes))
    : post(formOf('form.txt', bytes), `?name=${encodeURIComponent(name)}`)
}

async function post(body: FormData, query = '') {
  const response = await fetch(`${forge.base}/api/v1/repos/ann/one/issues/1/assets${query}`, {
    method: 'POST',
    body,
    headers: { authorization: `token ${forge.tokenOf('eve')}` },
  })
  return { status: response.status, body: (await response.json()) as { name: string; uuid: string } }
}

async function files(): Promise<string[]> {
  const { body } = await forge.call(null, 'GET', '/repos/ann/one/issues/1/assets')
  return body.map(({ uuid }: { uuid: string }) => uuid)
}

function formOf(name: string, bytes: Buffer | string): FormData {
  const form = new FormData()
  form.append('attachment', new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  return form
}
