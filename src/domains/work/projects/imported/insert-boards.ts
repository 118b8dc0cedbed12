/** Inserts imported boards with their columns and rules, and then their cards. No events are emitted. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { invalid } from '#platform/problem'
import { cutTitle } from '#platform/rest'
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

/** Of several cards of an issue on a board, the first is kept. */
export async function insertImportedCards({ db }: TxContext, cards: readonly CardRow[]): Promise<number> {
  if (cards.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('project_card')
    .values([...cards])
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0n)
}

/** Once all cards are there. */
export async function countImportedCards({ db }: TxContext, repositoryId: number): Promise<void> {
  const crowded = await sql<{ issue_id: number }>`
    select issue_id from project_card where repository_id = ${repositoryId}
    group by issue_id having count(*) > ${PROJECTS_OF_ISSUE_MAX} limit 1`.execute(db)
  if (crowded.rows.length > 0) throw invalid('issue is in too many projects', { max: PROJECTS_OF_ISSUE_MAX })
  await sql`insert into project_count (project_id, repository_id, is_pull, open_issues, closed_issues)
    select project_id, card.repository_id, card.is_pull,
      count(*) filter (where not issue.is_closed), count(*) filter (where issue.is_closed)
    from project_card as card join issue on issue.id = card.issue_id
    where card.repository_id = ${repositoryId}
    group by project_id, card.repository_id, card.is_pull`.execute(db)
}
