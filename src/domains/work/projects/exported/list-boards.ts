/** SQL for exports: the boards of a repository with columns and rules, and their cards, in pages by key. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { ColumnRow, ProjectRow, RuleEvent } from '../tables.ts'

export interface ListedBoard {
  readonly project: ProjectRow
  readonly columns: readonly (ColumnRow & { readonly takes: readonly RuleEvent[] })[]
}

/** Oldest first. `after`: the id of the last one before. */
export async function listBoards(
  db: Db,
  repositoryId: number,
  after: number,
  limit: number,
): Promise<ListedBoard[]> {
  const projects = await db
    .selectFrom('project')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const among = sql<number>`any(${projects.map(({ id }) => id)}::bigint[])`
  const columns = await db
    .selectFrom('project_column')
    .selectAll()
    .where('project_id', '=', among)
    .orderBy('sorting')
    .orderBy('id')
    .execute()
  const rules = await db
    .selectFrom('project_rule')
    .select(['column_id', 'event'])
    .where('project_id', '=', among)
    .orderBy('event')
    .execute()
  const takes = Map.groupBy(rules, ({ column_id }) => column_id)
  const ruled = columns.map((it) => ({ ...it, takes: (takes.get(it.id) ?? []).map(({ event }) => event) }))
  const byProject = Map.groupBy(ruled, ({ project_id }) => project_id)
  return projects.map((project) => ({ project, columns: byProject.get(project.id) ?? [] }))
}

export interface ListedCard {
  readonly project_id: number
  readonly column_id: number
  readonly issue_id: number
  readonly number: number
  readonly sorting: number
}

/** On boards of the repository itself, not on those of its owner. */
export function listCardsOfRepository(
  db: Db,
  repositoryId: number,
  after: Pick<ListedCard, 'project_id' | 'issue_id'>,
  limit: number,
): Promise<ListedCard[]> {
  return db
    .selectFrom('project_card')
    .innerJoin('project', 'project.id', 'project_card.project_id')
    .innerJoin('issue', 'issue.id', 'project_card.issue_id')
    .select([
      'project_card.project_id',
      'project_card.column_id',
      'project_card.issue_id',
      'project_card.sorting',
      'issue.number',
    ])
    .where('project_card.repository_id', '=', repositoryId)
    .where('project.repository_id', '=', repositoryId)
    .where(
      sql<boolean>`(project_card.project_id, project_card.issue_id)
        > (${after.project_id}::bigint, ${after.issue_id}::bigint)`,
    )
    .orderBy('project_card.project_id')
    .orderBy('project_card.issue_id')
    .limit(limit)
    .execute()
}
