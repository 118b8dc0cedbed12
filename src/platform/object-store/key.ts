/** The grammar of keys, one for all drivers. */
import { invalid } from '#platform/problem'

/** S3 allows 1,024 bytes; the rest is for the prefix of a shared bucket. */
export const KEY_LENGTH_MAX = 512
/** File systems allow 255. */
const SEGMENT_LENGTH_MAX = 200

/** No leading dot: that excludes '.', '..', our own '.tmp' and folders that servers hide. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/**
 * Throws a Problem unless `key` can be stored by every driver.
 *
 * Invariant: no key is a folder of another ('a' and 'a/b' never both exist), because disk and some S3 servers keep keys
 * as paths. A single key cannot be checked for this: the code that designs keys must ensure it, and stores that keep
 * paths refuse the second key as a conflict.
 */
export function checkKey(key: string): void {
  if (!isKey(key)) throw invalid('invalid object key', { key: key.slice(0, KEY_LENGTH_MAX) })
}

export function isKey(key: string): boolean {
  return key.length <= KEY_LENGTH_MAX && key.split('/').every(isSegment)
}

/** A prefix is the beginning of a key: it may be empty, and may end at a slash or within a segment. */
export function checkPrefix(prefix: string): void {
  if (prefix !== '' && !isKey(prefix.replace(/\/$/, ''))) {
    throw invalid('invalid prefix of object keys', { prefix: prefix.slice(0, KEY_LENGTH_MAX) })
  }
}

function isSegment(segment: string): boolean {
  return segment.length <= SEGMENT_LENGTH_MAX && SEGMENT.test(segment)
}
