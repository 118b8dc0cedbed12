/** Objects that no row names are deleted a day later; named objects stay. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { duringBackup } from '#platform/backup'
import { transact } from '#platform/context'
import { announceObject, discardObjects, keepObject } from '#platform/discard'
import { type Forge, startForge } from '#testing'

const HOUR_MS = 3_600_000
const TASK = 'delete_discarded_objects'

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())

const put = (key: string) => forge.ctx.store.create(key, Buffer.from('x'), { bytes: 1 })
const isThere = async (key: string) => (await forge.ctx.store.stat(key)) !== undefined
const discard = (...keys: string[]) => transact(forge.ctx, (ctx) => discardObjects(ctx, keys))

test('bytes are kept for a day after the commit that discarded them', async () => {
  await put('test/day')
  await discard('test/day')
  forge.advance(23 * HOUR_MS)
  await forge.runTask(TASK)
  assert.ok(await isThere('test/day'))
  forge.advance(2 * HOUR_MS)
  await forge.runTask(TASK)
  assert.ok(!(await isThere('test/day')))
})

test('a backup of many days delays all deletions, which follow afterwards', async () => {
  await put('test/backup')
  await discard('test/backup')
  await duringBackup(forge.ctx, async () => {
    for (let day = 0; day < 7; day++) {
      forge.advance(25 * HOUR_MS)
      await forge.runTask(TASK)
    }
    assert.ok(await isThere('test/backup'))
  })
  await forge.runTask(TASK)
  assert.ok(!(await isThere('test/backup')))
})

test('an announced object that is never kept is deleted; one that is kept stays', async () => {
  for (const key of ['test/never', 'test/kept', 'test/late']) {
    await announceObject(forge.ctx, key)
    await put(key)
  }
  await transact(forge.ctx, (ctx) => keepObject(ctx, 'test/kept'))
  forge.advance(25 * HOUR_MS)
  await forge.runTask(TASK)
  assert.deepEqual(await Promise.all(['test/never', 'test/kept', 'test/late'].map(isThere)), [
    false,
    true,
    false,
  ])
  await assert.rejects(
    transact(forge.ctx, (ctx) => keepObject(ctx, 'test/late')),
    /operation timed out/,
  )
})

test('an object that the store fails to delete delays the others for one run only', async (t) => {
  for (const key of ['test/stuck', 'test/next']) await put(key)
  await discard('test/stuck')
  forge.advance(1_000)
  await discard('test/next')
  forge.advance(25 * HOUR_MS)
  const { store } = forge.world
  const remove = store.delete.bind(store)
  t.mock.method(store, 'delete', async (key: string) => {
    if (key === 'test/stuck') throw new Error('503 Slow Down')
    await remove(key)
  })
  await assert.rejects(forge.runTask(TASK), /Slow Down/)
  await forge.runTask(TASK)
  assert.deepEqual([await isThere('test/stuck'), await isThere('test/next')], [true, false])
  t.mock.restoreAll()
  await forge.deleteDiscarded()
  assert.ok(!(await isThere('test/stuck')))
})
