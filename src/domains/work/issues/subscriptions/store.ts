/** SQL on subscriptions. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { selectAccounts, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
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
  const { rows } = await sql<{ is_subscribed: boolean }>`select coalesce(
      (select is_subscribed from issue_subscription where issue_id = ${issue.id} and user_id = ${userId}),
      ${issue.author_id === userId}::boolean
      or exists (select 1 from watch where user_id = ${userId} and repository_id = ${issue.repository_id})
      or exists (select 1 from issue_comment
        where author_id = ${userId} and issue_id = ${issue.id} and kind in ('comment', 'code', 'review'))) as is_subscribed`.execute(
    db,
  )
  return rows[0]?.is_subscribed ?? false
}

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
