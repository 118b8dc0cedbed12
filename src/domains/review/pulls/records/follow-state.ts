/** Keeps a pull request's state equal to its issue's: open, closed or deleted, whichever code changes it. */

import { getRepository } from '#domains/code/repositories'
import type { IssueEvent } from '#domains/work/issues'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { showPull } from './show-pulls.ts'
import { findPullOf, updatePull } from './store.ts'

export async function followState(ctx: TxContext, event: IssueEvent, isOpen: boolean): Promise<void> {
  if (event.is_pull) await updatePull(ctx.db, event.issue_id, { is_open: isOpen })
}

/** Runs while the rows still exist. */
export async function tellDeleted(ctx: TxContext, event: IssueEvent): Promise<void> {
  const pull = event.is_pull ? await findPullOf(ctx.db, event.issue_id) : undefined
  if (pull === undefined) return
  const { repository_id, issue_id, number, is_pull, actor_id } = event
  const repo = await getRepository(ctx, repository_id)
  const shown = await showPull({ ...ctx, actor: null }, repo, pull)
  await emit(ctx, 'pull.deleted', { repository_id, issue_id, number, is_pull, actor_id, pull: shown })
}
