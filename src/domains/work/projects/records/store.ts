/** SQL on projects. Reads take any handle; writes take a transaction. */
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { Home } from '../open-place.ts'
import type { NewProjectRow, ProjectPatch, ProjectRow } from '../tables.ts'

declare const held: unique symbol
/** A project locked until the transaction ends, together with its columns and cards. */
export interface HeldProject extends ProjectRow {
  readonly [held]: true
}

export function insertProject(tx: Tx, row: NewProjectRow): Promise<ProjectRow> {
  return tx.insertInto('project').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateProject(tx: Tx, id: number, patch: ProjectPatch): Promise<ProjectRow> {
  return tx.updateTable('project').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Its columns and cards are deleted by cascade. */
export async function deleteProjectRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('project').where('id', '=', id).execute()
}

export function findProject(db: Db, home: Home, id: number): Promise<ProjectRow | undefined> {
  return selectIn(db, home).where('id', '=', id).executeTakeFirst()
}

export async function lockProject(tx: Tx, home: Home, id: number): Promise<HeldProject | undefined> {
  const found = await selectIn(tx, home).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return found as HeldProject | undefined
}

/** Invariant: lower ids are locked before higher ones, in every transaction that locks several. */
export async function lockProjects(tx: Tx, ids: readonly number[]): Promise<HeldProject[]> {
  if (ids.length === 0) return []
  const found = await tx
    .selectFrom('project')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return found as ProjectRow[] as HeldProject[]
}

/** Latest first. */
export function selectProjects(db: Db, home: Home, isClosed: boolean | null) {
  const projects = selectIn(db, home).orderBy('id', 'desc')
  return isClosed === null ? projects : projects.where('is_closed', '=', isClosed)
}

export function listProjects(
  db: Db,
  home: Home,
  isClosed: boolean | null,
  page: Page,
): Promise<Paged<ProjectRow>> {
  return takePage(selectProjects(db, home, isClosed), page)
}

function selectIn(db: Db, { owner, repo }: Home) {
  const projects = db.selectFrom('project').selectAll()
  return repo === null
    ? projects.where('owner_id', '=', owner.id)
    : projects.where('repository_id', '=', repo.id)
}
