/** SQL for exports: the boards of a repository with columns and rules, in pages by key. */
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
