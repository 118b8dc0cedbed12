/** Deletes timeline entries that belong to another record, such as the comments of a review. */
import type { TxContext } from '#platform/context'
import { neuterReferencesOf } from '../references/store.ts'
import type { IssueRow } from '../tables.ts'
import { deleteEntries, recountComments } from '../timeline/store.ts'

/** The caller holds the issue lock. */
export async function retractEntries(
  ctx: TxContext,
  issue: Pick<IssueRow, 'id'>,
  ids: readonly number[],
): Promise<void> {
  await neuterReferencesOf(ctx.db, ids)
  await deleteEntries(ctx.db, ids)
  await recountComments(ctx.db, issue)
}
