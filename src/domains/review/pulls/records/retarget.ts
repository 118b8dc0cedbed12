/** Changes the base branch of a pull request. */
import { deleteEntries } from '#domains/work/issues'
import { emit } from '#events'
import { findRef, HEADS, listOids, type StorageId } from '#git'
import type { Context, TxContext } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import { pullEvent } from '../events.ts'
import { pushedBody } from '../heads/pushed.ts'
import type { PullRow } from '../tables.ts'
import { addEntries } from './add-entries.ts'
import { updatePull } from './store.ts'

/** The commits a pull request has over a base branch, computed by git before the transaction. */
export interface Aim {
  readonly branch: string
  readonly commits: readonly string[]
}

/** A missing branch is refused later, where it is set. */
export async function aimAt(ctx: Context, storageId: StorageId, head: string, branch: string): Promise<Aim> {
  const tip = await findRef(ctx.db, storageId, HEADS + branch)
  if (tip === undefined) return { branch, commits: [] }
  await using lease = await ctx.cache.lease(ctx, storageId)
  return { branch, commits: await listOids(ctx, lease.path, { heads: [head], known: [tip.oid] }) }
}

/** The caller holds the locks of pull request and issue. Compat: push entries in the timeline are replaced. */
export async function retarget(
  ctx: TxContext,
  pull: PullRow,
  actor: SignedIn,
  { branch, commits }: Aim,
): Promise<PullRow> {
  const old_ref = pull.base_branch
  const changed = await updatePull(ctx.db, pull.issue_id, { base_branch: branch })
  const payload = { old_ref, new_ref: branch }
  await deleteEntries(ctx, pull.issue_id, 'pull_push')
  await addEntries(ctx, pull, actor, [
    { kind: 'change_target_branch', payload },
    { kind: 'pull_push', body: pushedBody(false, commits) },
  ])
  await emit(ctx, 'pull.retargeted', { ...pullEvent(pull, actor), old_base: old_ref, new_base: branch })
  return changed
}
