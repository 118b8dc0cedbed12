/** The S3 driver when the network or the server fails. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { HeadObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { type ObjectStore, openObjectStore, probeObjectStore } from '#platform/object-store'
import { Problem } from '#platform/problem'
import { type S3Server, startS3Server } from '../../cli/s3-server.ts'
import { SINGLE_PUT_BYTES_MAX } from './sizes.ts'

const LARGE = SINGLE_PUT_BYTES_MAX + 1_000
const uploadStarted =
  '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>'

describe('the s3 driver with network and server failures', { timeout: 180_000 }, () => {
  let folder: string
  let server: S3Server
  let store: ObjectStore

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'object-store-s3-'))
    server = await startS3Server({ folder })
    store = await openObjectStore(server.store)
  })

  after(async () => {
    await store?.close()
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { what, bytes, cut } of [
    { what: 'put', bytes: 1_000, cut: /^PUT / },
    { what: 'part', bytes: LARGE, cut: /^PUT .*partNumber=1/ },
    { what: 'completion', bytes: LARGE, cut: /^POST .*uploadId=/ },
  ]) {
    test(`a ${what} that was stored but not answered resolves, and the object exists once`, async () => {
      const proxy = await startProxy(server, cut, 'cut the answer')
      const through = await openObjectStore({ ...server.store, endpoint: proxy.endpoint })
      const body = randomBytes(bytes)
      const key = `unanswered/${what}`
      try {
        const answer = await through.create(key, Readable.from([body]), { bytes })
        assert.match(answer, /^(created|exists)$/)
        if (what === 'put') assert.equal(answer, 'exists')
        assert.equal(proxy.requests.filter((line) => cut.test(line)).length, 2)
      } finally {
        await through.close()
        proxy.stop()
      }
      assert.deepEqual(await Array.fromAsync(store.list(key), (found) => found.key), [key])
      assert.ok((await buffer((await store.read(key)).body)).equals(body))
      assert.deepEqual(await listOpenUploads(server), [])
    })
  }

  test('bodies are sent with digests, which the server verifies and stores', async () => {
    const body = randomBytes(LARGE)
    await store.create('digest/small', body.subarray(0, 1_000), { bytes: 1_000 })
    await store.create('digest/large', body, { bytes: LARGE })
    const small = createHash('sha256').update(body.subarray(0, 1_000)).digest('base64')
    assert.equal(await readChecksum(server, 'digest/small'), small)
    // For a multipart object S3 stores the digest of the part digests and the number of parts.
    assert.match((await readChecksum(server, 'digest/large')) ?? '', /-2$/)
  })

  test('a large object that existed, or whose body failed, leaves no parts behind', async () => {
    const body = Buffer.alloc(LARGE)
    assert.equal(await store.create('parts/once', body, { bytes: LARGE }), 'created')
    assert.equal(await store.create('parts/once', body, { bytes: LARGE }), 'exists')
    const failing = Readable.from(
      (async function* () {
        yield body
        throw new Error('broken off')
      })(),
    )
    await assert.rejects(store.create('parts/never', failing, { bytes: LARGE + 1 }), /broken off/)
    assert.deepEqual(await listOpenUploads(server), [])
  })

  test('a server that never answers times out', async () => {
    const proxy = await startProxy(server, /^/, 'swallow the answer')
    const through = await openObjectStore({
      ...server.store,
      endpoint: proxy.endpoint,
      requestTimeoutMs: 1_000,
    })
    const started = performance.now()
    try {
      const works = [
        through.create('silent/a', Buffer.from('abc'), { bytes: 3 }),
        through.create('silent/b', Buffer.alloc(LARGE), { bytes: LARGE }),
        through.read('silent/a'),
        through.stat('silent/a'),
        through.delete('silent/c'),
        Array.fromAsync(through.list('silent/')),
      ]
      await Promise.all(works.map((work) => assert.rejects(work, { name: 'Problem', kind: 'unavailable' })))
    } finally {
      await through.close()
      proxy.stop()
    }
    assert.ok(performance.now() - started < 60_000)
    // The unanswered PUT stored the object, so the retry returns `exists`.
    assert.equal(await store.create('silent/a', Buffer.from('abc'), { bytes: 3 }), 'exists')
  })

  test('a read that is cut off fails instead of ending early', async () => {
    await store.create('cut/read', Buffer.alloc(LARGE), { bytes: LARGE })
    const proxy = await startProxy(server, /^GET /, 'cut the body')
    const through = await openObjectStore({ ...server.store, endpoint: proxy.endpoint })
    try {
      const { bytes, body } = await through.read('cut/read')
      assert.equal(bytes, LARGE)
      await assert.rejects(buffer(body))
    } finally {
      await through.close()
      proxy.stop()
    }
  })

  test('a body that stalls times out', async () => {
    await store.create('stalled/read', Buffer.alloc(LARGE), { bytes: LARGE })
    const proxy = await startProxy(server, /^GET /, 'stall the body')
    const through = await openObjectStore({
      ...server.store,
      endpoint: proxy.endpoint,
      requestTimeoutMs: 2_000,
    })
    try {
      const { body } = await through.read('stalled/read')
      await assert.rejects(buffer(body))
    } finally {
      await through.close()
      proxy.stop()
    }
  })

  test('stores with different prefixes share a bucket and do not see each other', async () => {
    const here = await openObjectStore({ ...server.store, prefix: 'shared/here' })
    const there = await openObjectStore({ ...server.store, prefix: 'shared/there' })
    try {
      await probeObjectStore(here, { rounds: 1 })
      assert.equal(await here.create('a/b', Buffer.from('here'), { bytes: 4 }), 'created')
      assert.equal(await there.create('a/b', Buffer.from('there'), { bytes: 5 }), 'created')
      assert.deepEqual(await Array.fromAsync(here.list(''), ({ key, bytes }) => ({ key, bytes })), [
        { key: 'a/b', bytes: 4 },
      ])
      assert.deepEqual(await store.stat('shared/there/a/b'), { bytes: 5 })
    } finally {
      await here.close()
      await there.close()
    }
    await assert.rejects(openObjectStore({ ...server.store, prefix: 'a/' }), { kind: 'invalid' })
  })

  for (const { what, wrong } of [
    { what: 'bucket', wrong: { bucket: 'nowhere' } },
    { what: 'secret', wrong: { secretAccessKey: 'guessed' } },
  ]) {
    test(`a wrong ${what} is reported by the probe, with the advice to check it`, async () => {
      const mistaken = await openObjectStore({ ...server.store, ...wrong })
      try {
        await assert.rejects(mistaken.read('a'), { name: 'Problem', kind: 'unavailable' })
        await assert.rejects(probeObjectStore(mistaken), /NoSuchBucket|SignatureDoesNotMatch/)
        await assert.rejects(probeObjectStore(mistaken), /correct store\.(?:bucket|secret_access_key)/)
      } finally {
        await mistaken.close()
      }
    })
  }

  test('objects survive a server restart, and a missing server program is reported with a command', async () => {
    await store.create('outlives/a', Buffer.from('abc'), { bytes: 3 })
    const again = await startS3Server({ folder })
    const reopened = await openObjectStore(again.store)
    try {
      assert.deepEqual(await reopened.stat('outlives/a'), { bytes: 3 })
    } finally {
      await reopened.close()
      await again.stop()
    }
    await assert.rejects(startS3Server({ folder, binary: join(folder, 'none') }), /run tools\/bootstrap.sh/)
  })
})

/** Answers that the real server never gives, but others do. */
describe('the s3 driver with other servers', { timeout: 180_000 }, () => {
  for (const { completion, isThere, outcome } of [
    { completion: { status: 404, code: 'NoSuchUpload' }, isThere: true, outcome: 'exists' },
    { completion: { status: 404, code: 'NoSuchUpload' }, isThere: false, outcome: 'unavailable' },
    { completion: { status: 409, code: 'ConditionalRequestConflict' }, isThere: true, outcome: 'exists' },
    {
      completion: { status: 409, code: 'ConditionalRequestConflict' },
      isThere: false,
      outcome: 'unavailable',
    },
    { completion: { status: 412, code: 'PreconditionFailed' }, isThere: true, outcome: 'exists' },
    { completion: { status: 403, code: 'AccessDenied' }, isThere: true, outcome: 'unavailable' },
  ]) {
    const state = isThere ? 'is there' : 'is not there'
    test(`a completion refused with ${completion.code} when the object ${state} is '${outcome}'`, async () => {
      const { store, seen, stop } = await startFake((request) => answerUpload(request, completion, isThere))
      try {
        const created = store.create('a/b', Buffer.alloc(LARGE), { bytes: LARGE })
        if (outcome === 'exists') assert.equal(await created, 'exists')
        else await assert.rejects(created, { name: 'Problem', kind: outcome })
        assert.ok(seen.some((request) => /^DELETE .*uploadId=one/.test(request)))
      } finally {
        await stop()
      }
    })
  }

  test('a put that crossed a delete is retried a limited number of times', async () => {
    let conflicts = 2
    const { store, seen, stop } = await startFake(() => {
      conflicts -= 1
      return conflicts < 0 ? { status: 200 } : { status: 409, code: 'ConditionalRequestConflict' }
    })
    try {
      assert.equal(await store.create('a/b', Buffer.from('abc'), { bytes: 3 }), 'created')
      assert.equal(seen.length, 3)
      conflicts = Number.POSITIVE_INFINITY
      await assert.rejects(store.create('a/c', Buffer.from('abc'), { bytes: 3 }), { kind: 'unavailable' })
      assert.ok(seen.length < 20)
    } finally {
      await stop()
    }
  })

  for (const { isThere, outcome } of [
    { isThere: true, outcome: 'exists' },
    { isThere: false, outcome: 'unavailable' },
  ]) {
    test(`a put whose refusal is lost is '${outcome}' when a stat ${isThere ? 'finds it' : 'does not'}`, async () => {
      const { store, seen, stop } = await startFake((request) =>
        request.startsWith('PUT') ? 'hang up' : { status: isThere ? 200 : 404 },
      )
      try {
        const created = store.create('a/b', Buffer.alloc(SINGLE_PUT_BYTES_MAX), {
          bytes: SINGLE_PUT_BYTES_MAX,
        })
        if (outcome === 'exists') assert.equal(await created, 'exists')
        else await assert.rejects(created, { name: 'Problem', kind: outcome })
        assert.equal(seen.filter((request) => request.startsWith('PUT')).length, 3)
      } finally {
        await stop()
      }
    })
  }

  test('an answer that drips and never begins times out', async () => {
    const drips = createServer((socket) => {
      const timer = setInterval(() => socket.write('x'), 100)
      socket.on('error', () => {}).on('close', () => clearInterval(timer))
      // Far longer than the driver may wait, so that a driver that waits fails the test before this.
      setTimeout(() => socket.destroy(), 20_000).unref()
      socket.resume().write('HTTP/1.1 200 OK\r\nx-slow: ')
    }).listen(0, '127.0.0.1')
    await once(drips, 'listening')
    const store = await openFake(drips, 1_000)
    try {
      await assert.rejects(store.stat('a/b'), (error) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.kind, 'unavailable')
        assert.equal(error.details.failure, 'ETIMEDOUT')
        return true
      })
    } finally {
      await store.close()
      drips.close()
    }
  })

  test('an answer that ignores the requested range is refused', async () => {
    const { store, stop } = await startFake(() => ({ status: 200, body: 'all of it' }))
    try {
      const range = { start: 1, end: 2 }
      await assert.rejects(store.read('a/b', { range }), { name: 'Problem', kind: 'unavailable' })
    } finally {
      await stop()
    }
  })
})

