/** SQL on `action_secret` and `action_variable`. Both are asked for by whose they are. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { countRows, type Db, type Tables, type Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Holder } from './scopes.ts'

type Table = 'action_secret' | 'action_variable'

/** As a condition, in the words of the indexes. */
export function isOf({ owner_id, repository_id }: Holder): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, Table>()
  return owner_id === null ? eb('repository_id', '=', repository_id) : eb('owner_id', '=', owner_id)
}

export function selectIn(db: Db, table: Table, holder: Holder) {
  return db.selectFrom(table).where(isOf(holder))
}

/** True when there was one. */
export async function deleteIn(tx: Tx, table: Table, holder: Holder, name: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom(table)
    .where(isOf(holder))
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** All of them come with each job. */
const HELD_MAX = 1_000

export async function assertRoom(tx: Tx, table: Table, holder: Holder): Promise<void> {
  if ((await countRows(selectIn(tx, table, holder).select('id'))) >= HELD_MAX)
    throw new Problem('invalid', `at most ${HELD_MAX} of them can be kept`)
}
