/** The default column, for issues added to a project without a column. */
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import type { HeldProject } from '../records/store.ts'
import type { ColumnRow } from '../tables.ts'
import { findColumns, insertColumns, setDefault } from './store.ts'

/** Compat: the title of a default column that is created because there is none. */
const UNCATEGORIZED = 'Uncategorized'

/** If no column is the default, the first becomes it; if there is no column, one is created. */
export async function ensureDefault(ctx: TxContext, project: HeldProject): Promise<ColumnRow> {
  const columns = await findColumns(ctx.db, project)
  const chosen = columns.find(({ is_default }) => is_default)
  if (chosen !== undefined) return chosen
  const [first] = columns
  if (first === undefined) return makeOne(ctx, project)
  await setDefault(ctx.db, project.id, first.id)
  return { ...first, is_default: true }
}

async function makeOne({ db, now, actor }: TxContext, project: HeldProject): Promise<ColumnRow> {
  const times = { created_at: now(), updated_at: now() }
  const row = { project_id: project.id, creator_id: actor?.id ?? null, title: UNCATEGORIZED, color: '' }
  const [made] = await insertColumns(db, [{ ...row, is_default: true, sorting: 0, ...times }])
  return must(made, 'what is inserted is returned')
}
