/** The repository that a fork was made from: its branches, and its objects in the fork. */
import {
  countChange,
  getRepository,
  type LoneRepository,
  type Repository,
  shareRepository,
} from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findRef, HEADS, sharePacks } from '#git'
import { type Context, transact } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'

/** Refuses a caller who may no longer read the parent. Invariant: a fork is never more visible than its parent. */
export function parentOf(fork: Repository): LoneRepository {
  if (fork.parent_id === null) throw new Problem('malformed', 'repository is not a fork')
  const { parent } = fork
  if (parent === null || !may(parent.access, 'read', 'code'))
    throw forbidden('permission denied to read the base repository')
  return parent
}

export interface UpstreamBranch {
  readonly branch: string
  readonly oid: string
}

/** Compat: if the parent lacks the branch, its default branch is used. */
export async function findUpstream(
  ctx: Context,
  parent: LoneRepository,
  branch: string,
): Promise<UpstreamBranch | undefined> {
  for (const name of [branch, parent.default_branch]) {
    const ref = await findRef(ctx.db, parent.storage_id, HEADS + name)
    if (ref !== undefined) return { branch: name, oid: ref.oid }
  }
  return undefined
}

/** Adds the objects of the parent to the fork. No ref moves. */
export async function shareParent(ctx: Context, fork: Repository): Promise<void> {
  const parent = parentOf(fork)
  await transact(ctx, async (ctx) => {
    // Sharing packs exposes all objects of the parent, so it must be readable now, and the lock keeps it from
    // becoming private.
    await shareRepository(ctx.db, parent.id)
    parentOf(await getRepository(ctx, fork.id))
    const bytes = await sharePacks(ctx, parent.storage_id, fork.storage_id)
    if (bytes > 0) await countChange(ctx, fork.id, { bytes })
  })
}
