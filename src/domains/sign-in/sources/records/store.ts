/** SQL on `authentication_source`. */
import type { Db, Tx } from '#platform/db'
import { notFound } from '#platform/problem'
import { isOf, type SourceKind, type SourceOf, type SourceRow } from '../tables.ts'

export function selectSources(db: Db) {
  return db.selectFrom('authentication_source').selectAll()
}

export async function getSource(db: Db, id: number): Promise<SourceRow> {
  const row = await selectSources(db).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('authentication source', id)
  return row
}

/** A source that people may sign in with, by the name in its address. */
export async function getEnabled<Kind extends SourceKind>(
  db: Db,
  name: string,
  kind: Kind,
): Promise<SourceOf<Kind> & SourceRow> {
  const row = await selectSources(db)
    .where('name_key', '=', name.toLowerCase())
    .where('is_enabled', '=', true)
    .executeTakeFirst()
  if (row === undefined || !isOf(row, kind)) throw notFound('authentication source', name)
  return row
}

/** For sign-ins: the source stays as it is until they are committed. */
export async function shareSource(tx: Tx, id: number): Promise<SourceRow> {
  const row = await selectSources(tx).where('id', '=', id).forShare().executeTakeFirst()
  if (row === undefined) throw notFound('authentication source', id)
  return row
}

/** Serializes changes of a source with sign-ins that link an account to it. */
export async function lockSource(tx: Tx, id: number): Promise<SourceRow> {
  const row = await selectSources(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw notFound('authentication source', id)
  return row
}
