/** What the records of packages know of their types, which know everything else about themselves. */
import { Problem } from '#platform/problem'

const METADATA_BYTES_MAX = 1_048_576

export interface Kind {
  /** As addresses and records have it. */
  readonly type: string
  /** Names with the same key are the same. */
  readonly keyOfName: (name: string) => string
  readonly keyOfVersion: (version: string) => string
}

export function lowerCase(text: string): string {
  return text.toLowerCase()
}

/** A version or file that can stand in an address and be shown: nothing unseen, no path. */
const SEGMENT = /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}/\\]{1,255}$/u

export function isSegment(text: string): boolean {
  return SEGMENT.test(text)
}

/** What PostgreSQL cannot keep in JSON: null characters, and halves of characters. */
const NOT_KEPT = /\\u0000|\\ud[89a-f]/i

/** What a client says about a version, as far as it can be kept. */
export function assertKeepable(facts: object, bytesMax = METADATA_BYTES_MAX): void {
  const text = JSON.stringify(facts)
  if (Buffer.byteLength(text) > bytesMax)
    throw new Problem('too_large', 'metadata of the package is too large', { bytesMax })
  if (NOT_KEPT.test(text)) throw new Problem('malformed', 'metadata of the package has invalid characters')
}
