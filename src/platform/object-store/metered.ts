/** An object store whose operations are timed and whose failures are counted. */
import { Problem } from '#platform/problem'
import type { Telemetry } from '#platform/telemetry'
import type { ListedObject, ObjectStore } from './types.ts'

const OPERATIONS = ['create', 'read', 'stat', 'delete', 'list'] as const
type Operation = (typeof OPERATIONS)[number]

/** A read is over when its answer begins, a list when its reader has all keys. */
export function meterStore(store: ObjectStore, telemetry: Telemetry): ObjectStore {
  const seconds = telemetry.histogram('bloomery_store_seconds', 'duration of object store operations')
  const errors = telemetry.counter('bloomery_store_errors_total', 'object store operations that failed')
  for (const operation of OPERATIONS) errors.add(0, { operation })
  const timed = async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
    const labels = { operation }
    const startedAt = performance.now()
    try {
      return await work()
    } catch (error) {
      if (isFailure(error)) errors.add(1, labels)
      throw error
    } finally {
      seconds.record((performance.now() - startedAt) / 1000, labels)
    }
  }
  return {
    driver: store.driver,
    create: (key, body, options) => timed('create', () => store.create(key, body, options)),
    read: (key, options) => timed('read', () => store.read(key, options)),
    stat: (key) => timed('stat', () => store.stat(key)),
    delete: (key) => timed('delete', () => store.delete(key)),
    async *list(prefix): AsyncGenerator<ListedObject> {
      const labels = { operation: 'list' }
      const startedAt = performance.now()
      try {
        yield* store.list(prefix)
      } catch (error) {
        if (isFailure(error)) errors.add(1, labels)
        throw error
      } finally {
        seconds.record((performance.now() - startedAt) / 1000, labels)
      }
    },
    ...(store.direct && { direct: store.direct }),
    close: () => store.close(),
  }
}

/** An object that is not there or a body that is refused is the caller's affair. */
function isFailure(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'unavailable'
}
