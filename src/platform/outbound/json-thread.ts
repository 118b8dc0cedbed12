/** The thread that reads JSON of others: parses it, holds it against a schema, and hands on what the schema names. */
import { parentPort } from 'node:worker_threads'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface JsonOrder {
  readonly body: Uint8Array
  readonly schema: object
}

export interface JsonRead {
  readonly value?: unknown
}

parentPort?.on('message', (order: JsonOrder) => {
  parentPort?.postMessage(read(order))
})

function read({ body, schema }: JsonOrder): JsonRead {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    const fitting = Compile(schema as TSchema)
    return fitting.Check(value) ? { value: fitting.Clean(value) } : {}
  } catch {
    return {}
  }
}
