/**
 * Addresses at which clients store and read objects without the node: requests that are signed for one key, one method and
 * a limited time (Signature Version 4 in the query).
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Bucket } from './s3-bucket.ts'
import { DIRECT_BYTES_MAX } from './sizes.ts'
import type { Direct, S3Options } from './types.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'

interface Asked {
  readonly method: 'GET' | 'PUT'
  readonly key: string
  readonly at: Date
  readonly seconds: number
  readonly query?: Readonly<Record<string, string>>
  /** The client must send exactly these. */
  readonly headers?: Readonly<Record<string, string>>
}

export function openDirect(bucket: Bucket, options: S3Options): Direct {
  const sign = (asked: Asked) => signedAddress(bucket, options, asked)
  let verifies: Promise<boolean> | undefined
  return {
    readAddress: (key, times) =>
      sign({
        method: 'GET',
        key,
        ...times,
        // The type that the uploader sent must not make a browser run the content.
        query: {
          'response-content-disposition': 'attachment',
          'response-content-type': 'application/octet-stream',
        },
      }),
    createAddress(key, { bytes, sha256, ...times }) {
      if (bytes > DIRECT_BYTES_MAX) return undefined
      const headers = {
        'if-none-match': '*',
        'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
      }
      const signed = { ...headers, 'content-length': String(bytes) }
      return { url: sign({ method: 'PUT', key, ...times, headers: signed }), headers }
    },
    verifiesDigests() {
      // Asked again after a failure, which says nothing about the store.
      verifies ??= refusesWrongDigest(bucket).catch((error: unknown) => {
        verifies = undefined
        throw error
      })
      return verifies
    },
    sha256Of: (key) => readDigest(bucket, key),
  }
}

function signedAddress(
  bucket: Bucket,
  { endpoint, publicEndpoint, region, accessKeyId, secretAccessKey }: S3Options,
  { method, key, at, seconds, query = {}, headers = {} }: Asked,
): string {
  const url = new URL(publicEndpoint || endpoint)
  const path = `${url.pathname.replace(/\/$/, '')}/${bucket.name}/${bucket.prefix}${key}`
  const stamp = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${stamp.slice(0, 8)}/${region}/s3/aws4_request`
  const sent = { ...headers, host: url.host }
  const names = Object.keys(sent).sort()
  const signedQuery = encodeQuery({
    ...query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': names.join(';'),
  })
  const canonical = [
    method,
    path.split('/').map(encode).join('/'),
    signedQuery,
    ...names.map((name) => `${name}:${sent[name as keyof typeof sent]}`),
    '',
    names.join(';'),
    // The body is bound by its checksum, which is among the signed headers.
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const toSign = [ALGORITHM, stamp, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return `${url.origin}${path}?${signedQuery}&X-Amz-Signature=${hmac(signingKey, toSign).toString('hex')}`
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** A store that ignores digests would let clients store other bytes than they announced. */
async function refusesWrongDigest(bucket: Bucket): Promise<boolean> {
  const place = { Bucket: bucket.name, Key: `${bucket.prefix}probe/digest-${randomUUID()}` }
  const wrong = createHash('sha256').update('other bytes').digest('base64')
  try {
    await bucket.client.send(new PutObjectCommand({ ...place, Body: 'bytes', ChecksumSHA256: wrong }))
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 400) return true
    throw error
  }
  await bucket.client.send(new DeleteObjectCommand(place))
  return false
}

async function readDigest(bucket: Bucket, key: string): Promise<string | undefined> {
  const place = { Bucket: bucket.name, Key: bucket.prefix + key }
  const { ChecksumSHA256: digest } = await bucket.client.send(
    new HeadObjectCommand({ ...place, ChecksumMode: 'ENABLED' }),
  )
  const bytes = Buffer.from(digest ?? '', 'base64')
  // The digest of a multipart object is one of digests.
  return bytes.length === 32 && !digest?.includes('-') ? bytes.toString('hex') : undefined
}
