/**
 * The thread that reads JSON from other servers: parses it, validates it against a schema, and returns what the schema
 * names.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { answerOrders } from '#platform/thread'

export interface JsonOrder {
  readonly body: Uint8Array
  readonly schema: object
}

export interface JsonRead {
  readonly value?: unknown
}

answerOrders(read)

function read({ body, schema }: JsonOrder): JsonRead {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    const fitting = Compile(schema as TSchema)
    return fitting.Check(value) ? { value: fitting.Clean(value) } : {}
  } catch {
    return {}
  }
}
