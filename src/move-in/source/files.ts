/** Files of the source, in folders or in buckets of an S3-compatible store. Nothing is written there. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ObjectStore, openObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import { Problem } from '#platform/problem'
import { type Settings, settingOf } from './setting-of.ts'
import type { Bucket, Storages } from './storages.ts'

export interface Files {
  /** Undefined when the source has lost the file. */
  sizeOf(path: string): Promise<number | undefined>
  /** The whole file, or no more than its first bytes. */
  read(path: string, bytesMax?: number): Promise<Readable>
  close(): Promise<void>
}

export type SourceFiles = Readonly<Record<keyof Storages, Files>>

const CONNECT_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** Errors of stores and of the network, by the settings of `app.ini` that cause them. */
const SETTINGS: Settings = {
  MINIO_BUCKET: ['NoSuchBucket', 'PermanentRedirect'],
  'MINIO_ACCESS_KEY_ID or MINIO_SECRET_ACCESS_KEY': [
    'InvalidAccessKeyId',
    // Of the Versity gateway.
    'XAdminUserNotFound',
    'SignatureDoesNotMatch',
    'AccessDenied',
    'Forbidden',
  ],
  MINIO_LOCATION: ['AuthorizationHeaderMalformed', 'InvalidRegion'],
  MINIO_ENDPOINT: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'TimeoutError'],
}

export async function openFiles(storages: Storages): Promise<SourceFiles> {
  const opened: Files[] = []
  const open = async (kind: keyof Storages) => {
    const storage = storages[kind]
    const files = storage.type === 'local' ? inFolder(storage.path) : await inBucket(storage)
    opened.push(files)
    return files
  }
  try {
    return {
      attachments: await open('attachments'),
      avatars: await open('avatars'),
      repositoryAvatars: await open('repositoryAvatars'),
      lfs: await open('lfs'),
      packages: await open('packages'),
    }
  } catch (error) {
    for (const files of opened) await files.close()
    throw error
  }
}

function inFolder(folder: string): Files {
  return {
    sizeOf: async (path) => (await stat(join(folder, path)).catch(() => undefined))?.size,
    read: async (path, bytesMax = Number.POSITIVE_INFINITY) =>
      createReadStream(join(folder, path), { start: 0, end: bytesMax - 1 }),
    close: async () => {},
  }
}

async function inBucket(bucket: Bucket): Promise<Files> {
  const store = await openBucket(bucket)
  return {
    sizeOf: async (path) => (await store.stat(path))?.bytes,
    read: async (path, bytesMax) => {
      const range = bytesMax === undefined ? {} : { range: { start: 0, end: bytesMax - 1 } }
      return (await store.read(path, range)).body
    },
    close: () => store.close(),
  }
}

/** Asks for a list, because a bucket that does not exist answers for a single file as one that lacks it. */
async function openBucket({ section, type: _, ...place }: Bucket): Promise<ObjectStore> {
  let store: ObjectStore | undefined
  try {
    store = await openObjectStore({
      driver: 's3',
      ...place,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    })
    for await (const _ of store.list('')) break
    return store
  } catch (cause) {
    await store?.close()
    const reason = settingOf(SETTINGS, section, codeOf(cause))
    throw new OperatorError(`the bucket "${place.bucket}" at ${place.endpoint} cannot be read${reason}`, {
      cause,
    })
  }
}

function codeOf(error: unknown): string {
  const failure = error instanceof Problem ? error.details?.failure : undefined
  return typeof failure === 'string' ? failure : ''
}
