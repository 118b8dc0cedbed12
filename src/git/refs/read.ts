/** Reading refs: from PostgreSQL, without a git process and without a cache. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { GitRef } from '../tables.ts'

export interface RefFilter {
  /** Names that begin with one of these; all when absent. */
  readonly prefixes?: readonly string[]
  readonly limit?: number
}

/** In the order of their bytes, as git itself lists them. */
export function listRefs(db: Db, repositoryId: number, filter: RefFilter = {}): Promise<GitRef[]> {
  let query = db
    .selectFrom('git_ref')
    .select(['name', 'oid', 'peeled_oid'])
    .where('repository_id', '=', repositoryId)
    .orderBy('name')
  const { prefixes, limit } = filter
  if (prefixes !== undefined && prefixes.length > 0)
    query = query.where((eb) => eb.or(prefixes.map((prefix) => startsWith(prefix))))
  return (limit === undefined ? query : query.limit(limit)).execute()
}

export function findRef(db: Db, repositoryId: number, name: string): Promise<GitRef | undefined> {
  return db
    .selectFrom('git_ref')
    .select(['name', 'oid', 'peeled_oid'])
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** A range of the index: in the order of bytes, everything with a prefix lies between it and its successor. */
function startsWith(prefix: string) {
  return sql<boolean>`(name >= ${prefix} and name < ${prefix}::text || chr(1114111))`
}
