/** A pull request is open as long as its issue is, whoever closes it and however. */
import type { IssueEvent } from '#domains/issues'
import type { TxContext } from '#platform/context'
import { updatePull } from './store.ts'

export async function followState(ctx: TxContext, event: IssueEvent, isOpen: boolean): Promise<void> {
  if (event.is_pull) await updatePull(ctx.db, event.issue_id, { is_open: isOpen })
}
