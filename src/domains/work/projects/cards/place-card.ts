/**
 * Cards: in which column of a project an issue is, and where. Invariant: callers lock the issue first and then the
 * project, so that a card is in one place, and cards appended to a column get distinct positions.
 */
import type { TxContext } from '#platform/context'
import { invalid } from '#platform/problem'
import { hintTopic } from '#slices'
import { ensureDefault } from '../columns/default-column.ts'
import { findColumn } from '../columns/store.ts'
import type { HeldProject } from '../records/store.ts'
import { countCard } from './count-cards.ts'
import { countCardsOf, deleteCard, findCard, insertCard, nextSorting, updateCard } from './store.ts'

/** All of them are shown with the issue. */
export const PROJECTS_OF_ISSUE_MAX = 50

/** The columns of an issue that are needed here. */
export interface Placed {
  readonly id: number
  readonly repository_id: number
  readonly is_pull: boolean
  readonly is_closed: boolean
}

/** What changed for a card. */
export interface Placing {
  readonly isAdded: boolean
  /** It is now in a column other than its former one, or than the default for a new card. */
  readonly isMoved: boolean
}

/** Appends the card to a column unless it is in it; null: to the default column unless it is in any. */
export async function putCard(
  ctx: TxContext,
  project: HeldProject,
  issue: Placed,
  columnId: number | null,
): Promise<Placing> {
  const card = await findCard(ctx.db, project.id, issue.id)
  hintTopic(ctx, 'board', project.id)
  if (card === undefined) return addCard(ctx, project, issue, columnId)
  if (columnId === null || columnId === card.column_id) return { isAdded: false, isMoved: false }
  await updateCard(ctx.db, card, { column_id: columnId, sorting: await nextSorting(ctx.db, columnId) })
  return { isAdded: false, isMoved: true }
}

/** Moves the card to a position in a column; null: the end. */
export async function moveCard(
  { db }: TxContext,
  project: HeldProject,
  issue: Placed,
  columnId: number,
  sorting: number | null,
): Promise<Placing> {
  if ((await findColumn(db, project.id, columnId)) === undefined)
    throw invalid('target column does not belong to this project', { column_id: columnId })
  const card = await findCard(db, project.id, issue.id)
  if (card === undefined) throw invalid('issue is not in the project', { issue_id: issue.id })
  await updateCard(db, card, { column_id: columnId, sorting: sorting ?? (await nextSorting(db, columnId)) })
  return { isAdded: false, isMoved: columnId !== card.column_id }
}

/** Returns whether the card was in this column, or in any if null. */
export async function removeCard(
  ctx: TxContext,
  project: HeldProject,
  issue: Placed,
  columnId: number | null,
): Promise<boolean> {
  const { db } = ctx
  const card = await findCard(db, project.id, issue.id)
  if (card === undefined || (columnId !== null && card.column_id !== columnId)) return false
  hintTopic(ctx, 'board', project.id)
  await deleteCard(db, card)
  await countCard(db, card, issue.is_closed, -1)
  return true
}

async function addCard(
  ctx: TxContext,
  project: HeldProject,
  issue: Placed,
  columnId: number | null,
): Promise<Placing> {
  if ((await countCardsOf(ctx.db, issue.id)) >= PROJECTS_OF_ISSUE_MAX)
    throw invalid('issue is in too many projects', { max: PROJECTS_OF_ISSUE_MAX })
  const fallback = await ensureDefault(ctx, project)
  const column_id = columnId ?? fallback.id
  const card = {
    issue_id: issue.id,
    project_id: project.id,
    column_id,
    repository_id: issue.repository_id,
    is_pull: issue.is_pull,
    sorting: await nextSorting(ctx.db, column_id),
  }
  await insertCard(ctx.db, card)
  await countCard(ctx.db, card, issue.is_closed, 1)
  return { isAdded: true, isMoved: column_id !== fallback.id }
}
