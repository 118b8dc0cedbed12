/** SQL on cards. Reads take any handle; writes take a transaction that holds the project lock. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import { type ViewerValues, viewerIn, viewerValues, visibleTo } from '#domains/people/users'
import type { Context } from '#platform/context'
import { CUSTOM_PLAN, type Db, type Paged, type Tx, takePage } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import type { CardRow, ProjectRow } from '../tables.ts'

export function findCard(db: Db, projectId: number, issueId: number): Promise<CardRow | undefined> {
  return db
    .selectFrom('project_card')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

export async function countCardsOf(db: Db, issueId: number): Promise<number> {
  const { cards } = await db
    .selectFrom('project_card')
    .select((eb) => eb.fn.countAll<number>().as('cards'))
    .where('issue_id', '=', issueId)
    .executeTakeFirstOrThrow()
  return cards
}

export async function insertCard(tx: Tx, card: CardRow): Promise<void> {
  await tx.insertInto('project_card').values(card).execute()
}

export async function updateCard(
  tx: Tx,
  { project_id, issue_id }: CardRow,
  patch: Pick<CardRow, 'column_id' | 'sorting'>,
): Promise<void> {
  await tx
    .updateTable('project_card')
    .set(patch)
    .where('issue_id', '=', issue_id)
    .where('project_id', '=', project_id)
    .execute()
}

export async function deleteCard(tx: Tx, { project_id, issue_id }: CardRow): Promise<void> {
  await tx
    .deleteFrom('project_card')
    .where('issue_id', '=', issue_id)
    .where('project_id', '=', project_id)
    .execute()
}

/** The position behind the last card of a column. */
export async function nextSorting(tx: Tx, columnId: number): Promise<number> {
  const { next } = await tx
    .selectFrom('project_card')
    .select(sql<number>`coalesce(max(sorting) + 1, 0)`.as('next'))
    .where('column_id', '=', columnId)
    .executeTakeFirstOrThrow()
  return next
}

/** Appends all cards to another column in their order. Compat: on equal positions, the older issue comes first. */
export async function moveAllCards(tx: Tx, fromId: number, toId: number): Promise<void> {
  const next = await nextSorting(tx, toId)
  await sql`update project_card set column_id = ${toId}, sorting = ${next} + placed.place
    from (select issue_id, project_id, row_number() over (order by sorting, issue_id) - 1 as place
      from project_card where column_id = ${fromId}) as placed
    where project_card.issue_id = placed.issue_id and project_card.project_id = placed.project_id`.execute(tx)
}

/**
 * The cards of a column that the caller may read; on equal positions, the newer issue first. Custom plan: PostgreSQL
 * walks the index in order only if it knows that the page is short.
 */
export function selectCards(ctx: Context, columnId: number) {
  return ctx.db
    .selectFrom('project_card')
    .innerJoin('repository', 'repository.id', 'project_card.repository_id')
    .select('project_card.issue_id')
    .where('project_card.column_id', '=', columnId)
    .where(isReadableTo(ctx, unitOf('project_card')))
    .orderBy('project_card.sorting')
    .orderBy('project_card.issue_id', 'desc')
    .modifyEnd(CUSTOM_PLAN)
}

export function listCards(ctx: Context, columnId: number, page: Page): Promise<Paged<{ issue_id: number }>> {
  return takePage(selectCards(ctx, columnId), page)
}

/** The first cards of a column and their total, of those the caller may read. */
export interface ColumnCards {
  readonly column_id: number
  readonly issue_ids: readonly number[]
  readonly total: number
}

/** The first cards of every column, in one query. */
export function selectBoard(ctx: Context, projectId: number, most: number) {
  const inColumn = () =>
    ctx.db
      .selectFrom('project_card')
      .innerJoin('repository', 'repository.id', 'project_card.repository_id')
      .whereRef('project_card.column_id', '=', 'project_column.id' as never)
      .where(isReadableTo(ctx, unitOf('project_card')))
  const first = inColumn()
    .select('project_card.issue_id')
    .orderBy('project_card.sorting')
    .orderBy('project_card.issue_id', 'desc')
    .limit(most)
  const counted = inColumn().select((eb) => eb.fn.countAll().as('total'))
  return ctx.db
    .selectFrom('project_column')
    .select('project_column.id as column_id')
    .select([sql<number[]>`to_json(array(${first}))`.as('issue_ids'), sql<number>`(${counted})`.as('total')])
    .where('project_column.project_id', '=', projectId)
    .modifyEnd(CUSTOM_PLAN)
}

export function listBoard(ctx: Context, { id }: ProjectRow, most: number): Promise<ColumnCards[]> {
  return selectBoard(ctx, id, most).execute()
}

/** The unit that decides access to a row's issue. */
export function unitOf(table: 'project_card' | 'project_count') {
  return sql<'issues' | 'pulls'>`case when ${sql.ref(`${table}.is_pull`)} then 'pulls' else 'issues' end`
}

/**
 * The projects of issues, oldest first, in one query. Omits projects of owners that the caller may not see; callers
 * must check access to projects of a repository.
 */
export async function findProjectsOf(
  ctx: Context,
  issueIds: readonly number[],
): Promise<Map<number, ProjectRow[]>> {
  const found = new Map<number, ProjectRow[]>()
  if (issueIds.length === 0) return found
  const rows = await PROJECTS.rows(ctx.db, { issueIds, ...viewerValues(ctx) })
  for (const { issue_id, ...project } of rows) found.set(issue_id, [...(found.get(issue_id) ?? []), project])
  return found
}

const PROJECTS = new Statement(
  (db: Db, { issueIds, ...viewer }: ViewerValues & { issueIds: readonly number[] }) =>
    db
      .selectFrom('project_card')
      .innerJoin('project', 'project.id', 'project_card.project_id')
      .leftJoin('account', 'account.id', 'project.owner_id')
      .selectAll('project')
      .select('project_card.issue_id')
      .where('project_card.issue_id', 'in', issueIds)
      .where((eb) => eb.or([eb('project.owner_id', 'is', null), visibleTo(viewerIn(viewer).actor)]))
      .orderBy('project.id'),
)

/** Of these ids, the projects that issues of a repository can be in: its own and its current owner's. */
export async function findUsableProjects(
  { db, actor }: Context,
  repositoryId: number,
  ids: readonly number[],
): Promise<ProjectRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('project')
    .leftJoin('account', 'account.id', 'project.owner_id')
    .selectAll('project')
    .where('project.id', 'in', [...ids])
    .where((eb) =>
      eb.or([
        eb('project.repository_id', '=', repositoryId),
        eb.and([
          eb(
            'project.owner_id',
            '=',
            eb
              .selectFrom('repository')
              .select('repository.owner_id')
              .where('repository.id', '=', repositoryId),
          ),
          visibleTo(actor),
        ]),
      ]),
    )
    .orderBy('project.id')
    .execute()
}

/** Deletes the cards that a repository's issues have on boards of an account. */
export async function deleteCardsOfOwner(tx: Tx, repositoryId: number, ownerId: number): Promise<void> {
  await sql`delete from project_card using project
    where project_card.repository_id = ${repositoryId} and project.id = project_card.project_id
      and project.owner_id = ${ownerId}`.execute(tx)
  await sql`delete from project_count using project
    where project_count.repository_id = ${repositoryId} and project.id = project_count.project_id
      and project.owner_id = ${ownerId}`.execute(tx)
}
