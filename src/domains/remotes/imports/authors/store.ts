/** SQL on `import_host` and `imported_author`. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { Host, HostRow } from '../tables.ts'

export interface AuthorKey {
  readonly host_id: number
  readonly author_id: number
}

/** In a short transaction of its own: imports from the same host wait for it. */
export async function insertHost(tx: Tx, host: Host): Promise<void> {
  await tx
    .insertInto('import_host')
    .values(host)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findHost(db: Db, { service, url }: Host): Promise<number | null> {
  const found = await db
    .selectFrom('import_host')
    .select('id')
    .where('service', '=', service)
    .where('url', '=', url)
    .executeTakeFirst()
  return found?.id ?? null
}

const AT_ONCE = 1_000

/**
 * Returns those who have an account here by now. Invariant: each row is locked until the transaction ends, so a decision
 * about an author meanwhile waits, and finds the records of the import.
 */
export async function keepAuthors(
  tx: Tx,
  hostId: number,
  authors: ReadonlyMap<number, string>,
): Promise<number[]> {
  const known: number[] = []
  // In the order of ids, so that two imports cannot deadlock.
  const sorted = [...authors].sort(([a], [b]) => a - b)
  for (let i = 0; i < sorted.length; i += AT_ONCE) {
    const rows = await tx
      .insertInto('imported_author')
      .values(
        sorted.slice(i, i + AT_ONCE).map(([author_id, name]) => ({
          host_id: hostId,
          author_id,
          name,
          account_id: null,
          decided_by: null,
          decided_at: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['host_id', 'author_id']).doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
      )
      .returning(['author_id', 'account_id'])
      .execute()
    known.push(...rows.flatMap((row) => (row.account_id === null ? [] : [row.author_id])))
  }
  return known
}

/** With the names of host and account. */
export function selectAuthors(db: Db) {
  return db
    .selectFrom('imported_author')
    .innerJoin('import_host', 'import_host.id', 'imported_author.host_id')
    .select([
      'imported_author.host_id',
      'imported_author.author_id',
      'imported_author.name',
      'imported_author.account_id',
      'imported_author.decided_by',
      'imported_author.decided_at',
      'import_host.service',
      'import_host.url',
    ])
}

/** Of those after `after` that no administrator has decided about. */
export function listUndecided(db: Db, hostId: number, after: number, limit: number) {
  return db
    .selectFrom('imported_author')
    .select(['author_id', 'account_id'])
    .where('host_id', '=', hostId)
    .where('author_id', '>', after)
    .where(sql<boolean>`decided_by is distinct from 'administrator'`)
    .orderBy('author_id')
    .limit(limit)
    .execute()
}

export function listHostsAt(db: Db, url: string): Promise<HostRow[]> {
  return db.selectFrom('import_host').selectAll().where('url', '=', url).execute()
}

export function getHost(db: Db, id: number): Promise<HostRow> {
  return db.selectFrom('import_host').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export function lockAuthor(tx: Tx, { host_id, author_id }: AuthorKey) {
  return tx
    .selectFrom('imported_author')
    .selectAll()
    .where('host_id', '=', host_id)
    .where('author_id', '=', author_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Its account, which cannot be changed until the transaction ends. */
export function shareAuthor(tx: Tx, { host_id, author_id }: AuthorKey) {
  return tx
    .selectFrom('imported_author')
    .select('account_id')
    .where('host_id', '=', host_id)
    .where('author_id', '=', author_id)
    .forShare()
    .executeTakeFirst()
}

export async function decide(
  tx: Tx,
  { host_id, author_id }: AuthorKey,
  decision: {
    readonly account_id: number | null
    readonly decided_by: 'identity' | 'administrator'
    readonly decided_at: Date
  },
): Promise<void> {
  await tx
    .updateTable('imported_author')
    .set(decision)
    .where('host_id', '=', host_id)
    .where('author_id', '=', author_id)
    .execute()
}
