/** Reads JSON from other servers in its own thread: neither its size nor its shape blocks the event loop. */
import type { Static, TSchema } from 'typebox'
import { Problem } from '#platform/problem'
import { WorkThread } from '#platform/thread'
import type { JsonOrder, JsonRead } from './json-thread.ts'

/** Maximum size; longer lists are requested in pages. */
export const JSON_BYTES_MAX = 1024 * 1024

const thread = new WorkThread<JsonOrder, JsonRead>(new URL('json-thread.ts', import.meta.url), {
  timeMs: 5_000,
  memoryMb: 128,
  waitingMax: 64,
})

/**
 * Undefined for a body that is not JSON, is too long or does not match. Every list of `schema` must be bounded: matching
 * data is copied back.
 */
export async function readJson<Schema extends TSchema>(
  body: Uint8Array,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  if (body.byteLength > JSON_BYTES_MAX) return undefined
  // A schema is plain JSON, except for markers that only the type compiler uses.
  const read = await thread.ask({ body, schema: JSON.parse(JSON.stringify(schema)) as object }, {})
  // The content is unknown, so it is not reported as invalid: the caller retries.
  if (read === undefined) throw new Problem('unavailable', 'JSON document could not be read in time')
  return read.value as Static<Schema> | undefined
}
