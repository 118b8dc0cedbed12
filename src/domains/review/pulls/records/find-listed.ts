/** What issue lists show of the pull requests among them: one query, no git. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import { type Viewer, type ViewerValues, viewerIn, viewerValues } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'

/** Selects the pull requests among these issues whose repository's pulls and code the caller may read. */
export function selectReadable(caller: Caller, issueIds: readonly number[]) {
  return caller.db
    .selectFrom('pull_request')
    .innerJoin('repository', 'repository.id', 'pull_request.repository_id')
    .where('pull_request.issue_id', '=', sql<number>`any(${issueIds}::bigint[])`)
    .where(isReadableTo(caller, 'pulls'))
    .where(isReadableTo(caller, 'code'))
}

interface Caller {
  readonly db: Db
  readonly actor: Viewer | null
}

export function findListed(ctx: Context, issueIds: readonly number[]) {
  return LISTED.rows(ctx.db, { ...viewerValues(ctx), issueIds })
}

const LISTED = new Statement(
  (db: Db, { issueIds, ...viewer }: ViewerValues & { issueIds: readonly number[] }) =>
    selectListed({ db, ...viewerIn(viewer) }, issueIds),
)

export function selectListed(caller: Caller, issueIds: readonly number[]) {
  return selectReadable(caller, issueIds)
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .select(['pull_request.issue_id', 'pull_request.repository_id', 'pull_request.is_open'])
    .select(['pull_request.head_oid', 'pull_request.additions', 'pull_request.deletions'])
    .select(['pull_request.base_branch', 'pull_request.merge_base', 'pull_request.mergeability'])
    .select(['pull_request.checked_head_oid', 'pull_request.checked_base_oid'])
    .select(['issue.author_id', 'issue.title'])
}
