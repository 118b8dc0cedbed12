/**
 * Request bodies that must be read completely before they can be checked: each has a limit, and all together have one.
 */
import type { Readable } from 'node:stream'
import { Problem } from '#platform/problem'

declare module '#platform/context' {
  interface World {
    readonly gitBodies: HeldBodies
  }
}

export interface HeldBody extends Disposable {
  readonly bytes: Buffer
}

const HELD_BYTES_MAX = 256 * 1024 * 1024
const RETRY_AFTER_S = 5

export class HeldBodies {
  private readonly bytesMax: number
  private held = 0

  constructor(bytesMax = HELD_BYTES_MAX) {
    this.bytesMax = bytesMax
  }

  /** Counts towards the limit until disposed. */
  async read(stream: Readable, most: number): Promise<HeldBody> {
    const chunks: Buffer[] = []
    let bytes = 0
    const release = () => {
      this.held -= bytes
      bytes = 0
    }
    try {
      // Not destroyed when too large, so that the client receives the error.
      for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length
        this.held += chunk.length
        if (bytes > most) throw new Problem('too_large', 'request is too large')
        if (this.held > this.bytesMax)
          throw new Problem(
            'unavailable',
            'server is busy: too many large requests, please try again later',
            {
              retryAfterS: RETRY_AFTER_S,
            },
          )
        chunks.push(chunk)
      }
    } catch (error) {
      release()
      throw error instanceof Problem ? error : new Problem('malformed', 'request cannot be read')
    }
    return { bytes: Buffer.concat(chunks), [Symbol.dispose]: release }
  }
}
