/** Opens a store: a driver behind the checks common to all drivers. */
import { addAbortSignal, Readable } from 'node:stream'
import { invalid, Problem } from '#platform/problem'
import { verifyBody } from './body.ts'
import { openDisk } from './disk.ts'
import { type Attempt, explainFailure } from './failure.ts'
import { checkKey, checkPrefix } from './key.ts'
import { OBJECT_BYTES_MAX } from './sizes.ts'
import type {
  Created,
  CreateOptions,
  Direct,
  Driver,
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  Range,
} from './types.ts'

const SHA256_BYTES = 32

export async function openObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
  if (options.driver === 'disk') return guard(await openDisk(options), options.folder)
  // The S3 client costs tens of megabytes, which a node with a disk store need not pay.
  const { openS3 } = await import('./s3.ts')
  return guard(openS3(options), `${options.endpoint}/${options.bucket}`)
}

function guard(driver: Driver, store: string): ObjectStore {
  return {
    driver: driver.name,
    create: (key, body, options) => create({ driver, store }, key, body, options),
    read: (key, { range, signal } = {}) =>
      attempt({ store, verb: 'read', key, signal }, () => {
        checkKey(key)
        if (range !== undefined) checkRange(range)
        signal?.throwIfAborted()
        return driver.read(key, range, signal)
      }),
    stat: (key) =>
      attempt({ store, verb: 'stat', key }, () => {
        checkKey(key)
        return driver.stat(key)
      }),
    delete: (key) =>
      attempt({ store, verb: 'delete', key }, () => {
        checkKey(key)
        return driver.delete(key)
      }),
    list: (prefix) => list({ driver, store }, prefix),
    ...(driver.direct && { direct: guardDirect(driver.direct, store) }),
    close: async () => driver.close(),
  }
}

function guardDirect(direct: Direct, store: string): Direct {
  return {
    readAddress: (key, times) => {
      checkKey(key)
      return direct.readAddress(key, times)
    },
    createAddress: (key, object) => {
      checkKey(key)
      return direct.createAddress(key, object)
    },
    verifiesDigests: () => attempt({ store, verb: 'create', key: 'probe' }, () => direct.verifiesDigests()),
    sha256Of: (key) =>
      attempt({ store, verb: 'stat', key }, () => {
        checkKey(key)
        return direct.sha256Of(key)
      }),
  }
}

interface Place {
  readonly driver: Driver
  readonly store: string
}

async function create(
  { driver, store }: Place,
  key: string,
  body: Uint8Array | Readable,
  { bytes, sha256, signal }: CreateOptions,
): Promise<Created> {
  const stream = body instanceof Readable ? body : undefined
  // The stream may fail before a driver reads it; the reader then still gets the error.
  stream?.on('error', () => {})
  try {
    return await attempt({ store, verb: 'create', key, signal }, async () => {
      checkKey(key)
      const expected = { bytes: checkBytes(bytes), sha256: readDigest(sha256), signal }
      signal?.throwIfAborted()
      if (signal !== undefined && stream !== undefined) addAbortSignal(signal, stream)
      return await driver.create(key, verifyBody(body, expected), expected)
    })
  } finally {
    stream?.destroy()
  }
}

async function* list({ driver, store }: Place, prefix: string): AsyncGenerator<ListedObject> {
  checkPrefix(prefix)
  try {
    yield* driver.list(prefix)
  } catch (error) {
    throw explainFailure(error, { store, verb: 'list', key: prefix })
  }
}

async function attempt<T>(what: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainFailure(error, what)
  }
}

function checkBytes(bytes: number): number {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw invalid('invalid object size', { bytes })
  if (bytes > OBJECT_BYTES_MAX)
    throw new Problem('too_large', 'object is too large', { bytes, OBJECT_BYTES_MAX })
  return bytes
}

function checkRange({ start, end }: Range): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (!isRange) throw invalid('invalid range', { start, end })
}

function readDigest(sha256: Uint8Array | string | undefined): Buffer | undefined {
  if (sha256 === undefined) return undefined
  const digest = typeof sha256 === 'string' ? Buffer.from(sha256, 'hex') : Buffer.from(sha256)
  const isWhole = digest.length === SHA256_BYTES && sha256.length === (typeof sha256 === 'string' ? 64 : 32)
  if (!isWhole) throw invalid('invalid sha256 of an object')
  return digest
}
