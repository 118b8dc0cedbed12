/** Inserts imported boards with their columns and rules, and then their cards. No events are emitted. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { invalid } from '#platform/problem'
import { cutTitle } from '#platform/rest'
import { countCards } from '../cards/count-cards.ts'
import { PROJECTS_OF_ISSUE_MAX } from '../cards/place-card.ts'
import { insertColumns } from '../columns/store.ts'
import type { CardRow, NewColumnRow, NewProjectRow, RuleEvent } from '../tables.ts'

export interface ImportedBoard extends Omit<NewProjectRow, 'id' | 'repository_id' | 'owner_id'> {
  readonly columns: readonly ImportedColumn[]
}

export interface ImportedColumn extends Omit<NewColumnRow, 'id' | 'project_id'> {
  /** At the source. */
  readonly key: number
  readonly takes: readonly RuleEvent[]
}

/** Columns here, by key at the source. */
export type ColumnIds = Map<number, { readonly project_id: number; readonly column_id: number }>

export async function insertImportedBoards(
  { db }: TxContext,
  repositoryId: number,
  boards: readonly ImportedBoard[],
  ids: ColumnIds,
): Promise<void> {
  if (boards.length === 0) return
  const rows = boards.map(({ columns: _, ...board }) => ({
    ...board,
    title: cutTitle(board.title),
    repository_id: repositoryId,
    owner_id: null,
  }))
  const projects = await db.insertInto('project').values(rows).returning('id').execute()
  const columns = boards.flatMap((board, i) => {
    const { id } = must(projects[i], 'each is written')
    const usual = board.columns.find(({ is_default }) => is_default)
    return board.columns.map((it) => ({ ...it, is_default: it === usual, project_id: id }))
  })
  const written = await insertColumns(
    db,
    columns.map(({ key: _, takes: __, ...column }) => ({ ...column, title: cutTitle(column.title) })),
  )
  const rules = columns.flatMap(({ key, takes, project_id }, i) => {
    const column_id = must(written[i], 'each is written').id
    ids.set(key, { project_id, column_id })
    return takes.map((event) => ({ project_id, event, column_id }))
  })
  if (rules.length > 0)
    await db
      .insertInto('project_rule')
      .values(rules)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

export interface ImportedCard extends CardRow {
  /** State of its issue. */
  readonly is_closed: boolean
}

/** Returns how many were inserted: of several cards of an issue on a board, the first is kept. */
export async function insertImportedCards(
  { db }: TxContext,
  cards: readonly ImportedCard[],
): Promise<number> {
  if (cards.length === 0) return 0
  const inserted = await db
    .insertInto('project_card')
    .values(cards.map(({ is_closed: _, ...card }) => card))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['project_id', 'repository_id', 'issue_id', 'is_pull'])
    .execute()
  const closed = new Set(cards.flatMap(({ issue_id, is_closed }) => (is_closed ? [issue_id] : [])))
  for (const those of Map.groupBy(inserted, (it) => `${it.project_id} ${it.is_pull}`).values()) {
    const card = must(those[0], 'a group has one')
    const closed_issues = those.filter(({ issue_id }) => closed.has(issue_id)).length
    await countCards(db, card, { open_issues: those.length - closed_issues, closed_issues })
  }
  return inserted.length
}

/** Once all cards are there. */
export async function assertFewBoards({ db }: TxContext, repositoryId: number): Promise<void> {
  const { rows } = await sql<{ issue_id: number }>`
    select issue_id from project_card where repository_id = ${repositoryId}
    group by issue_id having count(*) > ${PROJECTS_OF_ISSUE_MAX} limit 1`.execute(db)
  if (rows.length > 0) throw invalid('issue is in too many projects', { max: PROJECTS_OF_ISSUE_MAX })
}
