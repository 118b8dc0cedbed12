/** SQL on the remains of deleted repositories. */
import { sql } from 'kysely'
import { keyOf } from '#domains/people/users'
import { type StorageId, UNDO_MS } from '#git'
import type { Context, TxContext } from '#platform/context'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { DeletedRecord, DeletedRow, RepositoryRow } from '../tables.ts'

/** Rows of other tables that are deleted with the repository and kept for an undelete. */
export type Beside = Omit<DeletedRecord, 'row'>

/** A repository's `storage_id` never changes. */
export async function findStorageOf(db: Db, id: number): Promise<StorageId | undefined> {
  const repo = await db.selectFrom('repository').select('storage_id').where('id', '=', id).executeTakeFirst()
  return repo?.storage_id
}

/**
 * Locks the repository row before its counters, which is the order of all other transactions. Undefined when the
 * repository is gone.
 */
export async function lockBeside(tx: Tx, id: number): Promise<Beside | undefined> {
  const repo = await tx
    .selectFrom('repository')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (repo === undefined) return undefined
  const counts = await tx
    .selectFrom('repository_count')
    .select(['branches', 'tags', 'bytes', 'wiki_bytes', 'lfs_bytes'])
    .where('repository_id', '=', id)
    .executeTakeFirstOrThrow()
  const languages = await tx
    .selectFrom('repository_language')
    .select(['language', 'bytes'])
    .where('repository_id', '=', id)
    .execute()
  const forks = await tx.selectFrom('repository').select('id').where('parent_id', '=', id).execute()
  return { counts, languages, fork_ids: forks.map((fork) => fork.id) }
}

/** Omits the avatar and the mirror's source, which are deleted with the repository. */
export async function insertDeleted(ctx: TxContext, repo: RepositoryRow, beside: Beside): Promise<void> {
  const { id, owner_id, storage_id, name, name_key, ...more } = repo
  const { audience, is_quarantined, search_key, avatar, updated_at, is_mirror, ...rest } = more
  const { mirror_interval_s, mirror_synced_at, mirror_updated_at, mirror_next_at, ...kept } = rest
  const row = {
    ...kept,
    created_at: repo.created_at.toISOString(),
    archived_at: repo.archived_at?.toISOString() ?? null,
  }
  await ctx.db
    .insertInto('repository_deleted')
    .values({ id, owner_id, storage_id, name, name_key, record: { row, ...beside }, deleted_at: ctx.now() })
    .execute()
}

/** Repositories that can be undeleted, the latest deletion first. */
export function listDeleted(ctx: Context, page: Page): Promise<Paged<DeletedRow>> {
  return takePage(selectLatest(ctx), page)
}

/** By its former name; the latest deletion if there are several. */
export async function findDeletedId(ctx: Context, owner: string, name: string): Promise<number | undefined> {
  const found = await selectDeletedCalled(ctx, owner, name).executeTakeFirst()
  return found?.id
}

export function selectLatest(ctx: Context) {
  return selectDeleted(ctx)
    .selectAll('repository_deleted')
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
}

/** An owner may have deleted several repositories of this name. */
export function selectDeletedCalled(ctx: Context, owner: string, name: string) {
  return selectDeleted(ctx)
    .select('id')
    .where('owner_id', '=', (eb) =>
      eb.selectFrom('account').select('account.id').where('account.login_key', '=', keyOf(owner)),
    )
    .where('name_key', '=', keyOf(name))
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
}

function selectDeleted(ctx: Context) {
  const since = new Date(ctx.now().getTime() - UNDO_MS)
  return ctx.db.selectFrom('repository_deleted').where('deleted_at', '>', since)
}

/** Deletes and returns the row, so that only one caller gets it; undefined when there is none. */
export function takeDeleted(tx: Tx, id: number): Promise<DeletedRow | undefined> {
  return tx.deleteFrom('repository_deleted').where('id', '=', id).returningAll().executeTakeFirst()
}

export async function exists(db: Db, repositoryId: number): Promise<boolean> {
  const found = await db
    .selectFrom('repository')
    .select('id')
    .where('id', '=', repositoryId)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

/** Reattaches the remaining forks that have no other parent. Returns their number. */
export async function adoptForks(tx: Tx, id: number, forkIds: readonly number[]): Promise<number> {
  if (forkIds.length === 0) return 0
  const adopted = await tx
    .updateTable('repository')
    .set({ parent_id: id })
    .where('id', 'in', [...forkIds])
    .where('parent_id', 'is', null)
    .returning('id')
    .execute()
  return adopted.length
}

/** Invariant: a fork is never more visible than its base. A fork may have been published while the base was deleted. */
export async function hideForksBeyond(tx: Tx, id: number): Promise<void> {
  await sql`update repository as fork set is_private = true from repository as origin, account as owner
    where origin.id = ${id} and coalesce(fork.parent_id, fork.family_id) = ${id} and not fork.is_private
      and owner.id = fork.owner_id and is_beyond(origin, fork.owner_id, owner.visibility)`.execute(tx)
}
