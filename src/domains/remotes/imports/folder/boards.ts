/** Project boards of an exported repository, with their columns, rules and cards. */
import { type Static, Type } from 'typebox'
import { findIssuesByNumber } from '#domains/work/issues'
import {
  assertFewBoards,
  COLUMNS_MAX,
  type ColumnIds,
  type ImportedBoard,
  insertImportedBoards,
  insertImportedCards,
  SORTING_MAX,
  SORTING_MIN,
} from '#domains/work/projects'
import type { TxContext } from '#platform/context'
import type { People } from '../records/match-people.ts'
import { cut, text, timeOf, times, timesOf } from '../sources/fields.ts'
import { checkBatches } from './check-lines.ts'
import type { ExportedRepository } from './exported-repository.ts'
import { Id, IssueNumber } from './schemas.ts'

const BOARDS = { most: 1_000, size: 50 }
const CARDS = { most: 200_000 }
const TEXT_MAX = 65_536
const PLACE_MAX = 1_000_000_000_000_000

const Creator = Type.Optional(Type.Object({ login: Type.String() }))
const Column = Type.Object({
  id: Id,
  title: Type.String({ maxLength: TEXT_MAX }),
  default: Type.Boolean(),
  sorting: Type.Integer({ minimum: SORTING_MIN, maximum: SORTING_MAX }),
  color: Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$' }),
  creator: Creator,
  takes: Type.Array(Type.Enum(['closed', 'merged', 'reopened']), { maxItems: 3, uniqueItems: true }),
  ...times,
})
const Board = Type.Object({
  title: Type.String({ maxLength: TEXT_MAX }),
  description: Type.String({ maxLength: TEXT_MAX }),
  creator: Creator,
  state: Type.Enum(['open', 'closed']),
  template_type: Type.Enum(['none', 'basic_kanban', 'bug_triage']),
  card_type: Type.Enum(['text_only', 'images_and_text']),
  closed_at: text,
  columns: Type.Array(Column, { maxItems: COLUMNS_MAX }),
  ...times,
})
const Card = Type.Object({
  column: Id,
  number: IssueNumber,
  sorting: Type.Integer({ minimum: -PLACE_MAX, maximum: PLACE_MAX }),
})

/** Returns how many cards are left out: those of issues or columns that are not there. */
export async function insertBoards(
  ctx: TxContext,
  repository: ExportedRepository,
  repositoryId: number,
  people: People,
): Promise<number> {
  const columns: ColumnIds = new Map()
  for await (const boards of checkBatches(repository, 'projects', Board, BOARDS)) {
    const rows = boards.map((it) => boardOf(it, ctx.now(), people))
    await insertImportedBoards(ctx, repositoryId, rows, columns)
  }
  let left = 0
  for await (const cards of checkBatches(repository, 'cards', Card, CARDS)) {
    const numbers = cards.map(({ number }) => number)
    const issues = await findIssuesByNumber(ctx.db, repositoryId, numbers)
    const rows = cards.flatMap(({ column, number, sorting }) => {
      const [issue, place] = [issues.get(number), columns.get(column)]
      if (issue === undefined || place === undefined) return []
      const { id: issue_id, ...facts } = issue
      return [{ ...place, ...facts, issue_id, repository_id: repositoryId, sorting }]
    })
    left += cards.length - (await insertImportedCards(ctx, rows))
  }
  await assertFewBoards(ctx, repositoryId)
  return left
}

function boardOf(board: Static<typeof Board>, now: Date, people: People): ImportedBoard {
  const { title, description, state, template_type, card_type, closed_at } = board
  const spans = timesOf(board, now)
  const is_closed = state === 'closed'
  return {
    title: cut(title, TEXT_MAX),
    description: cut(description, TEXT_MAX),
    creator_id: idOf(people, board.creator),
    template_type,
    card_type,
    is_closed,
    closed_at: is_closed ? (timeOf(closed_at) ?? spans.updated_at) : null,
    ...spans,
    columns: board.columns.map((column) => ({
      key: column.id,
      title: cut(column.title, TEXT_MAX),
      color: column.color,
      is_default: column.default,
      sorting: column.sorting,
      creator_id: idOf(people, column.creator),
      takes: column.takes,
      ...timesOf(column, now),
    })),
  }
}

function idOf(people: People, person: { readonly login: string } | undefined): number | null {
  return people.get(person?.login.toLowerCase() ?? '')?.id ?? null
}
