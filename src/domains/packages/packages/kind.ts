/** The facts about a package type that records need. */
import { Problem } from '#platform/problem'

const METADATA_BYTES_MAX = 1_048_576

export interface Kind {
  /** Name in addresses and records. */
  readonly type: string
  /** Names with equal keys are the same. */
  readonly keyOfName: (name: string) => string
  readonly keyOfVersion: (version: string) => string
}

export function lowerCase(text: string): string {
  return text.toLowerCase()
}

/** A version or file name that is safe in an address: no invisible characters, no path. */
const SEGMENT = /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}/\\]{1,255}$/u

export function isSegment(text: string): boolean {
  return SEGMENT.test(text)
}

/** Not storable as jsonb: NUL characters and lone surrogates. */
const NOT_KEPT = /\\u0000|\\ud[89a-f]/i

/** Metadata that a client sends must be storable and limited in size. */
export function assertKeepable(facts: object, bytesMax = METADATA_BYTES_MAX): void {
  const text = JSON.stringify(facts)
  if (Buffer.byteLength(text) > bytesMax)
    throw new Problem('too_large', 'metadata of the package is too large', { bytesMax })
  if (NOT_KEPT.test(text)) throw new Problem('malformed', 'metadata of the package has invalid characters')
}
