/** Records of an export that have the shape of the format. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid } from '#platform/problem'
import type { ExportedRepository } from './exported-repository.ts'

const BATCH = 500

export async function* checkLines<Schema extends TSchema>(
  from: ExportedRepository,
  kind: string,
  schema: Schema,
): AsyncGenerator<Static<Schema>, undefined> {
  const fitting = Compile(schema)
  for await (const record of from.lines(kind)) {
    if (!fitting.Check(record)) throw invalid(`${kind}.jsonl has a record that is not of the format`)
    yield record as Static<Schema>
  }
  return undefined
}

/** A statement writes a batch. */
export async function* checkBatches<Schema extends TSchema>(
  from: ExportedRepository,
  kind: string,
  schema: Schema,
  { most, size = BATCH }: { readonly most: number; readonly size?: number },
): AsyncGenerator<readonly Static<Schema>[]> {
  let batch: Static<Schema>[] = []
  let had = 0
  for await (const record of checkLines(from, kind, schema)) {
    had += 1
    if (had > most) throw invalid(`Migration failed: too many ${kind}`)
    batch.push(record)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
