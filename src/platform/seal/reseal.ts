/**
 * Rotation of `secrets.keys`: which key encrypted the secrets of each column, and their encryption with the first key, after
 * which the others can be removed. Nodes may serve meanwhile: a row is changed only if it still has the text that was read.
 */
import { sql } from 'kysely'
import type { Db, Tables } from '#platform/db'
import type { Seal } from './seal.ts'

/** A column of encrypted secrets. Null and the empty text are no secret. */
export interface SealedColumn {
  readonly table: keyof Tables
  readonly column: string
  readonly purpose: string
}

export interface SealedCount {
  readonly keyId: string
  readonly count: number
}

const AT_ONCE = 1_000

/** Number of secrets of a column by the key that encrypted them. */
export async function countSealed(db: Db, { table, column }: SealedColumn): Promise<SealedCount[]> {
  const { rows } = await sql<{ key_id: string; count: string }>`
    select split_part(${sql.ref(column)}, '.', 2) as key_id, count(*)
    from ${sql.table(table)} where ${sql.ref(column)} <> '' group by 1 order by 1`.execute(db)
  return rows.map(({ key_id, count }) => ({ keyId: key_id, count: Number(count) }))
}

/** Encrypts the secrets of a column with the first key; returns how many. Those of unknown keys stay. */
export async function reseal(db: Db, seal: Seal, sealedColumn: SealedColumn): Promise<number> {
  const { table, column, purpose } = sealedColumn
  const [, ...olderKeys] = seal.keyIds
  let count = 0
  while (olderKeys.length > 0) {
    const { rows } = await sql<{ sealed: string }>`
      select distinct ${sql.ref(column)} as sealed from ${sql.table(table)}
      where split_part(${sql.ref(column)}, '.', 2) = any(${olderKeys}) limit ${AT_ONCE}`.execute(db)
    if (rows.length === 0) break
    const before = rows.map(({ sealed }) => sealed)
    const after = before.map((sealed) => seal.seal(purpose, openNamed(seal, sealedColumn, sealed)))
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = changed.after
      from unnest(${before}::text[], ${after}::text[]) as changed (before, after)
      where ${sql.ref(column)} = changed.before`.execute(db)
    count += Number(numAffectedRows)
  }
  return count
}

function openNamed(seal: Seal, { table, column, purpose }: SealedColumn, sealed: string): string {
  try {
    return seal.open(purpose, sealed)
  } catch (error) {
    throw new Error(`${table}.${column} has a secret that cannot be re-encrypted`, { cause: error })
  }
}
