/** What the REST API has no list of for a whole repository: reactions, tracked times, dependencies and boards. */
import { findAccountsById, presentUser, type User } from '#domains/people/users'
import { listCardsOfRepository, listDependencies, listReactions, listTimes } from '#domains/work/issues'
import { listBoards } from '#domains/work/projects'
import type { Context } from '#platform/context'
import { time } from '#platform/rest'
import type { ApiRecord } from './records.ts'

const ROWS_AT_ONCE = 500
const BOARDS_AT_ONCE = 50

/** Adds `reactions` to issues or comments. */
export async function withReactions(
  ctx: Context,
  table: 'issues' | 'comments',
  records: readonly ApiRecord[],
): Promise<readonly ApiRecord[]> {
  const found = await listReactions(
    ctx.db,
    table,
    records.map(({ id }) => Number(id)),
  )
  const people = await findPeople(ctx, [...found.values()].flat())
  return records.map((record) => ({
    ...record,
    reactions: (found.get(Number(record.id)) ?? []).map(({ user_id, content, created_at }) => ({
      user: people.get(user_id),
      content,
      created_at: time(created_at),
    })),
  }))
}

export async function* readTimes(ctx: Context, repositoryId: number): AsyncGenerator<ApiRecord> {
  for (let after = 0; ; ) {
    const rows = await listTimes(ctx.db, repositoryId, after, ROWS_AT_ONCE)
    const people = await findPeople(ctx, rows)
    for (const { number, user_id, seconds, created_at } of rows)
      yield { number, user: people.get(user_id), time: seconds, created: time(created_at) }
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)?.id ?? 0
  }
}

/** `names`: of the repositories that are exported, by id. `leave` hears of each dependency on another repository. */
export async function* readDependencies(
  { db }: Context,
  repositoryId: number,
  names: ReadonlyMap<number, string>,
  leave: () => void,
): AsyncGenerator<ApiRecord> {
  for (let after = { blocked_id: 0, blocker_id: 0 }; ; ) {
    const rows = await listDependencies(db, repositoryId, after, ROWS_AT_ONCE)
    for (const { number, blocker_number, blocker_repository_id } of rows) {
      const repository = names.get(blocker_repository_id)
      if (repository === undefined) leave()
      else yield { number, blocker: { repository, number: blocker_number } }
    }
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1) ?? after
  }
}

export async function* readBoards(ctx: Context, repositoryId: number): AsyncGenerator<ApiRecord> {
  for (let after = 0; ; ) {
    const boards = await listBoards(ctx.db, repositoryId, after, BOARDS_AT_ONCE)
    const creators = boards.flatMap(({ project, columns }) => [project, ...columns])
    const people = await findPeople(
      ctx,
      creators.map(({ creator_id }) => ({ user_id: creator_id ?? 0 })),
    )
    for (const { project, columns } of boards)
      yield {
        id: project.id,
        title: project.title,
        description: project.description,
        creator: people.get(project.creator_id ?? 0),
        state: project.is_closed ? 'closed' : 'open',
        template_type: project.template_type,
        card_type: project.card_type,
        created_at: time(project.created_at),
        updated_at: time(project.updated_at),
        closed_at: time(project.closed_at),
        columns: columns.map((column) => ({
          id: column.id,
          title: column.title,
          default: column.is_default,
          sorting: column.sorting,
          color: column.color,
          creator: people.get(column.creator_id ?? 0),
          created_at: time(column.created_at),
          updated_at: time(column.updated_at),
          takes: column.takes,
        })),
      }
    if (boards.length < BOARDS_AT_ONCE) return
    after = boards.at(-1)?.project.id ?? 0
  }
}

export async function* readCards({ db }: Context, repositoryId: number): AsyncGenerator<ApiRecord> {
  for (let after = { project_id: 0, issue_id: 0 }; ; ) {
    const rows = await listCardsOfRepository(db, repositoryId, after, ROWS_AT_ONCE)
    for (const { project_id, column_id, number, sorting } of rows)
      yield { project: project_id, column: column_id, number, sorting }
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1) ?? after
  }
}

async function findPeople(
  ctx: Context,
  rows: readonly { readonly user_id: number }[],
): Promise<Map<number, User>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))]
  const accounts = await findAccountsById(ctx.db, ids)
  return new Map([...accounts].map(([id, account]) => [id, presentUser(account, null, ctx.site)]))
}
