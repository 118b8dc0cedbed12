/** Request bodies in memory have a common limit and are released. */
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { HeldBodies } from './held-bodies.ts'

const of = (bytes: number) => Readable.from([Buffer.alloc(bytes)], { objectMode: false })

test('all bodies together have a limit, and released ones make room', async () => {
  const bodies = new HeldBodies(100)
  {
    using first = await bodies.read(of(60), 80)
    assert.equal(first.bytes.length, 60)
    await assert.rejects(bodies.read(of(60), 80), { kind: 'unavailable' })
    using _small = await bodies.read(of(40), 80)
  }
  using _again = await bodies.read(of(80), 80)
})

test('a body that is too large or breaks off holds no memory', async () => {
  const bodies = new HeldBodies(100)
  await assert.rejects(bodies.read(of(90), 80), { kind: 'too_large' })
  const broken = new PassThrough()
  broken.write(Buffer.alloc(50))
  setImmediate(() => broken.destroy(new Error('gone')))
  await assert.rejects(bodies.read(broken, 80), { kind: 'malformed' })
  using _whole = await bodies.read(of(80), 80)
})
