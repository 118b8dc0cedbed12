/** All cards of a board in one call, for pages; REST clients need one call per column. */
import { getProject, listBoard, listRules, type ProjectPlace, type RuleEvent } from '#domains/work/projects'
import type { Context } from '#platform/context'
import { showReadable } from '../records/across.ts'
import type { Issue } from '../records/wire.ts'

export interface ShownColumn {
  readonly items: readonly Issue[]
  /** All cards that the caller may read, shown or not. */
  readonly total: number
  /** Cards come here when their issue is closed, and so on. */
  readonly takes: readonly RuleEvent[]
}

/** By column; a fixed number of queries. */
export async function showBoard(
  ctx: Context,
  place: ProjectPlace,
  projectId: number,
  most: number,
): Promise<ReadonlyMap<number, ShownColumn>> {
  const columns = await listBoard(ctx, await getProject(ctx, place, projectId), most)
  const rules = await listRules(ctx.db, projectId)
  const shown = await showReadable(
    ctx,
    columns.flatMap(({ issue_ids }) => issue_ids),
  )
  return new Map(
    columns.map(({ column_id, issue_ids, total }) => [
      column_id,
      {
        items: issue_ids.flatMap((id) => shown.get(id) ?? []),
        total,
        takes: rules.filter((it) => it.column_id === column_id).map(({ event }) => event),
      },
    ]),
  )
}
