/** Copies objects between the store and a backup. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { findObject, type ListedObject, type ObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import type { SavedObject } from './manifest.ts'

const AT_ONCE = 8

/**
 * Copies all objects of the store to the backup. Those that the previous backup in the folder has are not read again: an
 * object never changes.
 */
export async function saveObjects(
  store: ObjectStore,
  backup: ObjectStore,
  previous: readonly SavedObject[],
): Promise<SavedObject[]> {
  const known = new Map(previous.map((it) => [it.key, it]))
  const saved: SavedObject[] = []
  await each(store.list(''), async ({ key, bytes }) => {
    const before = known.get(key)
    const isSaved = before?.bytes === bytes && (await backup.stat(key))?.bytes === bytes
    const object = isSaved ? before : await saveObject(store, backup, key)
    if (object !== undefined) saved.push(object)
  })
  return saved
}

/** Undefined if the object is gone: no row of the saved database names it. */
async function saveObject(
  store: ObjectStore,
  backup: ObjectStore,
  key: string,
): Promise<SavedObject | undefined> {
  const found = await findObject(store, key)
  if (found === undefined) return undefined
  const digest = createHash('sha256')
  const { bytes, body } = found
  // A file from an interrupted backup may be there; its digest would be unknown.
  await backup.delete(key)
  await backup.create(key, Readable.from(digesting(body, digest)), { bytes })
  return { key, bytes, sha256: digest.digest('hex') }
}

async function* digesting(body: Readable, digest: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    digest.update(chunk)
    yield chunk
  }
}

/** Copies the objects of a backup to the store; throws if one is missing or damaged. */
export async function restoreObjects(
  backup: ObjectStore,
  store: ObjectStore,
  objects: readonly SavedObject[],
): Promise<void> {
  await each(objects, async ({ key, bytes, sha256 }) => {
    try {
      const { body } = await backup.read(key)
      await store.create(key, body, { bytes, sha256 })
    } catch (error) {
      throw new OperatorError(`object ${key} of the backup cannot be restored: ${(error as Error).message}`)
    }
  })
}

/** Deletes what the backup does not list: objects of earlier backups in the folder. */
export async function dropOthers(backup: ObjectStore, objects: readonly SavedObject[]): Promise<void> {
  const listed = new Set(objects.map(({ key }) => key))
  await each(backup.list(''), async ({ key }) => {
    if (!listed.has(key)) await backup.delete(key)
  })
}

/** An object of the store that the backup does not have; undefined if there is none. */
export async function findForeign(
  store: ObjectStore,
  objects: readonly SavedObject[],
): Promise<ListedObject | undefined> {
  const listed = new Map(objects.map(({ key, bytes }) => [key, bytes]))
  for await (const object of store.list('')) if (listed.get(object.key) !== object.bytes) return object
  return undefined
}

/** Runs `work` for all items, a few at a time. */
async function each<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Readable.from(items, { objectMode: true })
  await iterator.forEach(work, { concurrency: AT_ONCE })
}
