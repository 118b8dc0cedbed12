/**
 * Bodies read into memory: each is bounded, and so are all of one visitor, all of anonymous visitors and all of the node.
 */
import type { Readable } from 'node:stream'
import type { Config } from '#platform/config'
import type { Visitor } from '#platform/context'
import { Problem } from '#platform/problem'

/** Anonymous visitors together have this fraction of the node's budget, and each of them of a visitor's. */
const NOBODY_PART = 4
const RETRY_AFTER_S = 5

/** The memory reserved by one request. */
export interface Hold {
  readonly take: (bytes: number) => void
  readonly release: () => void
}

export class HeldBodies {
  private readonly config: Config
  private bytes = 0
  private nobodyBytes = 0
  private readonly bytesOf = new Map<string, number>()

  constructor(config: Config) {
    this.config = config
  }

  /** Released when the request is answered or its client disconnects: until then its body is in memory. */
  hold(visitor: Visitor): Hold {
    let own = 0
    const count = (bytes: number) => {
      own += bytes
      this.count(visitor, bytes)
    }
    return {
      take: (bytes) => {
        this.assertRoom(visitor, bytes)
        count(bytes)
      },
      release: () => count(-own),
    }
  }

  private assertRoom({ lane, key }: Visitor, bytes: number): void {
    const part = lane === 'nobody' ? NOBODY_PART : 1
    const all = this.config['http.held_bytes_max']
    const own = this.bytesOf.get(`${lane} ${key}`) ?? 0
    const isFull =
      own + bytes > this.config['http.held_visitor_bytes_max'] / part ||
      this.bytes + bytes > all ||
      (lane === 'nobody' && this.nobodyBytes + bytes > all / part)
    if (isFull)
      throw new Problem('unavailable', 'server is busy: too many request bodies are being sent', {
        retryAfterS: RETRY_AFTER_S,
      })
  }

  private count({ lane, key }: Visitor, bytes: number): void {
    const name = `${lane} ${key}`
    const own = (this.bytesOf.get(name) ?? 0) + bytes
    if (own > 0) this.bytesOf.set(name, own)
    else this.bytesOf.delete(name)
    this.bytes += bytes
    if (lane === 'nobody') this.nobodyBytes += bytes
  }
}

/** Reads the whole body. One whose Content-Length is too large is refused before its first byte. */
export async function readHeld(
  payload: Readable,
  length: number,
  bytesMax: number,
  hold: Hold,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  if (length > bytesMax) throw tooLarge(bytesMax)
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      hold.take(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('malformed', 'body was truncated')
  }
  return Buffer.concat(chunks)
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('too_large', 'request body is too large', { bytesMax })
}
