/** Reads refs from PostgreSQL, without git and without the cache. */
import { sql } from 'kysely'
import { CUSTOM_PLAN, countRows, customPlanFor, type Db } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { GitRef, StorageId } from '../tables.ts'

export interface RefFilter {
  /** Names with one of these prefixes; all when absent. */
  readonly prefixes?: readonly string[]
  /** Names that contain this; all when absent or empty. */
  readonly contains?: string
  /** Names after this one. */
  readonly after?: string
  readonly skip?: number
  readonly limit?: number
}

/** In byte order, as git lists them. */
export function listRefs(db: Db, storageId: StorageId, filter: RefFilter = {}): Promise<GitRef[]> {
  const { skip = 0, limit } = filter
  return refsOf(db, storageId, filter)
    .select(['name', 'oid', 'peeled_oid'])
    .orderBy('name')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0).offset(skip))
    .execute()
}

/** Distinct objects that refs point to; annotated tags are peeled. */
export async function listPeeledTips(db: Db, storageId: StorageId): Promise<string[]> {
  const rows = await refsOf(db, storageId, {})
    .select((eb) => eb.fn.coalesce('peeled_oid', 'oid').as('tip'))
    .distinct()
    .execute()
  return rows.map(({ tip }) => tip)
}

export function countRefs(db: Db, storageId: StorageId, filter: RefFilter = {}): Promise<number> {
  return countRows(refsOf(db, storageId, filter))
}

function refsOf(db: Db, storageId: StorageId, { prefixes = [], contains = '', after = '' }: RefFilter) {
  return (
    db
      .selectFrom('git_ref')
      .where('storage_id', '=', storageId)
      .$if(prefixes.length > 0, (query) => query.where((eb) => eb.or(prefixes.map(startsWith))))
      // A client may send any number of prefixes.
      .$if(prefixes.length > 1, (query) => query.modifyEnd(CUSTOM_PLAN))
      .$if(after !== '', (query) => query.where('name', '>', after))
      .$if(contains !== '', (query) => query.where(sql<boolean>`strpos(name, ${contains}) > 0`))
  )
}

export function findRef(db: Db, storageId: StorageId, name: string): Promise<GitRef | undefined> {
  return NAMED.first(db, { storageId, names: [name] })
}

/** By name, only refs that exist. */
export async function findRefs(
  db: Db,
  storageId: StorageId,
  names: readonly string[],
): Promise<Map<string, GitRef>> {
  const refs = await NAMED.rows(db, { storageId, names })
  return new Map(refs.map((ref) => [ref.name, ref]))
}

const NAMED = new Statement(
  (db: Db, { storageId, names }: { storageId: StorageId; names: readonly string[] }) =>
    selectNamed(db, storageId, names),
)

/**
 * One look into the index for each name, in any plan. Of `name = any(…)` the generic plan makes a filter, because most
 * storages have few refs: then every request reads all refs of a storage that has very many (2,000 refs: 447 pages, now 4).
 */
export function selectNamed(db: Db, storageId: StorageId, names: readonly string[]) {
  return db
    .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'asked'>(sql`asked(name)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('git_ref')
          .select(['git_ref.name', 'git_ref.oid', 'git_ref.peeled_oid'])
          .where('git_ref.storage_id', '=', storageId)
          .whereRef('git_ref.name', '=', 'asked.name')
          // Otherwise PostgreSQL would join the two as it likes.
          .limit(sql.lit(1))
          .as('ref'),
      (join) => join.onTrue(),
    )
    .select(['ref.name', 'ref.oid', 'ref.peeled_oid'])
}

/** An index range: in byte order, all names with a prefix are between it and its successor. */
function startsWith(prefix: string) {
  return sql<boolean>`(name >= ${prefix} and name < ${prefix}::text || chr(1114111))`
}

/** For several storages at once, only refs that exist. */
export async function findTips(
  db: Db,
  places: readonly { readonly storageId: StorageId; readonly name: string }[],
): Promise<{ storage_id: StorageId; name: string; oid: string }[]> {
  const { rows } = await sql<{ storage_id: StorageId; name: string; oid: string }>`
    select git_ref.storage_id, git_ref.name, git_ref.oid
    from unnest(${places.map((it) => it.storageId)}::bigint[], ${places.map((it) => it.name)}::text[])
      as asked(storage_id, name)
    join git_ref on git_ref.storage_id = asked.storage_id and git_ref.name = asked.name
    ${customPlanFor(places)}`.execute(db)
  return rows
}
