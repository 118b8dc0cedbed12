/** SQL on milestones. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Paged, Tx } from '#platform/db'
import { PagedStatement, Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import type { MilestonePatch, MilestoneRow, NewMilestoneRow } from './tables.ts'

export interface MilestoneFilter {
  readonly isClosed: boolean | null
  /** In lower case. */
  readonly titlePart?: string | undefined
}

export async function insertMilestone(tx: Tx, row: NewMilestoneRow): Promise<MilestoneRow> {
  const milestone = await tx.insertInto('milestone').values(row).returningAll().executeTakeFirstOrThrow()
  await tx.insertInto('milestone_count').values({ milestone_id: milestone.id }).execute()
  return { ...milestone, open_issues: 0, closed_issues: 0 }
}

export async function updateMilestone(tx: Tx, id: number, patch: MilestonePatch): Promise<void> {
  await tx.updateTable('milestone').set(patch).where('id', '=', id).execute()
}

/** Its issues lose their milestone. */
export async function deleteMilestoneRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('milestone').where('id', '=', id).execute()
}

function selectAll(db: Db) {
  return db
    .selectFrom('milestone')
    .innerJoin('milestone_count', 'milestone_count.milestone_id', 'milestone.id')
    .selectAll('milestone')
    .select(['milestone_count.open_issues', 'milestone_count.closed_issues'])
}

export function findMilestone(db: Db, repositoryId: number, id: number): Promise<MilestoneRow | undefined> {
  return selectAll(db)
    .where('milestone.repository_id', '=', repositoryId)
    .where('milestone.id', '=', id)
    .executeTakeFirst()
}

/** Of milestones with the same title, the oldest. */
export function findByTitle(db: Db, repositoryId: number, title: string): Promise<MilestoneRow | undefined> {
  return selectAll(db)
    .where('milestone.repository_id', '=', repositoryId)
    .where('milestone.title', '=', title)
    .orderBy('milestone.id')
    .limit(1)
    .executeTakeFirst()
}

/** Changes of a milestone and its counters are serialized by this lock. */
export async function lockMilestone(tx: Tx, repositoryId: number, id: number): Promise<boolean> {
  const found = await tx
    .selectFrom('milestone')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

export async function findMilestones(db: Db, ids: readonly number[]): Promise<Map<number, MilestoneRow>> {
  if (ids.length === 0) return new Map()
  const rows = await BY_IDS.rows(db, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.id, row]))
}

const BY_IDS = new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
  selectAll(db).where('milestone.id', 'in', ids),
)

/** By case-insensitive title, or by id. */
export async function findMilestoneIds(
  db: Db,
  repositoryId: number,
  names: readonly string[],
): Promise<number[]> {
  const keys = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('milestone')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where(sql<boolean>`(lower(title) = any(${keys}::text[]) or id::text = any(${keys}::text[]))`)
    .execute()
  return rows.map(({ id }) => id)
}

/** By due date, those without one first; then by title. */
export function selectMilestones(db: Db, repositoryId: number, filter: MilestoneFilter) {
  let milestones = selectAll(db).where('milestone.repository_id', '=', repositoryId)
  if (filter.isClosed !== null) milestones = milestones.where('milestone.is_closed', '=', filter.isClosed)
  if (filter.titlePart !== undefined)
    milestones = milestones.where(sql<boolean>`strpos(lower(milestone.title), ${filter.titlePart}) > 0`)
  return milestones
    .orderBy(sql`milestone.due_at nulls first`)
    .orderBy(sql`milestone.title collate "C"`)
    .orderBy('milestone.id')
}

export function listMilestones(
  db: Db,
  repositoryId: number,
  filter: MilestoneFilter,
  page: Page,
): Promise<Paged<MilestoneRow>> {
  return LISTED.take(db, { ...filter, repositoryId }, page)
}

const LISTED = new PagedStatement(
  (db: Db, { repositoryId, ...filter }: MilestoneFilter & { repositoryId: number }) =>
    selectMilestones(db, repositoryId, filter),
)
