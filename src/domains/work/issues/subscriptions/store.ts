/** SQL on subscriptions. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { selectAccounts, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { IssueRow } from '../tables.ts'

/** Users who subscribed themselves and whom the caller may see. */
export function selectSubscribers(ctx: Context, issueId: number) {
  return selectAccounts(ctx.db)
    .innerJoin('issue_subscription', 'issue_subscription.user_id', 'account.id')
    .where('issue_subscription.issue_id', '=', issueId)
    .where('issue_subscription.is_subscribed', '=', true)
    .where(visibleTo(ctx.actor))
    .orderBy('issue_subscription.user_id')
}

/** An explicit subscription decides; else watchers, the author, commenters and reviewers are subscribed. */
export async function isSubscribed(db: Db, issue: IssueRow, userId: number): Promise<boolean> {
  const { id: issueId, repository_id: repositoryId } = issue
  const found = await SUBSCRIBED.first(db, {
    issueId,
    repositoryId,
    isAuthor: issue.author_id === userId,
    userId,
  })
  return found?.is_subscribed ?? false
}

interface Subscribed {
  readonly issueId: number
  readonly repositoryId: number
  readonly isAuthor: boolean
  readonly userId: number
}

const SUBSCRIBED = new Statement(
  (_db: Db, { issueId, repositoryId, isAuthor, userId }: Subscribed) =>
    sql<{ is_subscribed: boolean }>`select coalesce(
      (select is_subscribed from issue_subscription where issue_id = ${issueId} and user_id = ${userId}),
      ${isAuthor}::boolean
      or exists (select 1 from watch where user_id = ${userId} and repository_id = ${repositoryId})
      or exists (select 1 from issue_comment
        where author_id = ${userId} and issue_id = ${issueId} and kind in ('comment', 'code', 'review'))) as is_subscribed`,
)

export async function putSubscription(
  tx: Tx,
  row: { issue_id: number; user_id: number; is_subscribed: boolean; updated_at: Date },
): Promise<void> {
  const { is_subscribed, updated_at } = row
  await tx
    .insertInto('issue_subscription')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['issue_id', 'user_id']).doUpdateSet({ is_subscribed, updated_at }),
    )
    .execute()
}
