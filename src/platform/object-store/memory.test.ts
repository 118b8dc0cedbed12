/** Bodies are streamed: the memory of the process does not follow their size. */
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
/** A few parts in flight, and some 64 MB of buffers that the collector takes its time to free. */
const GROWTH_BYTES_MAX = 128 * MEGABYTE

for (const driver of ['disk', 's3'] as const) {
  test(`${driver}: storing and reading 256 MB takes far less memory`, { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'object-store-memory-'))
    const server = driver === 's3' ? await startS3Server({ folder }) : undefined
    const store = await openObjectStore(server?.store ?? { driver: 'disk', folder })
    try {
      // The first large body pays for code and buffers that every later one uses again.
      await storeAndRead(store, 'warm', WARM_BYTES)
      const growth = await measureGrowth(() => storeAndRead(store, 'large', LARGE_BYTES))
      assert.ok(growth < GROWTH_BYTES_MAX, `it grew by ${Math.round(growth / MEGABYTE)} MB`)
    } finally {
      await store.close()
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function storeAndRead(store: ObjectStore, key: string, bytes: number): Promise<void> {
  const body = Readable.from(repeat(bytes), { objectMode: false })
  assert.equal(await store.create(key, body, { bytes }), 'created')
  let read = 0
  for await (const chunk of (await store.read(key)).body) read += chunk.length
  assert.equal(read, bytes)
}

/** The same chunk again and again, so that what is measured is the store and not the source. */
function* repeat(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, 7)
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

async function measureGrowth(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  await work().finally(() => clearInterval(timer))
  return peak - before
}
