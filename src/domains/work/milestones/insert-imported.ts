/** Inserts imported milestones with their repository. */
import type { TxContext } from '#platform/context'
import { insertMilestone } from './store.ts'
import type { NewMilestoneRow } from './tables.ts'

export type ImportedMilestone = Omit<NewMilestoneRow, 'repository_id'>

/** Adds their ids to `ids` by title; of milestones with the same title, the first. */
export async function insertImportedMilestones(
  { db }: TxContext,
  repositoryId: number,
  milestones: readonly ImportedMilestone[],
  ids: Map<string, number>,
): Promise<void> {
  for (const milestone of milestones) {
    const { id, title } = await insertMilestone(db, { ...milestone, repository_id: repositoryId })
    if (!ids.has(title)) ids.set(title, id)
  }
}
