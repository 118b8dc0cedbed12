/** SQL on assignees. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'

/** Of many issues in one query, in the order of assignment. */
export async function listAssigneeIds(db: Db, issueIds: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  if (issueIds.length === 0) return found
  const rows = await ASSIGNED.rows(db, { issueIds })
  for (const { issue_id, user_id } of rows) found.set(issue_id, [...(found.get(issue_id) ?? []), user_id])
  return found
}

const ASSIGNED = new Statement((db: Db, { issueIds }: { issueIds: readonly number[] }) =>
  db
    .selectFrom('issue_assignee')
    .select(['issue_id', 'user_id'])
    .where('issue_id', 'in', issueIds)
    .orderBy('created_at')
    .orderBy('user_id'),
)

export async function insertAssignees(
  ctx: TxContext,
  issueId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return
  const created_at = ctx.now()
  await ctx.db
    .insertInto('issue_assignee')
    .values(userIds.map((user_id) => ({ issue_id: issueId, user_id, created_at })))
    .execute()
}

export async function deleteAssignees(tx: Tx, issueId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .deleteFrom('issue_assignee')
    .where('issue_id', '=', issueId)
    .where('user_id', 'in', [...userIds])
    .execute()
}

/** Moves one assignee before the others: assignees are listed by `created_at`. */
export async function putFirst(tx: Tx, issueId: number, userId: number): Promise<void> {
  await sql`update issue_assignee set created_at = others.first_at - interval '1 millisecond'
    from (select min(created_at) as first_at from issue_assignee
      where issue_id = ${issueId} and user_id <> ${userId}) as others
    where issue_id = ${issueId} and user_id = ${userId} and created_at >= others.first_at`.execute(tx)
}
