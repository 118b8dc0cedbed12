/** Entries that belong to something else go with it: the remarks of a review. */
import type { TxContext } from '#platform/context'
import { neuterReferencesOf } from '../references/store.ts'
import type { IssueRow } from '../tables.ts'
import { countComments, deleteEntries } from '../timeline/store.ts'

/** The issue is locked. `counted`: how many of them count as its comments. */
export async function retractEntries(
  ctx: TxContext,
  issue: Pick<IssueRow, 'id'>,
  ids: readonly number[],
  counted: number,
): Promise<void> {
  await neuterReferencesOf(ctx.db, ids)
  await deleteEntries(ctx.db, ids)
  if (counted > 0) await countComments(ctx.db, issue, -counted, ctx.now())
}
