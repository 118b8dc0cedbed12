/** SQL on references between issues, and from commits to them. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { isVisibleTo } from '#domains/code/repositories'
import type { Viewer } from '#domains/people/users'
import type { Db, Tx } from '#platform/db'
import type { EntryRefAction, EntryRow, IssueRow, RefKind } from '../tables.ts'

/** A repository by the names used in texts. */
export interface Place {
  readonly id: number
  readonly login_key: string
  readonly name_key: string
}

/** By owner and name in lower case. */
export async function findPlaces(
  db: Db,
  names: readonly { readonly owner: string; readonly name: string }[],
): Promise<Place[]> {
  if (names.length === 0) return []
  return db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.id', 'account.login_key', 'repository.name_key'])
    .where(sql<boolean>`(account.login_key, repository.name_key) in (select * from unnest(
      ${names.map(({ owner }) => owner)}::text[], ${names.map(({ name }) => name)}::text[]))`)
    .execute()
}

/** By repository and number. */
export async function findNumbered(
  db: Db,
  numbers: readonly { readonly repository_id: number; readonly number: number }[],
): Promise<IssueRow[]> {
  if (numbers.length === 0) return []
  return db
    .selectFrom('issue')
    .selectAll()
    .where(sql<boolean>`(repository_id, number) in (select * from unnest(
      ${numbers.map((it) => it.repository_id)}::bigint[], ${numbers.map((it) => it.number)}::bigint[]))`)
    .execute()
}

export interface NewReference {
  readonly kind: RefKind
  readonly target: IssueRow
  readonly author_id: number
  readonly ref_issue_id: number
  readonly ref_comment_id: number | null
  readonly ref_action: EntryRefAction
}

/**
 * Adds entries to the referenced issues that still exist; `for key share` waits for a concurrent deletion. Sets their
 * `updated_at`, but skips issues that another transaction has locked, since it sets `updated_at` itself; so two issues
 * that reference each other cannot deadlock.
 */
export async function insertReferences(
  tx: Tx,
  references: readonly NewReference[],
  now: Date,
): Promise<void> {
  const ids = references.map(({ target }) => target.id)
  const held = await tx
    .selectFrom('issue')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const there = new Set(held.map(({ id }) => id))
  const rows = references
    .filter(({ target }) => there.has(target.id))
    .map(({ target, ...row }) => ({
      ...row,
      issue_id: target.id,
      repository_id: target.repository_id,
      body: '',
      created_at: now,
      updated_at: now,
    }))
  if (rows.length > 0) await tx.insertInto('issue_comment').values(rows).execute()
  await sql`update issue set updated_at = ${now} where id in
    (select id from issue where id = any(${ids}::bigint[]) for no key update skip locked)`.execute(tx)
}

/** The current references of an issue's body or of one of its comments. */
export function findReferences(
  db: Db,
  issueId: number,
  commentId: number | null,
): Promise<Pick<EntryRow, 'id' | 'issue_id' | 'ref_action'>[]> {
  return db
    .selectFrom('issue_comment')
    .select(['id', 'issue_id', 'ref_action'])
    .where('ref_issue_id', '=', issueId)
    .where(sql<boolean>`ref_comment_id is not distinct from ${commentId}::bigint`)
    .where('ref_action', '<>', 'neutered')
    .execute()
}

export async function neuter(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const ref_action = 'neutered'
  await tx
    .updateTable('issue_comment')
    .set({ ref_action })
    .where('id', 'in', [...ids])
    .execute()
}

/** For comments that are deleted. */
export async function neuterReferencesOf(tx: Tx, commentIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('issue_comment')
    .set({ ref_action: 'neutered' })
    .where('ref_comment_id', '=', sql<number>`any(${[...commentIds]}::bigint[])`)
    .execute()
}

export interface NewCommitReference {
  readonly author_id: number
  readonly body: string
  readonly ref_commit: string
  readonly ref_repository_id: number | null
}

/** No-op if the commit has an entry already. The caller holds the issue lock. */
export async function insertCommitReference(
  tx: Tx,
  issue: IssueRow,
  row: NewCommitReference,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('issue_comment')
    .values({
      ...row,
      kind: 'commit_ref',
      issue_id: issue.id,
      repository_id: issue.repository_id,
      ref_action: 'none',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['issue_id', 'ref_commit']).where('ref_commit', 'is not', null).doNothing(),
    )
    .execute()
}

/** False if this commit was applied before: later changes of the issue stay. */
export async function markObeyed(tx: Tx, issue: IssueRow, commit: string): Promise<boolean> {
  const marked = await tx
    .updateTable('issue_comment')
    .set({ payload: { is_obeyed: true } })
    .where('issue_id', '=', issue.id)
    .where('ref_commit', '=', commit)
    .where(sql<boolean>`payload = '{}'`)
    .executeTakeFirst()
  return marked.numUpdatedRows === 1n
}

/** A condition on `issue_comment`: the caller may see the repository of the reference's source. */
export function isSourceVisibleTo(caller: { readonly actor: Viewer | null }): RawBuilder<boolean> {
  return sql<boolean>`((issue_comment.ref_issue_id is null and issue_comment.ref_repository_id is null)
    or exists (select 1 from repository where repository.id = coalesce(issue_comment.ref_repository_id,
      (select source.repository_id from issue as source where source.id = issue_comment.ref_issue_id))
    and ${isVisibleTo(caller)}))`
}
