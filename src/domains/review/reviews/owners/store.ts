/** SQL on code owners of pull requests. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { PullRow } from '#domains/review/pulls'
import type { Db, Tx } from '#platform/db'
import type { FoundOwners } from './find-owners.ts'

export function findCheck(db: Db, issueId: number) {
  return db.selectFrom('code_owner_check').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
}

/** Replaces the owners found for another head. */
export async function setOwners(
  tx: Tx,
  { issue_id, head_oid, base_branch }: PullRow,
  { rules, isComplete }: FoundOwners,
  isAsked: boolean,
): Promise<void> {
  const check = { head_oid, base_branch, is_complete: isComplete, is_asked: isAsked }
  await tx
    .insertInto('code_owner_check')
    .values({ issue_id, ...check })
    .onConflict((conflict) => conflict.column('issue_id').doUpdateSet(check))
    .execute()
  await tx.deleteFrom('code_owner').where('issue_id', '=', issue_id).execute()
  const rows = rules.flatMap(({ people, teams }, rule) => [
    ...people.map(({ id }) => ({ rule, user: id, team: null })),
    ...teams.map(({ id }) => ({ rule, user: null, team: id })),
  ])
  await sql`insert into code_owner (issue_id, rule, user_id, team_id)
    select ${issue_id}, rule, user_id, team_id from unnest(${rows.map((it) => it.rule)}::bigint[],
      ${rows.map((it) => it.user)}::bigint[], ${rows.map((it) => it.team)}::bigint[]) as found (rule, user_id, team_id)
    on conflict do nothing`.execute(tx)
}
