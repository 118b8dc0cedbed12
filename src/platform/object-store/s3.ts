/** The S3 driver: any S3-compatible service that honours `If-None-Match: *`. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { addAbortSignal, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { invalid, notFound, Problem } from '#platform/problem'
import { checkKey, isKey } from './key.ts'
import type { Bucket } from './s3-bucket.ts'
import { openDirect } from './s3-direct.ts'
import { SINGLE_PUT_BYTES_MAX } from './sizes.ts'
import type { Created, Driver, ExpectedBody, ListedObject, Range, S3Options, StoredObject } from './types.ts'

const PART_BYTES_MIN = 8 * 1024 * 1024
const PARTS_MAX = 10_000
/** Parts of one upload in flight, each held in memory. */
const PARTS_AT_ONCE = 2
const SOCKETS_MAX = 64
/** The first attempt and two retries, with the client's growing pauses in between. */
const ATTEMPTS_MAX = 3
const CONFLICT_TRIES_MAX = 5
const CONFLICT_PAUSE_MS = 50
/** With our longest key this stays below the 1,024 bytes of S3. */
const PREFIX_LENGTH_MAX = 256

export function openS3(options: S3Options): Driver {
  const bucket: Bucket = {
    client: openClient(options),
    name: options.bucket,
    prefix: readPrefix(options.prefix),
  }
  return {
    name: 's3',
    create: (key, body, expected) =>
      expected.bytes <= SINGLE_PUT_BYTES_MAX
        ? putOnce(bucket, key, body, expected)
        : uploadOnce(bucket, key, body, expected),
    read: (key, range, signal) => read(bucket, key, range, signal),
    stat: (key) => stat(bucket, key),
    delete: (key) => remove(bucket, key),
    list: (prefix) => list(bucket, prefix),
    direct: openDirect(bucket, options),
    close: () => bucket.client.destroy(),
  }
}

function openClient(options: S3Options): S3Client {
  const sockets = { keepAlive: true, maxSockets: SOCKETS_MAX }
  return new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // Most services other than Amazon's have no host name for each bucket.
    forcePathStyle: true,
    maxAttempts: ATTEMPTS_MAX,
    retryMode: 'standard',
    // We set our own checksums; the client's defaults are refused by some services.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With our own agents the client would send `Expect` and not wait for the answer.
    expectContinueHeader: false,
    requestHandler: {
      httpAgent: new HttpAgent(sockets),
      httpsAgent: new HttpsAgent(sockets),
      connectionTimeout: options.connectTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      socketTimeout: options.requestTimeoutMs,
      // Without this a request that takes too long is only logged.
      throwOnRequestTimeout: true,
    },
  })
}

function readPrefix(prefix = ''): string {
  if (prefix === '') return ''
  checkKey(prefix)
  if (prefix.length > PREFIX_LENGTH_MAX) throw invalid('prefix of the bucket is too long', { prefix })
  return `${prefix}/`
}

function place(bucket: Bucket, key: string): { Bucket: string; Key: string } {
  return { Bucket: bucket.name, Key: bucket.prefix + key }
}

function until(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal }
}

async function putOnce(
  bucket: Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  expected: ExpectedBody,
): Promise<Created> {
  const bytes = await collect(body, expected.bytes)
  const sha256 = expected.sha256 ?? createHash('sha256').update(bytes).digest()
  const put = {
    ...place(bucket, key),
    Body: bytes,
    ContentLength: expected.bytes,
    ChecksumSHA256: sha256.toString('base64'),
    IfNoneMatch: '*',
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await bucket.client.send(new PutObjectCommand(put), until(expected.signal))
      return 'created'
    } catch (error) {
      // The client retries a put that got no answer, so this may be our own object.
      if (hasStatus(error, 412)) return 'exists'
      if (isWithoutAnswer(error) && (await isStored(bucket, key, expected.signal))) return 'exists'
      if (!isPassingConflict(error) || tries === CONFLICT_TRIES_MAX) throw explainConflict(error)
    }
    await sleep(CONFLICT_PAUSE_MS * tries)
  }
}

async function collect(body: AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(bytes)
  let filled = 0
  for await (const chunk of body) {
    whole.set(chunk, filled)
    filled += chunk.byteLength
  }
  return whole
}

/**
 * Parts carry their own checksums, and the object appears only with the completion, which is sent after the body was
 * verified. An abort arrives through the body.
 */
