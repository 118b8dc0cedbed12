/** Metadata of versions as JSON text, streamed in pieces so that it is never held in memory as a whole. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db'

/** Size of a piece; the last version may exceed it. */
const PIECE_BYTES = 2 * 1024 * 1024
/** Registry documents have no pages. Versions beyond this limit exist but are not listed. */
const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024

/** The first of `ids` that fit into one document. `shown` is an expression on `metadata`. */
export async function listFitting(
  db: Db,
  ids: readonly number[],
  shown: RawBuilder<unknown>,
): Promise<number[]> {
  const length = sql`octet_length((${shown})::text)`
  const said = await readUntil(db, ids, { text: length, bytes: length, bytesMax: DOCUMENT_BYTES_MAX })
  let bytes = 0
  return said.flatMap(({ id, text }) => {
    bytes += Number(text)
    return id === null || text === null || bytes > DOCUMENT_BYTES_MAX ? [] : [id]
  })
}

/** In the order of `ids`. A version that was deleted meanwhile is left out. */
export async function* streamMetadata(
  db: Db,
  ids: readonly number[],
  shown: RawBuilder<unknown>,
): AsyncGenerator<{ readonly id: number; readonly text: string }> {
  const length = sql`octet_length((${shown})::text)`
  for (let at = 0; at < ids.length; ) {
    const piece = await readUntil(db, ids.slice(at), { text: shown, bytes: length, bytesMax: PIECE_BYTES })
    at += piece.length
    for (const { id, text } of piece) if (id !== null && text !== null) yield { id, text }
  }
}

interface Wanted {
  readonly text: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  readonly bytesMax: number
}

/**
 * Recursive, row by row, so that PostgreSQL serializes no more metadata than is returned; the last row may exceed the
 * limit.
 */
async function readUntil(db: Db, ids: readonly number[], { text, bytes, bytesMax }: Wanted) {
  const { rows } = await sql<{ id: number | null; text: string | null }>`
    with recursive said (n, id, text, bytes) as (
      select 0, null::bigint, null::text, 0::bigint
      union all
      select said.n + 1, it.id, it.text, said.bytes + coalesce(it.bytes, 0)
      from said left join lateral (
        select package_version.id, (${text})::text as text, ${bytes} as bytes
        from package_version where package_version.id = (${[...ids]}::bigint[])[said.n + 1]) it on true
      where said.bytes < ${bytesMax}::bigint and said.n < ${ids.length}::int)
    select id, text from said where n > 0 order by n`.execute(db)
  return rows
}
