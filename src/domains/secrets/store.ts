/** SQL on `action_secret` and `action_variable`. Both are asked for by whose they are. */
import type { Db, Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Holder } from './scopes.ts'

type Table = 'action_secret' | 'action_variable'

export function selectIn<T extends Table>(db: Db, table: T, { owner_id, repository_id }: Holder) {
  return db
    .selectFrom(table as Table)
    .where((eb) =>
      owner_id === null ? eb('repository_id', '=', repository_id) : eb('owner_id', '=', owner_id),
    )
}

/** True when there was one. */
export async function deleteIn(tx: Tx, table: Table, holder: Holder, name: string): Promise<boolean> {
  const { owner_id, repository_id } = holder
  const gone = await tx
    .deleteFrom(table)
    .where((eb) =>
      owner_id === null ? eb('repository_id', '=', repository_id) : eb('owner_id', '=', owner_id),
    )
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** All of them come with each job. */
const HELD_MAX = 1_000

export async function assertRoom(tx: Tx, table: Table, holder: Holder): Promise<void> {
  const { held } = await selectIn(tx, table, holder)
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .executeTakeFirstOrThrow()
  if (held >= HELD_MAX) throw new Problem('invalid', `at most ${HELD_MAX} of them can be kept`)
}
