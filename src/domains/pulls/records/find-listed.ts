/** What lists of issues say of the pull requests among them: one query, and no git. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/repositories'
import type { Context } from '#platform/context'
import type { PullRow } from '../tables.ts'

export type ListedPull = Pick<PullRow, 'issue_id' | 'repository_id' | 'head_oid' | 'additions' | 'deletions'>

/** Of those that the caller has been shown as issues: without the code, nothing is told of what is done to it. */
export function findListedPulls(ctx: Context, issueIds: readonly number[]): Promise<ListedPull[]> {
  return selectListed(ctx, issueIds).execute()
}

export function selectListed(ctx: Context, issueIds: readonly number[]) {
  return ctx.db
    .selectFrom('pull_request')
    .innerJoin('repository', 'repository.id', 'pull_request.repository_id')
    .select(['issue_id', 'repository_id', 'head_oid', 'additions', 'deletions'])
    .where('issue_id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where(isReadableTo(ctx, 'code'))
}
