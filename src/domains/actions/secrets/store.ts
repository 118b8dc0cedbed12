/** SQL on `action_secret` and `action_variable`, always by holder (owner or repository). */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Holder } from '#domains/code/scopes'
import type { Db, Tables, Tx } from '#platform/db'
import { Problem } from '#platform/problem'

type Table = 'action_secret' | 'action_variable'

/** Written so that the partial indexes match. */
export function isOf({ owner_id, repository_id }: Holder): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, Table>()
  return owner_id === null ? eb('repository_id', '=', repository_id) : eb('owner_id', '=', owner_id)
}

export function selectIn(db: Db, table: Table, holder: Holder) {
  return db.selectFrom(table).where(isOf(holder))
}

/** True if a row was deleted. */
export async function deleteIn(tx: Tx, table: Table, holder: Holder, name: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom(table)
    .where(isOf(holder))
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Every job receives all of them, and every line of its log is searched for them. */
const HELD_MAX = 1_000
const HELD_BYTES_MAX = 2 * 1024 * 1024
const VALUE = { action_secret: 'sealed', action_variable: 'data' } as const

/** Call it after the change, in the same transaction. */
export async function assertFits(tx: Tx, table: Table, holder: Holder): Promise<void> {
  const { count, bytes } = await selectIn(tx, table, holder)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<number>`coalesce(sum(octet_length(${sql.ref(VALUE[table])})), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow()
  if (count > HELD_MAX) throw new Problem('invalid', `at most ${HELD_MAX} of them can be kept`)
  if (bytes > HELD_BYTES_MAX)
    throw new Problem('invalid', `together they must not be longer than ${HELD_BYTES_MAX} bytes`)
}
