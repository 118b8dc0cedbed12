/** Bulk SQL on issues, in the transaction that creates their repository. */
import { type Insertable, sql } from 'kysely'
import type { IssueCounts } from '#domains/work/milestones'
import { countRows, type Tables, type Tx } from '#platform/db'
import type { NewReaction } from '../reactions/store.ts'
import type { NewIssueRow } from '../tables.ts'

export async function holdNumbers(tx: Tx, repositoryId: number): Promise<void> {
  await tx.insertInto('issue_number').values({ repository_id: repositoryId, last: 0 }).execute()
}

export async function setLastNumber(tx: Tx, repositoryId: number, last: number): Promise<void> {
  await tx.updateTable('issue_number').set({ last }).where('repository_id', '=', repositoryId).execute()
}

export async function insertIssues(
  tx: Tx,
  rows: readonly NewIssueRow[],
): Promise<{ id: number; number: number; is_pull: boolean }[]> {
  if (rows.length === 0) return []
  return tx
    .insertInto('issue')
    .values([...rows])
    .returning(['id', 'number', 'is_pull'])
    .execute()
}

export async function insertIssueLabels(
  tx: Tx,
  rows: readonly Insertable<Tables['issue_label']>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('issue_label')
    .values([...rows])
    .execute()
}

export async function insertComments(
  tx: Tx,
  rows: readonly Insertable<Tables['issue_comment']>[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const written = await tx
    .insertInto('issue_comment')
    .values([...rows])
    .returning('id')
    .execute()
  return written.map(({ id }) => id)
}

/** The same reaction of a person twice is one. */
export async function insertReactions(tx: Tx, rows: readonly NewReaction[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into reaction (issue_id, comment_id, user_id, content, created_at)
    select * from unnest(${rows.map((it) => it.issue_id)}::bigint[], ${rows.map((it) => it.comment_id ?? null)}::bigint[],
      ${rows.map((it) => it.user_id)}::bigint[], ${rows.map((it) => it.content)}::text[],
      ${rows.map((it) => it.created_at)}::timestamptz[])
    on conflict do nothing`.execute(tx)
}

/** The first `most` pins of issues, and of pull requests, get places without gaps; others lose theirs. */
export async function placePins(tx: Tx, repositoryId: number, most: number): Promise<void> {
  await sql`update issue set pin_position = case when pinned.place <= ${most}::bigint then pinned.place end
    from (select id, row_number() over (partition by is_pull order by pin_position, number) as place
      from issue where repository_id = ${repositoryId} and pin_position is not null) as pinned
    where issue.id = pinned.id`.execute(tx)
}

/** Issues without comments keep their initial count of 0. */
export async function countAllComments(tx: Tx, repositoryId: number): Promise<void> {
  await sql`update issue set comments = said.comments
    from (select issue_id, count(*) as comments from issue_comment
      where repository_id = ${repositoryId} and kind in ('comment', 'review') group by issue_id) as said
    where issue.id = said.issue_id`.execute(tx)
}

export async function countByMilestone(tx: Tx, repositoryId: number): Promise<Map<number, IssueCounts>> {
  const counts = await tx
    .selectFrom('issue')
    .select((eb) => [
      eb.ref('milestone_id').$notNull().as('milestone_id'),
      eb.fn.countAll<number>().filterWhere('is_closed', '=', false).as('open_issues'),
      eb.fn.countAll<number>().filterWhere('is_closed', '=', true).as('closed_issues'),
    ])
    .where('repository_id', '=', repositoryId)
    .where('milestone_id', 'is not', null)
    .groupBy('milestone_id')
    .execute()
  return new Map(counts.map(({ milestone_id, ...by }) => [milestone_id, by]))
}

export function countOpen(tx: Tx, repositoryId: number, isPull: boolean): Promise<number> {
  const open = tx.selectFrom('issue').where('repository_id', '=', repositoryId).where('is_closed', '=', false)
  return countRows(open.where('is_pull', '=', isPull))
}
