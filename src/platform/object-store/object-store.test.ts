/** The promises of the object store, the same for a folder and for a real S3 server. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type ObjectStore, openObjectStore, probeObjectStore } from '#platform/object-store'
import { Problem, type ProblemKind } from '#platform/problem'
import { type S3Server, startS3Server } from '../../cli/s3-server.ts'
import { KEY_LENGTH_MAX } from './key.ts'
import { SINGLE_PUT_BYTES_MAX } from './sizes.ts'

const LARGE = 2 * SINGLE_PUT_BYTES_MAX + 12_345
const STORED_AT_ONCE = 16

const badKeys = [
  { what: 'that is empty', key: '' },
  { what: 'that begins with a slash', key: '/a' },
  { what: 'that ends with a slash', key: 'a/' },
  { what: 'with an empty segment', key: 'a//b' },
  { what: 'that climbs', key: 'a/../b' },
  { what: 'that stands still', key: 'a/./b' },
  { what: 'among our temporary files', key: '.tmp/a' },
  { what: 'with a space', key: 'a b' },
  { what: 'with a line break at its end', key: 'a\n' },
  { what: 'with a letter outside ASCII', key: 'ä' },
  { what: 'that is too long', key: `${'a/'.repeat(KEY_LENGTH_MAX / 2)}a` },
  { what: 'with a segment that no file system takes', key: 'a'.repeat(256) },
]

for (const driver of ['disk', 's3'] as const) {
  describe(`the ${driver} driver`, { timeout: 180_000 }, () => {
    let folder: string
    let server: S3Server | undefined
    let store: ObjectStore

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'object-store-'))
      if (driver === 's3') server = await startS3Server({ folder })
      store = await openObjectStore(server?.store ?? { driver: 'disk', folder })
    })

    after(async () => {
      await store?.close()
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    test('passes the probe, which leaves nothing behind', async () => {
      await probeObjectStore(store, { rounds: 5 })
      assert.equal(store.driver, driver)
      assert.deepEqual(await listKeys(store, 'probe/'), [])
    })

    for (const { size, bytes } of [
      { size: 'an empty', bytes: 0 },
      { size: 'a small', bytes: 1_000 },
      { size: 'the largest single', bytes: SINGLE_PUT_BYTES_MAX },
      { size: 'a large', bytes: LARGE },
    ]) {
      test(`${size} object is created once and read back completely`, async () => {
        const key = newKey()
        const body = randomBytes(bytes)
        const other = randomBytes(bytes)
        assert.equal(await store.create(key, Readable.from(pieces(body)), { bytes }), 'created')
        assert.equal(await store.create(key, Readable.from(pieces(other)), { bytes }), 'exists')
        assert.equal(await store.create(key, other, { bytes }), 'exists')
        assert.deepEqual(await store.stat(key), { bytes })
        const found = await store.read(key)
        assert.equal(found.bytes, bytes)
        assert.ok((await buffer(found.body)).equals(body))
      })

      test(`${size} object is refused when its digest is wrong, and taken when it is right`, async () => {
        const key = newKey()
        const body = randomBytes(bytes)
        const sha256 = createHash('sha256').update(body).digest()
        const wrong = Buffer.from(sha256).fill(0)
        await rejects(store.create(key, Readable.from(pieces(body)), { bytes, sha256: wrong }), 'invalid')
        assert.equal(await store.stat(key), undefined)
        assert.equal(await store.create(key, body, { bytes, sha256: sha256.toString('hex') }), 'created')
        assert.equal(await store.create(key, body, { bytes, sha256 }), 'exists')
      })

      test(`${size} object is refused when it is longer or shorter than announced`, async () => {
        const key = newKey()
        const body = Buffer.alloc(bytes + 1)
        await rejects(store.create(key, Readable.from(pieces(body)), { bytes }), 'invalid')
        await rejects(store.create(key, Readable.from(pieces(body)), { bytes: bytes + 2 }), 'invalid')
        assert.equal(await store.stat(key), undefined)
      })

      test(`${size} object whose stream fails is not stored, and the caller gets the stream's error`, async () => {
        const key = newKey()
        const broken = new Error('the client went away')
        const body = Readable.from(
          (async function* () {
            yield* pieces(Buffer.alloc(bytes))
            throw broken
          })(),
        )
        await assert.rejects(store.create(key, body, { bytes }), (error) => error === broken)
        assert.equal(await store.stat(key), undefined)
      })
    }

    test('of many writers of one key exactly one creates it, and its body stays', async () => {
      const key = newKey()
      const bodies = Array.from({ length: 20 }, () => randomBytes(5_000))
      const answers = await Promise.all(bodies.map((body) => store.create(key, body, { bytes: 5_000 })))
      assert.equal(answers.filter((answer) => answer === 'created').length, 1)
      assert.deepEqual(await readAll(store, key), bodies[answers.indexOf('created')])
    })

    test('a range returns its bytes, is truncated at the end of the object, and is refused past it', async () => {
      const key = newKey()
      const body = randomBytes(1_000)
      await store.create(key, body, { bytes: 1_000 })
      for (const { start, end, until } of [
        { start: 0, end: 0, until: 1 },
        { start: 10, end: 19, until: 20 },
        { start: 990, end: 5_000, until: 1_000 },
        { start: 999, end: 999, until: 1_000 },
      ]) {
        const found = await store.read(key, { range: { start, end } })
        assert.equal(found.bytes, until - start)
        assert.deepEqual(await buffer(found.body), body.subarray(start, until))
      }
      for (const range of [
        { start: 1_000, end: 1_001 },
        { start: 5, end: 4 },
        { start: -1, end: 4 },
        { start: 0, end: 0.5 },
      ]) {
        await rejects(store.read(key, { range }), 'invalid')
      }
      const empty = newKey()
      await store.create(empty, new Uint8Array(), { bytes: 0 })
      await rejects(store.read(empty, { range: { start: 0, end: 0 } }), 'invalid')
    })

    test('an absent object has no stat, cannot be read, and can be deleted', async () => {
      const key = newKey()
      assert.equal(await store.stat(key), undefined)
      await rejects(store.read(key), 'not_found')
      await store.delete(key)
    })

    test('a deleted object is gone, and its key can be created again', async () => {
      const key = newKey()
      await store.create(key, Buffer.from('first'), { bytes: 5 })
      await store.delete(key)
      assert.equal(await store.stat(key), undefined)
      await rejects(store.read(key), 'not_found')
      assert.deepEqual(await listKeys(store, key), [])
      assert.equal(await store.create(key, Buffer.from('second'), { bytes: 6 }), 'created')
      assert.equal((await readAll(store, key)).toString(), 'second')
    })

    test('list returns every key with the prefix, over many pages, and no others', async () => {
      const top = `list-${randomUUID()}`
      const names = Array.from({ length: 1_005 }, (_, at) => `${top}/${at % 7}/${at}`)
      for (let at = 0; at < names.length; at += STORED_AT_ONCE) {
        const some = names.slice(at, at + STORED_AT_ONCE)
        await Promise.all(some.map((name) => store.create(name, Buffer.from('abc'), { bytes: 3 })))
      }
      await store.create(`${top}-beside/0/0`, Buffer.from('abc'), { bytes: 3 })

      assert.deepEqual(await listKeys(store, `${top}/`), names.toSorted())
      assert.deepEqual(
        await listKeys(store, `${top}/3/1`),
        names.filter((name) => name.startsWith(`${top}/3/1`)).toSorted(),
      )
      assert.equal((await listKeys(store, top)).length, 1_006)
      assert.equal((await listKeys(store, '')).filter((key) => key.startsWith(top)).length, 1_006)
      assert.deepEqual(await listKeys(store, `${top}/9/`), [])
      for await (const { bytes, modified_at } of store.list(`${top}/6/1`)) {
        assert.equal(bytes, 3)
        assert.ok(modified_at.getTime() > Date.UTC(2020))
      }
    })

    test('a key that is a folder of another is refused as a conflict, and nothing is lost', async () => {
      const key = newKey()
      await store.create(`${key}/below`, Buffer.from('below'), { bytes: 5 })
      await rejects(store.create(key, Buffer.from('above'), { bytes: 5 }), 'conflict')
      await rejects(store.create(`${key}/below/deeper`, Buffer.from('x'), { bytes: 1 }), 'conflict')
      await rejects(store.read(key), 'not_found')
      assert.equal(await store.stat(key), undefined)
      assert.equal(await store.stat(`${key}/below/deeper`), undefined)
      await store.delete(key)
      await store.delete(`${key}/below/deeper`)
      assert.equal((await readAll(store, `${key}/below`)).toString(), 'below')
    })

    for (const { what, key } of badKeys) {
      test(`a key ${what} is refused by every verb`, async () => {
        await rejects(store.create(key, Buffer.from('x'), { bytes: 1 }), 'invalid')
        await rejects(store.read(key), 'invalid')
        await rejects(store.stat(key), 'invalid')
        await rejects(store.delete(key), 'invalid')
      })
    }

    test('an invalid size or digest is refused', async () => {
      for (const bytes of [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
        await rejects(store.create(newKey(), Buffer.from('x'), { bytes }), 'invalid')
      }
      await rejects(store.create(newKey(), Buffer.from('x'), { bytes: 2 ** 50 }), 'too_large')
      for (const sha256 of ['', 'abc', 'z'.repeat(64), new Uint8Array(31)]) {
        await rejects(store.create(newKey(), Buffer.from('x'), { bytes: 1, sha256 }), 'invalid')
      }
    })

    for (const bytes of [1_000, LARGE]) {
      test(`a create of ${bytes} bytes that is aborted throws the reason and stores nothing`, async () => {
        const key = newKey()
        const stop = new AbortController()
        const reason = new Error('the server is draining')
        const body = new Readable({ read() {} })
        body.push(Buffer.alloc(bytes - 1))
        setTimeout(() => stop.abort(reason), 50)
        await assert.rejects(
          store.create(key, body, { bytes, signal: stop.signal }),
          (error) => error === reason,
        )
        assert.ok(body.destroyed)
        assert.equal(await store.stat(key), undefined)
        await assert.rejects(
          store.create(key, Buffer.alloc(bytes), { bytes, signal: stop.signal }),
          (error) => error === reason,
        )
        assert.equal(await store.stat(key), undefined)
      })
    }

    test('an aborted read fails, before it began and while streaming', async () => {
      const key = newKey()
      await store.create(key, Buffer.alloc(LARGE), { bytes: LARGE })
      const stop = new AbortController()
      const { body } = await store.read(key, { signal: stop.signal })
      await assert.rejects(async () => {
        for await (const _ of body) stop.abort(new Error('enough'))
      })
      await assert.rejects(store.read(key, { signal: stop.signal }), /enough/)
    })

    test('an unread stream is destroyed, and a stream that had failed reports its error', async () => {
      const unread = Readable.from(pieces(Buffer.alloc(10)))
      await rejects(store.create('../up', unread, { bytes: 10 }), 'invalid')
      assert.ok(unread.destroyed)

      const failed = new Readable({ read() {} })
      const reason = new Error('failed too early')
      const created = store.create(newKey(), failed, { bytes: 10 })
      failed.destroy(reason)
      await assert.rejects(created, (error) => error === reason)
    })
  })
}

function newKey(): string {
  return `test/${randomUUID()}`
}

/** A body as it arrives from a network: in pieces of uneven size. */
function* pieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 40_001) yield body.subarray(at, at + 40_001)
}

async function readAll(store: ObjectStore, key: string): Promise<Buffer> {
  return buffer((await store.read(key)).body)
}

async function listKeys(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}

async function rejects(work: Promise<unknown>, kind: ProblemKind): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.kind, kind)
    return true
  })
}
