/** SQL on releases. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { NewReleaseRow, ReleasePatch, ReleaseRow } from '../tables.ts'

export interface ReleaseFilter {
  readonly showsDrafts: boolean
  readonly isDraft: boolean | undefined
  readonly isPrerelease: boolean | undefined
  readonly tagPart: string
}

/** Undefined when the tag already has a release. */
export function insertRelease(tx: Tx, row: NewReleaseRow): Promise<ReleaseRow | undefined> {
  return tx
    .insertInto('release')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'tag']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateRelease(tx: Tx, id: number, patch: ReleasePatch): Promise<ReleaseRow> {
  return tx.updateTable('release').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteReleaseRow(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('release').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

export function selectReleases(db: Db, repositoryId: number, filter: ReleaseFilter) {
  let query = db.selectFrom('release').where('repository_id', '=', repositoryId)
  if (!filter.showsDrafts) query = query.where('is_draft', '=', false)
  if (filter.isDraft !== undefined) query = query.where('is_draft', '=', filter.isDraft)
  if (filter.isPrerelease !== undefined) query = query.where('is_prerelease', '=', filter.isPrerelease)
  if (filter.tagPart !== '')
    query = query.where(sql<boolean>`strpos(lower(tag), ${filter.tagPart.toLowerCase()}) > 0`)
  return query
}

export function listReleases(
  db: Db,
  repositoryId: number,
  filter: ReleaseFilter,
  page: Page,
): Promise<Paged<ReleaseRow>> {
  return takePage(selectReleases(db, repositoryId, filter).selectAll().orderBy('id', 'desc'), page)
}

export function findRelease(db: Db, repositoryId: number, id: number): Promise<ReleaseRow | undefined> {
  return db
    .selectFrom('release')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findRepositoryId(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('release').select('repository_id').where('id', '=', id).executeTakeFirst()
  return row?.repository_id
}

/** Names by id, of releases that have one. */
export async function findOriginalAuthors(
  db: Db,
  repositoryId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('release')
    .select(['id', 'original_author'])
    .where('repository_id', '=', repositoryId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('original_author', '<>', '')
    .execute()
  return new Map(rows.map(({ id, original_author }) => [id, original_author]))
}

/** Locks the row so that the release is not deleted while assets are added. */
export function lockRelease(tx: Tx, id: number): Promise<ReleaseRow | undefined> {
  return tx.selectFrom('release').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function findByTag(db: Db, repositoryId: number, tag: string): Promise<ReleaseRow | undefined> {
  return db
    .selectFrom('release')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('tag', '=', tag)
    .executeTakeFirst()
}

/** The newest that is neither a draft nor a pre-release. */
export function findLatest(db: Db, repositoryId: number): Promise<ReleaseRow | undefined> {
  return db
    .selectFrom('release')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('is_draft', '=', false)
    .where('is_prerelease', '=', false)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