async function uploadOnce(
  bucket: Bucket,
  key: string,
  body: AsyncIterable<Uint8Array>,
  expected: ExpectedBody,
): Promise<Created> {
  const upload = new Upload({
    client: bucket.client,
    params: {
      ...place(bucket, key),
      Body: Readable.from(body, { objectMode: false }),
      ChecksumAlgorithm: 'SHA256',
      IfNoneMatch: '*',
    },
    partSize: Math.max(PART_BYTES_MIN, Math.ceil(expected.bytes / PARTS_MAX)),
    queueSize: PARTS_AT_ONCE,
  })
  try {
    await upload.done()
    return 'created'
  } catch (error) {
    await abandonUpload(bucket, key, upload.uploadId)
    if (hasStatus(error, 412)) return 'exists'
    // A completion that was done but not answered finds its upload gone on retry. The body cannot be sent again, so the
    // stored object decides.
    const isUnclear = isWithoutAnswer(error) || isPassingConflict(error) || hasName(error, 'NoSuchUpload')
    if (isUnclear && (await isStored(bucket, key, expected.signal))) return 'exists'
    throw explainConflict(error)
  }
}

/**
 * A refused completion leaves parts behind, which cost money unnoticed. When this fails as well, the first failure is
 * reported; the bucket's rule for incomplete uploads cleans up.
 */
async function abandonUpload(bucket: Bucket, key: string, uploadId: string | undefined): Promise<void> {
  if (uploadId === undefined) return
  const abandon = new AbortMultipartUploadCommand({ ...place(bucket, key), UploadId: uploadId })
  await bucket.client.send(abandon).catch(() => {})
}

async function read(
  bucket: Bucket,
  key: string,
  range: Range | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredObject> {
  const get = new GetObjectCommand({
    ...place(bucket, key),
    ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
  })
  const answer = await bucket.client.send(get, until(signal)).catch((error: unknown) => {
    if (hasName(error, 'NoSuchKey')) throw notFound('object', key)
    if (hasStatus(error, 416)) throw invalid('range is not satisfiable')
    throw error
  })
  const { Body: body, ContentLength: bytes, ContentRange } = answer
  assert(body instanceof Readable)
  if (bytes === undefined || (range !== undefined && ContentRange === undefined)) {
    body.destroy()
    throw new Problem('unavailable', 'object store response has no length or range')
  }
  if (signal !== undefined) addAbortSignal(signal, body)
  return { bytes, body }
}

async function stat(bucket: Bucket, key: string): Promise<{ bytes: number } | undefined> {
  try {
    const head = await bucket.client.send(new HeadObjectCommand(place(bucket, key)))
    return { bytes: head.ContentLength ?? 0 }
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}

async function remove(bucket: Bucket, key: string): Promise<void> {
  try {
    await bucket.client.send(new DeleteObjectCommand(place(bucket, key)))
  } catch (error) {
    // S3 itself answers 204 for a missing key; not every service does.
    if (!hasName(error, 'NoSuchKey')) throw error
  }
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<ListedObject> {
  const pages = paginateListObjectsV2(
    { client: bucket.client },
    { Bucket: bucket.name, Prefix: bucket.prefix + prefix },
  )
  for await (const page of pages) {
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
      const key = Key.slice(bucket.prefix.length)
      // Objects that are no keys of ours (a folder marker, another program's file) are hidden from callers.
      if (isKey(key) && LastModified !== undefined) yield { key, bytes: Size, modified_at: LastModified }
    }
  }
}

/** Checks after a failure; when the check fails as well, the first failure is reported. */
async function isStored(bucket: Bucket, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false
  return (await stat(bucket, key).catch(() => undefined)) !== undefined
}

/**
 * The connection broke or timed out. A server that refuses a put may also close before it has read the body, and then its
 * 412 is lost while we are still writing.
 */
function isWithoutAnswer(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof S3ServiceException) return false
  return error.name === 'TimeoutError' || ('code' in error && typeof error.code === 'string')
}

/** S3's answer when a delete of the same key crosses a create-only put: retry. */
function isPassingConflict(error: unknown): boolean {
  return hasName(error, 'ConditionalRequestConflict', 'OperationAborted')
}

/** Servers that keep keys as paths refuse a key that is a folder of another, and vice versa. */
function explainConflict(error: unknown): unknown {
  if (!hasName(error, 'ObjectParentIsFile', 'ExistingObjectIsDirectory')) return error
  return new Problem('conflict', 'object key conflicts with another key that is its prefix')
}

function hasName(error: unknown, ...names: string[]): boolean {
  return error instanceof S3ServiceException && names.includes(error.name)
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