interface Answer {
  status: number
  code?: string
  body?: string
}

/** Accepts the parts of an upload, and completes it as given. */
function answerUpload(request: string, completion: Answer, isThere: boolean): Answer {
  if (request.includes('uploads')) return { status: 200, body: uploadStarted }
  if (request.startsWith('POST')) return completion
  if (request.startsWith('HEAD')) return { status: isThere ? 200 : 404 }
  return { status: 200 }
}

/** A server that answers each request, given as 'METHOD path', by `answer`. */
async function startFake(answer: (request: string) => Answer | 'hang up') {
  const seen: string[] = []
  const server = createHttpServer((request, response) => {
    const line = `${request.method} ${request.url}`
    seen.push(line)
    const told = answer(line)
    if (told === 'hang up') return request.socket.resetAndDestroy()
    request.resume().on('end', () => {
      const { status, code, body = code ? `<Error><Code>${code}</Code></Error>` : '' } = told
      response.writeHead(status, { etag: '"0"', 'content-length': body.length }).end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = await openFake(server, 30_000)
  const stop = async () => {
    await store.close()
    server.closeAllConnections()
    server.close()
  }
  return { store, seen, stop }
}

function openFake(server: Server, requestTimeoutMs: number): Promise<ObjectStore> {
  return openObjectStore({
    driver: 's3',
    endpoint: endpointOf(server),
    region: 'us-east-1',
    bucket: 'bloomery',
    accessKeyId: 'someone',
    secretAccessKey: 'something',
    requestTimeoutMs,
    connectTimeoutMs: 10_000,
  })
}

type Fault = 'cut the answer' | 'swallow the answer' | 'cut the body' | 'stall the body'

/**
 * A proxy on loopback that injects one kind of fault into answers of requests whose first line matches. An answer is cut
 * once, so that a retry succeeds; the other faults last.
 */
async function startProxy(server: S3Server, harmed: RegExp, fault: Fault) {
  const upstreamPort = Number(new URL(server.store.endpoint).port)
  const sockets = new Set<Socket>()
  const requests: string[] = []
  let cuts = 0
  const proxy = createServer((client) => {
    const upstream = connect(upstreamPort, '127.0.0.1')
    tie(client, upstream, sockets)
    let line = ''
    let answered = 0
    client.on('data', (chunk) => {
      const found = /^[A-Z]+ \S+ HTTP\/1.1/.exec(chunk.toString('latin1', 0, 2_000))
      if (found) {
        line = found[0]
        requests.push(line)
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      answered += chunk.length
      const isHalf = fault.endsWith('body') && answered < LARGE / 2
      if (!harmed.test(line) || isHalf || (fault === 'cut the answer' && cuts > 0)) client.write(chunk)
      else if (fault.startsWith('cut')) {
        cuts += 1
        client.destroy()
      }
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const stop = () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  }
  return { endpoint: endpointOf(proxy), requests, stop }
}

function endpointOf(server: Server): string {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

/** When one of two sockets ends, so does the other. */
function tie(one: Socket, other: Socket, sockets: Set<Socket>): void {
  sockets.add(one).add(other)
  one.on('error', () => {}).on('close', () => other.destroy())
  other.on('error', () => {}).on('close', () => one.destroy())
}

async function listOpenUploads(server: S3Server): Promise<string[]> {
  const client = openClient(server)
  const answer = await client.send(new ListMultipartUploadsCommand({ Bucket: server.store.bucket }))
  client.destroy()
  return (answer.Uploads ?? []).map((upload) => upload.Key ?? '')
}

async function readChecksum(server: S3Server, key: string): Promise<string | undefined> {
  const client = openClient(server)
  const object = { Bucket: server.store.bucket, Key: key, ChecksumMode: 'ENABLED' as const }
  const answer = await client.send(new HeadObjectCommand(object))
  client.destroy()
  return answer.ChecksumSHA256
}

function openClient({ store }: S3Server): S3Client {
  return new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    forcePathStyle: true,
  })
}
