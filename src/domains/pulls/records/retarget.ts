/** Another base: the same commits are to land on another branch. */
import { insertEntries } from '#domains/issues'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import { pullEvent } from '../events.ts'
import type { PullRow } from '../tables.ts'
import { updatePull } from './store.ts'

/** The pull request and its issue are locked. */
export async function retarget(
  ctx: TxContext,
  pull: PullRow,
  actor: SignedIn,
  branch: string,
): Promise<PullRow> {
  const old_ref = pull.base_branch
  const changed = await updatePull(ctx.db, pull.issue_id, { base_branch: branch, mergeability: 'checking' })
  const place = { id: pull.issue_id, repository_id: pull.repository_id }
  const payload = { old_ref, new_ref: branch }
  await insertEntries(ctx, place, actor, [{ kind: 'change_target_branch', payload }])
  await emit(ctx, 'pull.retargeted', { ...pullEvent(pull, actor), old_base: old_ref, new_base: branch })
  return changed
}
