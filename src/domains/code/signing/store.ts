/** SQL on the signing key. Reads take any handle; writes take a transaction. */
import type { Db, Tx } from '#platform/db'
import type { NewSigningKeyRow, SigningKeyRow } from './tables.ts'

export function findSigningKey(db: Db): Promise<SigningKeyRow | undefined> {
  return db.selectFrom('signing_key').selectAll().executeTakeFirst()
}

/** Concurrent inserts wait for the first one and then do nothing. */
export async function insertSigningKey(tx: Tx, row: NewSigningKeyRow): Promise<void> {
  await tx
    .insertInto('signing_key')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doNothing())
    .execute()
}
