/** SQL on merges. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { PullRow } from '#domains/review/pulls'
import type { Db, Tx } from '#platform/db'
import type { MergeRow, NewMergeRow } from './tables.ts'

export async function insertMerge(tx: Tx, row: NewMergeRow): Promise<void> {
  await tx.insertInto('pull_merge').values(row).execute()
}

export function findMerge(db: Db, issueId: number): Promise<MergeRow | undefined> {
  return db.selectFrom('pull_merge').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
}

/** The merges of a repository, by pull request number. */
export function listMerges(
  db: Db,
  repositoryId: number,
  after: number,
  limit: number,
): Promise<(MergeRow & Pick<PullRow, 'number' | 'base_branch'>)[]> {
  return db
    .selectFrom('pull_merge')
    .innerJoin('pull_request', 'pull_request.issue_id', 'pull_merge.issue_id')
    .selectAll('pull_merge')
    .select(['pull_request.number', 'pull_request.base_branch'])
    .where('pull_request.repository_id', '=', repositoryId)
    .where('pull_request.number', '>', after)
    .orderBy('pull_request.number')
    .limit(limit)
    .execute()
}

/** The pull request that was merged with this commit. */
export function findPullOfCommit(db: Db, repositoryId: number, oid: string): Promise<PullRow | undefined> {
  return db
    .selectFrom('pull_request')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('merge_commit', '=', oid)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
}

/** Whether an open pull request has this branch as its head or base. */
export async function isInUse(db: Db, repositoryId: number, branch: string): Promise<boolean> {
  const found = await db
    .selectFrom('pull_request')
    .select('issue_id')
    .where('is_open', '=', true)
    .where((eb) =>
      eb.or([
        eb.and([eb('head_repository_id', '=', repositoryId), eb('head_branch', '=', branch)]),
        eb.and([eb('repository_id', '=', repositoryId), eb('base_branch', '=', branch)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The open pull requests with one of these base branches, newest first. */
export function listAimedAt(
  db: Db,
  repositoryId: number,
  branches: readonly string[],
  limit: number,
): Promise<Pick<PullRow, 'issue_id' | 'base_branch'>[]> {
  return db
    .selectFrom('pull_request')
    .select(['issue_id', 'base_branch'])
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', sql<string>`any(${branches}::text[])`)
    .where('is_open', '=', true)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}
