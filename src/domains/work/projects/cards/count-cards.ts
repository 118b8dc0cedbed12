/** Counts the open and closed issues of projects, in the transaction that changes them. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Tx } from '#platform/db'
import type { IssueCount } from '../records/wire.ts'
import type { CardRow } from '../tables.ts'
import { unitOf } from './store.ts'

/** Counts of many projects in one query, of issues the caller may read. Projects without any are not in the map. */
export async function countIssues(
  ctx: Context,
  projectIds: readonly number[],
): Promise<Map<number, IssueCount>> {
  if (projectIds.length === 0) return new Map()
  const rows = await selectCounts(ctx, projectIds).execute()
  return new Map(rows.map(({ project_id, ...counts }) => [project_id, counts]))
}

export function selectCounts(ctx: Context, projectIds: readonly number[]) {
  return ctx.db
    .selectFrom('project_count')
    .innerJoin('repository', 'repository.id', 'project_count.repository_id')
    .select('project_count.project_id')
    .select([
      sql<number>`sum(project_count.open_issues)::bigint`.as('open_issues'),
      sql<number>`sum(project_count.closed_issues)::bigint`.as('closed_issues'),
    ])
    .where('project_count.project_id', 'in', [...projectIds])
    .where(isReadableTo(ctx, unitOf('project_count')))
    .groupBy('project_count.project_id')
}

/** A card was added to a project or removed. */
export function countCard(tx: Tx, card: CardRow, isClosed: boolean, by: 1 | -1): Promise<void> {
  return countCards(tx, card, { open_issues: isClosed ? 0 : by, closed_issues: isClosed ? by : 0 })
}

/** Of one project, repository and kind. */
export async function countCards(
  tx: Tx,
  { project_id, repository_id, is_pull }: Pick<CardRow, 'project_id' | 'repository_id' | 'is_pull'>,
  counts: IssueCount,
): Promise<void> {
  await tx
    .insertInto('project_count')
    .values({ project_id, repository_id, is_pull, ...counts })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'repository_id', 'is_pull']).doUpdateSet((eb) => ({
        open_issues: eb('project_count.open_issues', '+', counts.open_issues),
        closed_issues: eb('project_count.closed_issues', '+', counts.closed_issues),
      })),
    )
    .execute()
}

/**
 * An issue was closed, reopened or deleted: updates all its projects. Invariant: lower ids are locked before higher
 * ones.
 */
export async function countInProjects(
  tx: Tx,
  issueId: number,
  { open_issues, closed_issues }: IssueCount,
): Promise<void> {
  await sql`with held as (
      select counted.project_id, counted.repository_id, counted.is_pull
      from project_count as counted join project_card using (project_id, repository_id, is_pull)
      where project_card.issue_id = ${issueId}
      order by counted.project_id for no key update of counted)
    update project_count set open_issues = project_count.open_issues + ${open_issues},
      closed_issues = project_count.closed_issues + ${closed_issues}
    from held where project_count.project_id = held.project_id
      and project_count.repository_id = held.repository_id and project_count.is_pull = held.is_pull`.execute(
    tx,
  )
}
