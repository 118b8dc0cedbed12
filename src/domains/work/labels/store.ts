/** SQL on labels. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { LabelTemplate } from '#domains/instance/templates'
import type { TxContext } from '#platform/context'
import type { Db, Paged, Tx } from '#platform/db'
import { PagedStatement, Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import type { LabelPatch, LabelRow, NewLabelRow } from './tables.ts'

export type LabelOwner = { readonly repository_id: number } | { readonly organization_id: number }

/** Adds the label set chosen for a new repository. */
export async function addLabelSet(
  ctx: TxContext,
  repositoryId: number,
  labels: readonly LabelTemplate[],
): Promise<void> {
  const times = { archived_at: null, created_at: ctx.now(), updated_at: ctx.now() }
  const owner = { repository_id: repositoryId, organization_id: null }
  await insertLabels(
    ctx.db,
    labels.map(({ exclusive, ...label }) => ({ ...owner, ...label, is_exclusive: exclusive, ...times })),
  )
}

/** Archived labels are copied as active. */
export async function copyLabels(ctx: TxContext, fromId: number, toId: number): Promise<void> {
  const now = ctx.now()
  const rows = await ctx.db
    .selectFrom('label')
    .select(['name', 'color', 'description', 'is_exclusive'])
    .where('repository_id', '=', fromId)
    .orderBy('id')
    .execute()
  const owner = { repository_id: toId, organization_id: null }
  const times = { archived_at: null, created_at: now, updated_at: now }
  await insertLabels(
    ctx.db,
    rows.map((row) => ({ ...owner, ...row, ...times })),
  )
}

export async function insertLabel(tx: Tx, row: NewLabelRow): Promise<LabelRow> {
  const label = await tx.insertInto('label').values(row).returningAll().executeTakeFirstOrThrow()
  await tx.insertInto('label_count').values({ label_id: label.id }).execute()
  return label
}

export async function insertLabels(tx: Tx, rows: readonly NewLabelRow[]): Promise<LabelRow[]> {
  if (rows.length === 0) return []
  const labels = await tx
    .insertInto('label')
    .values([...rows])
    .returningAll()
    .execute()
  await tx
    .insertInto('label_count')
    .values(labels.map(({ id }) => ({ label_id: id })))
    .execute()
  return labels
}

export function updateLabel(tx: Tx, id: number, patch: LabelPatch): Promise<LabelRow> {
  return tx.updateTable('label').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteLabelRow(tx: Tx, owner: LabelOwner, id: number): Promise<void> {
  await tx
    .deleteFrom('label')
    .where('id', '=', id)
    .where('id', 'in', selectOwned(tx, owner).select('id').where('id', '=', id))
    .execute()
}

export function lockLabel(tx: Tx, owner: LabelOwner, id: number): Promise<LabelRow | undefined> {
  return selectOwned(tx, owner).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** By id if numeric, else by name; of labels with the same name, the oldest. */
export function findLabel(db: Db, owner: LabelOwner, key: string): Promise<LabelRow | undefined> {
  const labels = selectOwned(db, owner).selectAll()
  const found = /^\d{1,15}$/.test(key)
    ? labels.where('id', '=', Number(key))
    : labels.where(sql<boolean>`name collate "C" = ${key}`)
  return found.orderBy('id').limit(1).executeTakeFirst()
}

/** By name, ascending or descending; on equal names, by id. */
export function selectLabels(db: Db, owner: LabelOwner, order: 'asc' | 'desc' = 'asc') {
  return selectOwned(db, owner).selectAll().orderBy(sql`name collate "C"`, order).orderBy('id', order)
}

function selectOwned(db: Db, owner: LabelOwner) {
  const labels = db.selectFrom('label')
  return 'repository_id' in owner
    ? labels.where('repository_id', '=', owner.repository_id)
    : labels.where('organization_id', '=', owner.organization_id)
}

/** By id, of any owner. */
export async function findLabels(db: Db, ids: readonly number[]): Promise<Map<number, LabelRow>> {
  if (ids.length === 0) return new Map()
  const rows = await BY_IDS.rows(db, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.id, row]))
}

const BY_IDS = new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('label').selectAll().where('id', 'in', ids),
)

export function listLabels(
  db: Db,
  owner: LabelOwner,
  order: 'asc' | 'desc',
  page: Page,
): Promise<Paged<LabelRow>> {
  return LISTED.take(db, { ...owner, isReversed: order === 'desc' }, page)
}

const LISTED = new PagedStatement((db: Db, { isReversed, ...owner }: LabelOwner & { isReversed: boolean }) =>
  selectLabels(db, owner, isReversed ? 'desc' : 'asc'),
)

/** Counts labels that were added to or removed from an issue. Invariant: lower ids are locked before higher ones. */
export async function countLabels(
  tx: Tx,
  ids: readonly number[],
  by: { readonly issues: number; readonly closed_issues: number },
): Promise<void> {
  if (ids.length === 0) return
  await sql`update label_count set issues = issues + ${by.issues}, closed_issues = closed_issues + ${by.closed_issues}
    where label_id in (select label_id from label_count where label_id = any(${[...ids]}::bigint[])
      order by label_id for update)`.execute(tx)
}
