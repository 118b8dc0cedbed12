/** SQL on whose review of an issue was asked for, and who has given one. Only pull requests have any. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'

/** A person or a team. */
export type Reviewer = { readonly userId: number } | { readonly teamId: number }

/** By number of the issue. */
export interface Requested {
  readonly userIds: ReadonlyMap<number, readonly number[]>
  readonly teamIds: ReadonlyMap<number, readonly number[]>
}

export async function findRequested(db: Db, issueIds: readonly number[]): Promise<Requested> {
  const rows = await db
    .selectFrom('issue_reviewer')
    .select(['issue_id', 'user_id', 'team_id'])
    .where('issue_id', '=', sql<number>`any(${issueIds}::bigint[])`)
    .where('is_requested', '=', true)
    .orderBy('updated_at')
    .orderBy('user_id')
    .orderBy('team_id')
    .execute()
  const idsOf = (column: 'user_id' | 'team_id') => {
    const found = rows.filter((row) => row[column] !== null)
    const grouped = Map.groupBy(found, ({ issue_id }) => issue_id)
    return new Map([...grouped].map(([id, alike]) => [id, alike.flatMap((row) => row[column] ?? [])]))
  }
  return { userIds: idsOf('user_id'), teamIds: idsOf('team_id') }
}

/** What is now known of a reviewer. Nothing is left of one who is neither asked nor has reviewed. */
export async function setReviewer(
  tx: Tx,
  issueId: number,
  reviewer: Reviewer,
  now: { readonly isRequested: boolean; readonly hasReviewed: boolean; readonly at: Date },
): Promise<void> {
  const user_id = 'userId' in reviewer ? reviewer.userId : null
  const team_id = 'teamId' in reviewer ? reviewer.teamId : null
  if (!now.isRequested && !now.hasReviewed) {
    await tx
      .deleteFrom('issue_reviewer')
      .where('issue_id', '=', issueId)
      .where('user_id', 'is not distinct from', user_id)
      .where('team_id', 'is not distinct from', team_id)
      .execute()
    return
  }
  const state = { is_requested: now.isRequested, has_reviewed: now.hasReviewed, updated_at: now.at }
  await tx
    .insertInto('issue_reviewer')
    .values({ issue_id: issueId, user_id, team_id, ...state })
    .onConflict((conflict) => conflict.columns(['issue_id', 'user_id', 'team_id']).doUpdateSet(state))
    .execute()
}
