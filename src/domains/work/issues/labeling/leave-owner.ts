/** Removes the organization's labels from the issues of a repository that is transferred away. */
import { countLabels } from '#domains/work/labels'
import type { TxContext } from '#platform/context'
import { deleteLabelsOfOwner } from './store.ts'

export async function leaveLabelsBehind(
  { db }: TxContext,
  { repository_id, old_owner_id }: { readonly repository_id: number; readonly old_owner_id: number },
): Promise<void> {
  const left = await deleteLabelsOfOwner(db, repository_id, old_owner_id)
  const uses = [...Map.groupBy(left, ({ label_id }) => label_id)].sort(([a], [b]) => a - b)
  for (const [id, rows] of uses) {
    const closed = rows.filter(({ is_closed }) => is_closed).length
    await countLabels(db, [id], { issues: -rows.length, closed_issues: -closed })
  }
}
