/** SQL on pull requests. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { StorageId } from '#git'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { NewPullRow, NewVersionRow, PullPatch, PullRow, VersionRow } from '../tables.ts'

export function insertPull(tx: Tx, row: NewPullRow): Promise<PullRow> {
  return tx.insertInto('pull_request').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updatePull(tx: Tx, issueId: number, patch: PullPatch): Promise<PullRow> {
  return tx
    .updateTable('pull_request')
    .set(patch)
    .where('issue_id', '=', issueId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** `by` may be negative. */
export async function countReviewComments(tx: Tx, issueId: number, by: number): Promise<void> {
  await tx
    .updateTable('pull_request')
    .set((eb) => ({ review_comments: eb('review_comments', '+', by) }))
    .where('issue_id', '=', issueId)
    .execute()
}

export async function insertVersion(tx: Tx, row: NewVersionRow): Promise<void> {
  await tx.insertInto('pull_version').values(row).execute()
}

export function findPull(db: Db, repositoryId: number, number: number): Promise<PullRow | undefined> {
  return NUMBERED.first(db, { repositoryId, number })
}

const NUMBERED = new Statement((db: Db, { repositoryId, number }: { repositoryId: number; number: number }) =>
  db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number),
)

export function findPullOf(db: Db, issueId: number): Promise<PullRow | undefined> {
  return db.selectFrom('pull_request').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
}

/** Invariant: callers hold the issue lock. */
export function lockPull(tx: Tx, issueId: number): Promise<PullRow> {
  return tx
    .selectFrom('pull_request')
    .selectAll()
    .where('issue_id', '=', issueId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** A pull request with the storage of its base repository. */
export type Following = PullRow & { readonly storage_id: StorageId }

/** Open pull requests from these branches of a repository, in lock order. */
export function listFollowing(
  db: Db,
  headRepositoryId: number,
  branches: readonly string[],
  page: { readonly after: number; readonly limit: number },
): Promise<Following[]> {
  return selectFollowing(db, headRepositoryId, branches)
    .where('issue_id', '>', page.after)
    .limit(page.limit)
    .execute()
}

export function findFollowing(db: Db, issueId: number): Promise<Following | undefined> {
  return selectWithStorage(db)
    .where('issue_id', '=', issueId)
    .where('is_open', '=', true)
    .where('flow', '=', 'branch')
    .executeTakeFirst()
}

/** Which of these branches are heads of open pull requests. */
export async function listFollowedBranches(
  db: Db,
  headRepositoryId: number,
  branches: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('pull_request')
    .select('head_branch')
    .distinct()
    .where('head_repository_id', '=', headRepositoryId)
    .where('head_branch', '=', sql<string>`any(${branches}::text[])`)
    .where('is_open', '=', true)
    .where('flow', '=', 'branch')
    .execute()
  return rows.map(({ head_branch }) => head_branch)
}

/** Of these, the pull requests whose base is in the same repository. */
export function listOwnFollowing(
  db: Db,
  repositoryId: number,
  branches: readonly string[],
  limit: number,
): Promise<Following[]> {
  return selectFollowing(db, repositoryId, branches)
    .where('pull_request.repository_id', '=', repositoryId)
    .limit(limit)
    .execute()
}

export function selectFollowing(db: Db, headRepositoryId: number, branches: readonly string[]) {
  return selectWithStorage(db)
    .where('head_repository_id', '=', headRepositoryId)
    .where('head_branch', '=', sql<string>`any(${branches}::text[])`)
    .where('is_open', '=', true)
    .where('flow', '=', 'branch')
    .orderBy('issue_id')
}

function selectWithStorage(db: Db) {
  return db
    .selectFrom('pull_request')
    .innerJoin('repository', 'repository.id', 'pull_request.repository_id')
    .selectAll('pull_request')
    .select('repository.storage_id')
}

/** Open pull requests with one of these base branches. */
export function listAimedAt(
  db: Db,
  repositoryId: number,
  branches: readonly string[],
  limit: number,
): Promise<PullRow[]> {
  return selectAimedAt(db, repositoryId, branches, limit).execute()
}

export function selectAimedAt(db: Db, repositoryId: number, branches: readonly string[], limit: number) {
  return db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', sql<string>`any(${branches}::text[])`)
    .where('is_open', '=', true)
    .orderBy('number', 'desc')
    .limit(limit)
}

/** Open pull requests whose head repository was deleted. */
export async function listOrphans(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('pull_request')
    .select('issue_id')
    .where('is_open', '=', true)
    .where('flow', '=', 'branch')
    .where('head_repository_id', 'is', null)
    .orderBy('issue_id')
    .limit(limit)
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}

export interface Ends {
  readonly repositoryId: number
  readonly baseBranch: string
  readonly headRepositoryId: number
  readonly headBranch: string
}

/** The latest pull request between two branches, preferring an open one. */
export function findBetween(db: Db, ends: Ends): Promise<PullRow | undefined> {
  return db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', ends.repositoryId)
    .where('base_branch', '=', ends.baseBranch)
    .where('head_repository_id', '=', ends.headRepositoryId)
    .where('head_branch', '=', ends.headBranch)
    .where('flow', '=', 'branch')
    .orderBy('is_open', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Key of an AGit pull request: account, base branch and topic. */
export interface Topic {
  readonly repositoryId: number
  readonly authorId: number
  readonly baseBranch: string
  readonly topic: string
}

/** The open pull request, the latest if there are several. */
export function findByTopic(db: Db, of: Topic): Promise<PullRow | undefined> {
  return selectByTopic(db, of).executeTakeFirst()
}

/**
 * `head_branch` is the login at opening time, a slash and the topic. Matched by author id, since logins can be reused.
 */
export function selectByTopic(db: Db, { repositoryId, authorId, baseBranch, topic }: Topic) {
  return db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .selectAll('pull_request')
    .where('issue.author_id', '=', authorId)
    .where('issue.repository_id', '=', repositoryId)
    .where('pull_request.base_branch', '=', baseBranch)
    .where(
      sql<boolean>`substr(pull_request.head_branch, strpos(pull_request.head_branch, '/') + 1) = ${topic}`,
    )
    .where('pull_request.flow', '=', 'agit')
    .where('pull_request.is_open', '=', true)
    .orderBy('pull_request.number', 'desc')
    .limit(1)
}

export function listVersions(db: Db, issueId: number): Promise<VersionRow[]> {
  return db
    .selectFrom('pull_version')
    .selectAll()
    .where('issue_id', '=', issueId)
    .orderBy('version')
    .execute()
}

/** Updates what git found about the given version. */
export async function updateVersion(
  tx: Tx,
  { issue_id, version }: Pick<PullRow, 'issue_id' | 'version'>,
  patch: Partial<VersionRow>,
): Promise<void> {
  await tx
    .updateTable('pull_version')
    .set(patch)
    .where('issue_id', '=', issue_id)
    .where('version', '=', version)
    .execute()
}

/** Renames a branch wherever it is the base or head of an open pull request. */
export async function renameEnds(tx: Tx, repositoryId: number, from: string, to: string): Promise<void> {
  for (const [repository, branch] of [
    ['repository_id', 'base_branch'],
    ['head_repository_id', 'head_branch'],
  ] as const)
    await tx
      .updateTable('pull_request')
      .set({ [branch]: to })
      .where(repository, '=', repositoryId)
      .where(branch, '=', from)
      .where('is_open', '=', true)
      .execute()
}
