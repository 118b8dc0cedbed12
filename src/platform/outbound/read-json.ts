/** What somebody else tells in JSON, read in a thread of its own: neither its size nor its shape holds up the node. */
import type { Static, TSchema } from 'typebox'
import { WorkThread } from '#platform/thread'
import type { JsonOrder, JsonRead } from './json-thread.ts'

/** More is not read at once: what is longer is asked for in pages. */
export const JSON_BYTES_MAX = 1024 * 1024

const thread = new WorkThread<JsonOrder, JsonRead>(new URL('json-thread.ts', import.meta.url), {
  timeMs: 5_000,
  memoryMb: 128,
  waitingMax: 64,
})

/** Undefined for what is no JSON, or has another shape. Bound every list of `schema`: what fits comes back to us. */
export async function readJson<Schema extends TSchema>(
  body: Uint8Array,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  if (body.byteLength > JSON_BYTES_MAX) return undefined
  // A schema is JSON itself, but for marks that only the compiler of types sees.
  const read = await thread.ask({ body, schema: JSON.parse(JSON.stringify(schema)) as object })
  return read?.value as Static<Schema> | undefined
}
