/** Reads an object that may be absent. Objects that a row names are read by `readNamed`, for which absence is a loss. */
import { Problem } from '#platform/problem'
import type { ObjectStore, ReadOptions, StoredObject } from './types.ts'

export async function findObject(
  store: ObjectStore,
  key: string,
  options: ReadOptions = {},
): Promise<StoredObject | undefined> {
  try {
    return await store.read(key, options)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return undefined
    throw error
  }
}
