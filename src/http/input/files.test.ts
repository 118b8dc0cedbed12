/** Uploads at the edge: as a form or raw, bounded; and answers of bytes, under paths with slashes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { invalid } from '#platform/problem'
import { asAnybody, Bytes, created, route } from '#platform/rest'
import { type Forge, startForge } from '#testing'

const BYTES_MAX = 3_000_000
const facts = { tag: 'test', summary: 'for tests', scopes: [] }
const Taken = Type.Object({ name: Type.String(), bytes: Type.Integer(), digest: Type.String() })

const take = route({
  ...facts,
  method: 'POST',
  path: '/files',
  operationId: 'takeFile',
  takesFile: true,
  answers: { 201: Taken },
  open: asAnybody,
  handle: async ({ upload }) => {
    if (upload === null) throw invalid('a file is needed')
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of upload.content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return created({ name: upload.name, bytes, digest: hash.digest('hex') })
  },
})
const give = route({
  ...facts,
  method: 'GET',
  path: '/given/:owner/*filepath',
  operationId: 'giveFile',
  params: Type.Object({ owner: Type.String(), filepath: Type.String() }),
  answers: { 200: Bytes },
  open: asAnybody,
  handle: async ({ params }) => ({
    status: 200 as const,
    body: Buffer.from(`${params.owner}: ${params.filepath}`),
    headers: { 'content-type': 'application/octet-stream' },
  }),
})

let forge: Forge
before(async () => {
  forge = await startForge({ routes: [take, give], config: { 'http.file_bytes_max': BYTES_MAX } })
})
after(() => forge[Symbol.asyncDispose]())

const file = Buffer.alloc(2_500_000, 'a file of some size ')
const digest = createHash('sha256').update(file).digest('hex')

test('a file is uploaded in a form, with its name', async () => {
  const form = new FormData()
  form.append('note', 'beside it')
  form.append('attachment', new Blob([file]), 'tools.tar.gz')
  assert.deepEqual(await send(form), {
    status: 201,
    body: { name: 'tools.tar.gz', bytes: file.length, digest },
  })
})

test('a file is uploaded as a raw body', async () => {
  assert.deepEqual(await send(file), { status: 201, body: { name: '', bytes: file.length, digest } })
})

test('a form without a file has no upload; a malformed form is refused', async () => {
  const form = new FormData()
  form.append('note', 'nothing beside it')
  assert.equal((await send(form)).status, 422)
  assert.equal((await send(file, { 'content-type': 'multipart/form-data' })).status, 422)
})

test('a file above the size limit is refused, in a form and raw', async () => {
  const large = Buffer.alloc(BYTES_MAX + 1)
  const form = new FormData()
  form.append('attachment', new Blob([large]), 'large')
  assert.equal((await send(large)).status, 413)
  assert.equal((await send(form)).status, 413)
})

test('the rest of a path is one parameter, and bytes are answered as bytes', async () => {
  const reply = await forge.call(null, 'GET', '/given/ada/docs/a%20b/c.txt')
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'application/octet-stream')
  assert.equal(reply.body, 'ada: docs/a b/c.txt')
  assert.equal((await forge.call(null, 'DELETE', '/given/ada/docs/c.txt')).status, 405)
  assert.equal((await forge.call(null, 'GET', '/given/ada')).status, 404)
})

async function send(
  body: FormData | Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${forge.base}/api/v1/files`, {
    method: 'POST',
    body: body as FormData,
    headers: { ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}), ...headers },
  })
  return { status: response.status, body: await response.json() }
}
