/** Reads refs from PostgreSQL, without git and without the cache. */
import { sql } from 'kysely'
import { CUSTOM_PLAN, countOf, countRows, customPlanFor, type Db } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { GitRef, StorageId } from '../tables.ts'

export interface RefFilter {
  /** Names with one of these prefixes; all when absent. */
  readonly prefixes?: readonly string[]
  /** Names that contain this; all when absent or empty. */
  readonly contains?: string | undefined
  /** Names after this one. */
  readonly after?: string | undefined
  readonly skip?: number | undefined
  readonly limit?: number | undefined
}

/** In byte order, as git lists them. */
export function listRefs(db: Db, storageId: StorageId, filter: RefFilter = {}): Promise<GitRef[]> {
  return hasSeveralPrefixes(filter)
    ? selectListed(db, storageId, filter).execute()
    : LISTED.rows(db, valuesOf(storageId, filter))
}

const LISTED = new Statement((db: Db, values: Values) => selectListed(db, values.storageId, filterIn(values)))

function selectListed(db: Db, storageId: StorageId, filter: RefFilter) {
  const { skip = 0, limit } = filter
  return refsOf(db, storageId, filter)
    .select(['name', 'oid', 'peeled_oid'])
    .orderBy('name')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0).offset(skip))
}

/** Distinct objects that refs point to; annotated tags are peeled. */
export async function listPeeledTips(db: Db, storageId: StorageId): Promise<string[]> {
  const rows = await refsOf(db, storageId, {})
    .select((eb) => eb.fn.coalesce('peeled_oid', 'oid').as('tip'))
    .distinct()
    .execute()
  return rows.map(({ tip }) => tip)
}

export async function countRefs(db: Db, storageId: StorageId, filter: RefFilter = {}): Promise<number> {
  if (hasSeveralPrefixes(filter)) return countRows(refsOf(db, storageId, filter))
  const counted = await COUNTED.first(db, valuesOf(storageId, filter))
  return counted?.total ?? 0
}

const COUNTED = new Statement((db: Db, values: Values) =>
  countOf(refsOf(db, values.storageId, filterIn(values))),
)

/** A client may send any number of prefixes, and each number is another statement. */
function hasSeveralPrefixes({ prefixes = [] }: RefFilter): boolean {
  return prefixes.length > 1
}

/** A filter with at most one prefix. */
interface Values extends Omit<RefFilter, 'prefixes'> {
  readonly storageId: StorageId
  readonly prefix: string | undefined
}

function valuesOf(storageId: StorageId, { prefixes, contains, after, skip, limit }: RefFilter): Values {
  const [prefix] = prefixes ?? []
  // An empty text is no condition.
  return { storageId, prefix, contains: contains || undefined, after: after || undefined, skip, limit }
}

function filterIn({ prefix, ...filter }: Values): RefFilter {
  return { ...filter, prefixes: prefix === undefined ? [] : [prefix] }
}

function refsOf(db: Db, storageId: StorageId, { prefixes = [], contains = '', after = '' }: RefFilter) {
  return db
    .selectFrom('git_ref')
    .where('storage_id', '=', storageId)
    .$if(prefixes.length > 0, (query) => query.where((eb) => eb.or(prefixes.map(startsWith))))
    .$if(prefixes.length > 1, (query) => query.modifyEnd(CUSTOM_PLAN))
    .$if(after !== '', (query) => query.where('name', '>', after))
    .$if(contains !== '', (query) => query.where(sql<boolean>`strpos(name, ${contains}) > 0`))
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
