/** Bodies are streamed: the memory of the process does not grow with their size. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { type ObjectStore, openObjectStore } from '#platform/object-store'
import { startS3Server } from '../../cli/s3-server.ts'

const MEGABYTE = 1024 * 1024
const WARM_BYTES = 16 * MEGABYTE
const LARGE_BYTES = 256 * MEGABYTE
/** Measured: nothing on disk and 15 to 60 MB for the parts in flight to S3; a whole body would be 256. */
const STORE_GROWTH_BYTES_MAX = 128 * MEGABYTE
/** Chunks of a reader are garbage-collected late on a busy machine: 30 to 130 MB. */
const READ_GROWTH_BYTES_MAX = 192 * MEGABYTE

for (const driver of ['disk', 's3'] as const) {
  test(`${driver}: storing and reading 256 MB takes far less memory`, { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'object-store-memory-'))
    const server = driver === 's3' ? await startS3Server({ folder }) : undefined
    const store = await openObjectStore(server?.store ?? { driver: 'disk', folder })
    try {
      // The first large body pays for code and buffers that later ones reuse.
      await storeBody(store, 'warm', WARM_BYTES)
      await readBody(store, 'warm', WARM_BYTES)
      const stored = await measureGrowth(() => storeBody(store, 'large', LARGE_BYTES))
      assert.ok(stored < STORE_GROWTH_BYTES_MAX, `storing grew by ${Math.round(stored / MEGABYTE)} MB`)
      const read = await measureGrowth(() => readBody(store, 'large', LARGE_BYTES))
      assert.ok(read < READ_GROWTH_BYTES_MAX, `reading grew by ${Math.round(read / MEGABYTE)} MB`)
    } finally {
      await store.close()
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function storeBody(store: ObjectStore, key: string, bytes: number): Promise<void> {
  const body = Readable.from(repeat(bytes), { objectMode: false })
  assert.equal(await store.create(key, body, { bytes }), 'created')
}

async function readBody(store: ObjectStore, key: string, bytes: number): Promise<void> {
  let read = 0
  for await (const chunk of (await store.read(key)).body) read += chunk.length
  assert.equal(read, bytes)
}

/** Repeats one chunk, so that the store is measured and not the source. */
function* repeat(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, 7)
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

/**
 * Measured as bytes held by buffers, freed late or not. The resident size would hide a body that fits into memory an
 * earlier test gave back to the allocator.
 */
async function measureGrowth(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  }, 5)
  await work().finally(() => clearInterval(timer))
  return peak - before
}
