/** Creates, edits, orders and deletes the columns of a project. */
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { invalid, notFound } from '#platform/problem'
import { cutTitle } from '#platform/rest'
import { moveAllCards } from '../cards/store.ts'
import type { WritablePlace } from '../open-place.ts'
import type { HeldProject } from '../records/store.ts'
import { holdOpenProject } from '../records/write-project.ts'
import type { ColumnRow, ProjectRow } from '../tables.ts'
import { COLUMNS_MAX, type CreateColumn, type EditColumn, SORTING_MAX } from './schemas.ts'
import {
  deleteColumnRow,
  findColumn,
  findColumns,
  insertColumns,
  setDefault,
  setOrder,
  updateColumn,
} from './store.ts'

export function createColumn(
  ctx: Context,
  place: WritablePlace,
  projectId: number,
  input: CreateColumn,
): Promise<ColumnRow> {
  return transact(ctx, async (ctx) => {
    const project = await holdOpenProject(ctx, place, projectId)
    const columns = await findColumns(ctx.db, project)
    if (columns.length >= COLUMNS_MAX)
      throw invalid('maximum number of columns reached', { max: COLUMNS_MAX })
    const last = columns.at(-1)
    const now = ctx.now()
    const [column] = await insertColumns(ctx.db, [
      {
        project_id: project.id,
        creator_id: place.actor.id,
        title: cutTitle(input.title),
        color: input.color ?? '',
        is_default: false,
        sorting: last === undefined ? 0 : Math.min(last.sorting + 1, SORTING_MAX),
        created_at: now,
        updated_at: now,
      },
    ])
    return must(column, 'what is inserted is returned')
  })
}

/** Compat: other columns keep their sorting, even if it becomes equal. */
export function editColumn(
  ctx: Context,
  place: WritablePlace,
  projectId: number,
  id: number,
  input: EditColumn,
): Promise<ColumnRow> {
  return transact(ctx, async (ctx) => {
    const { column } = await holdColumn(ctx, place, projectId, id)
    return updateColumn(ctx.db, id, {
      title: input.title === undefined ? column.title : cutTitle(input.title.trim()),
      color: input.color ?? column.color,
      sorting: input.sorting ?? column.sorting,
      updated_at: ctx.now(),
    })
  })
}

export async function orderColumns(
  ctx: Context,
  place: WritablePlace,
  projectId: number,
  ids: readonly number[],
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const project = await holdOpenProject(ctx, place, projectId)
    const columns = await findColumns(ctx.db, project)
    const known = new Set(columns.map(({ id }) => id))
    const isWhole = ids.length === known.size && new Set(ids).size === ids.length
    if (!isWhole || !ids.every((id) => known.has(id)))
      throw invalid('column_ids must list every column of the project exactly once')
    await setOrder(ctx.db, ids, ctx.now())
  })
}

export async function chooseDefault(
  ctx: Context,
  place: WritablePlace,
  projectId: number,
  id: number,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { project } = await holdColumn(ctx, place, projectId, id)
    await setDefault(ctx.db, project.id, id)
  })
}

/** Its cards move to the end of the default column, in their order. */
export async function deleteColumn(
  ctx: Context,
  place: WritablePlace,
  projectId: number,
  id: number,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { project, column } = await holdColumn(ctx, place, projectId, id)
    if (column.is_default) throw invalid('cannot delete the default column')
    const target = (await findColumns(ctx.db, project)).find(({ is_default }) => is_default)
    // Without a default column there are no cards, since the first card creates one.
    if (target !== undefined) await moveAllCards(ctx.db, id, target.id)
    await deleteColumnRow(ctx.db, id)
  })
}

/** The caller must be able to read the project. */
export async function getColumn({ db }: Context, project: ProjectRow, id: number): Promise<ColumnRow> {
  const column = await findColumn(db, project.id, id)
  if (column === undefined) throw notFound('project column', id)
  return column
}

export async function holdColumn(
  ctx: TxContext,
  place: WritablePlace,
  projectId: number,
  id: number,
): Promise<{ project: HeldProject; column: ColumnRow }> {
  const project = await holdOpenProject(ctx, place, projectId)
  return { project, column: await getColumn(ctx, project, id) }
}
