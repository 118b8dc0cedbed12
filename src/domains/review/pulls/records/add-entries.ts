/** Adds timeline entries to a pull request, which also updates it. */
import { applyChange, beginChange, findIssuesById, type NewEntry } from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import type { SignedIn } from '#platform/rest'
import type { PullRow } from '../tables.ts'

/** The caller holds the issue lock. */
export async function addEntries(
  ctx: TxContext,
  pull: PullRow,
  actor: SignedIn,
  entries: readonly NewEntry[],
): Promise<void> {
  const [issue] = await findIssuesById(ctx.db, [pull.issue_id])
  const change = beginChange(must(issue, 'a pull request has an issue'), actor)
  change.entries.push(...entries)
  await applyChange(ctx, change)
}
