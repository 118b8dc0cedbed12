/** SQL on labels. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { LabelTemplate } from '#domains/templates'
import type { TxContext } from '#platform/context'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { LabelRow, NewLabelRow } from './tables.ts'

export type LabelOwner = { readonly repository_id: number } | { readonly organization_id: number }

/** The labels of a repository begin with a set that was chosen for it. */
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

/** What was archived in one repository is not archived in another. */
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

async function insertLabels(tx: Tx, rows: readonly NewLabelRow[]): Promise<void> {
  if (rows.length === 0) return
  const labels = await tx
    .insertInto('label')
    .values([...rows])
    .returning('id')
    .execute()
  await tx
    .insertInto('label_count')
    .values(labels.map(({ id }) => ({ label_id: id })))
    .execute()
}

/** In the order of their names; of two with the same name, the older first. */
export function selectLabels(db: Db, owner: LabelOwner) {
  const labels = db.selectFrom('label').selectAll().orderBy(sql`name collate "C"`).orderBy('id')
  return 'repository_id' in owner
    ? labels.where('repository_id', '=', owner.repository_id)
    : labels.where('organization_id', '=', owner.organization_id)
}

export function listLabels(db: Db, owner: LabelOwner, page: Page): Promise<Paged<LabelRow>> {
  return takePage(selectLabels(db, owner), page)
}
