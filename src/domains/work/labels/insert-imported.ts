/** Inserts imported labels with their repository. */
import type { TxContext } from '#platform/context'
import { insertLabels } from './store.ts'
import type { LabelRow } from './tables.ts'

export type ImportedLabel = Pick<LabelRow, 'name' | 'color' | 'description' | 'is_exclusive' | 'archived_at'>

/** Adds their ids to `ids` by name; of labels with the same name, the first. */
export async function insertImportedLabels(
  ctx: TxContext,
  repositoryId: number,
  labels: readonly ImportedLabel[],
  ids: Map<string, number>,
): Promise<void> {
  const owner = { repository_id: repositoryId, organization_id: null }
  const times = { created_at: ctx.now(), updated_at: ctx.now() }
  const made = await insertLabels(
    ctx.db,
    labels.map((label) => ({ ...owner, ...label, ...times })),
  )
  for (const { id, name } of made) if (!ids.has(name)) ids.set(name, id)
}
