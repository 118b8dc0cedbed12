/** Request bodies on their way into the store: read once, counted, and compared with the announced size and digest. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { invalid } from '#platform/problem'
import type { ExpectedBody } from './types.ts'

/** Wraps an error of the caller's stream, so that it is not attributed to the store. */
export class BodyFailure extends Error {
  override name = 'BodyFailure'
}

/**
 * The chunks of a body. Throws instead of ending when the body is not the expected one, so a driver that stores nothing
 * before the end of the iteration never stores a wrong object.
 */
export async function* verifyBody(
  body: Uint8Array | Readable,
  expected: ExpectedBody,
): AsyncGenerator<Uint8Array> {
  const hash = expected.sha256 === undefined ? undefined : createHash('sha256')
  let bytes = 0
  for await (const chunk of readChunks(body)) {
    expected.signal?.throwIfAborted()
    bytes += chunk.byteLength
    if (bytes > expected.bytes)
      throw invalid('body is longer than its content length', { announced: expected.bytes })
    hash?.update(chunk)
    yield chunk
  }
  if (bytes < expected.bytes) {
    throw invalid('body is shorter than its content length', { announced: expected.bytes, bytes })
  }
  if (hash !== undefined && expected.sha256?.equals(hash.digest()) !== true) {
    throw invalid('body does not match its checksum')
  }
}

async function* readChunks(body: Uint8Array | Readable): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) return yield body
  try {
    for await (const chunk of body) yield toBytes(chunk)
  } catch (error) {
    throw new BodyFailure('body could not be read', { cause: error })
  }
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk
  throw new TypeError('a body is a stream of bytes, not of strings or objects')
}
