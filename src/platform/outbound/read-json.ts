/** What somebody else tells in JSON, read in a thread of its own: neither its size nor its shape holds up the node. */
import type { Static, TSchema } from 'typebox'
import { Problem } from '#platform/problem'
import { WorkThread } from '#platform/thread'
import type { JsonOrder, JsonRead } from './json-thread.ts'

/** More is not read at once: what is longer is asked for in pages. */
export const JSON_BYTES_MAX = 1024 * 1024

const thread = new WorkThread<JsonOrder, JsonRead>(new URL('json-thread.ts', import.meta.url), {
  timeMs: 5_000,
  memoryMb: 128,
  waitingMax: 64,
})

/** Undefined for a body that is no JSON, is too long or has another shape. Bound every list of `schema`: what fits comes back to us. */
export async function readJson<Schema extends TSchema>(
  body: Uint8Array,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  if (body.byteLength > JSON_BYTES_MAX) return undefined
  // A schema is JSON itself, but for marks that only the compiler of types sees.
  const read = await thread.ask({ body, schema: JSON.parse(JSON.stringify(schema)) as object }, {})
  // Nobody knows what the body says, so it is not called wrong: whoever asked tries again.
  if (read === undefined) throw new Problem('unavailable', 'JSON document could not be read in time')
  return read.value as Static<Schema> | undefined
}
