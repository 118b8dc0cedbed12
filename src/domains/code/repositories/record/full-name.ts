/** The full name of a repository, for messages to operators. */
import { sql } from 'kysely'
import type { StorageId } from '#git'
import type { Db } from '#platform/db'

export function findFullName(db: Db, id: number): Promise<string | undefined> {
  return nameOf(db, (it) => it.where('repository.id', '=', id))
}

/** By the storage of its code or of its wiki. */
export function nameStorage(db: Db, id: StorageId): Promise<string | undefined> {
  return nameOf(db, (it) =>
    it.where((eb) => eb.or([eb('storage_id', '=', id), eb('wiki_storage_id', '=', id)])),
  )
}

/** The repository, and the id that logs have. */
export async function describeStorage(db: Db, id: StorageId): Promise<string> {
  const name = await nameStorage(db, id)
  return name === undefined ? `storage ${id}` : `${name} (storage ${id})`
}

type Query = ReturnType<typeof selectNames>

function selectNames(db: Db) {
  return db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(sql<string>`account.login || '/' || repository.name`.as('name'))
}

async function nameOf(db: Db, narrow: (query: Query) => Query): Promise<string | undefined> {
  return (await narrow(selectNames(db)).executeTakeFirst())?.name
}
