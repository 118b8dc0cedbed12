/** Operations of the object store are timed, and counted as errors when the store failed. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTelemetry } from '#platform/telemetry'
import { meterStore, openObjectStore } from './index.ts'

test('a failing store is counted by operation, and a missing object is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-metered-'))
  const objects = join(folder, 'objects')
  const telemetry = await openTelemetry({ otlpUrl: '', version: '0' })
  const store = meterStore(await openObjectStore({ driver: 'disk', folder: objects }), telemetry)
  try {
    await store.create('some/key', Buffer.from('text'), { bytes: 4 })
    await assert.rejects(store.read('some/other'), { kind: 'not_found' })
    await rm(objects, { recursive: true })
    await writeFile(objects, 'no folder')
    await assert.rejects(store.create('some/new', Buffer.from('text'), { bytes: 4 }), { kind: 'unavailable' })
    const text = await telemetry.scrape()
    assert.match(text, /^bloomery_store_seconds_count\{operation="create"\} 2$/m)
    assert.match(text, /^bloomery_store_seconds_count\{operation="read"\} 1$/m)
    assert.match(text, /^bloomery_store_errors_total\{operation="create"\} 1$/m)
    assert.match(text, /^bloomery_store_errors_total\{operation="read"\} 0$/m)
  } finally {
    await store.close()
    await telemetry.close()
    await rm(folder, { recursive: true, force: true })
  }
})
