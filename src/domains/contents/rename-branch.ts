/** Giving a branch another name. The default branch stays the default branch. */
import { may } from '#domains/access'
import { protectionOf } from '#domains/protections'
import { setDefaultBranch } from '#domains/repositories'
import { emit } from '#events'
import { commitRefs, findRef, isRefName, type RefsChange, setHead, zeroOid } from '#git'
import type { Context } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import { getRef } from './branches.ts'
import { BRANCHES, countMoved } from './count-moved.ts'
import { committing } from './move-refs.ts'
import type { Workshop } from './open-code.ts'

export async function renameBranch(
  ctx: Context,
  workshop: Workshop,
  name: string,
  newName: string,
): Promise<void> {
  const { repo, actor } = workshop
  if (!isRefName(BRANCHES + newName)) throw invalid('not a name for a branch')
  const ref = await getRef(ctx, repo, name)
  const isDefault = name === repo.default_branch
  if (isDefault && !may(repo.access, 'admin'))
    throw forbidden('the default branch is renamed by administrators')
  if (await findRef(ctx.db, repo.storage_id, BRANCHES + newName))
    throw invalid('a branch has this name already')
  const zero = zeroOid(repo.object_format)
  const updates = [
    { name: BRANCHES + newName, old: zero, new: ref.oid, peeled: null },
    { name: ref.name, old: ref.oid, new: zero, peeled: null },
  ]
  const change = { storageId: repo.storage_id, updates, isAtomic: true, packs: [] }
  const results = isDefault
    ? await renameDefault(ctx, workshop, name, newName, change)
    : await committing(repo, actor)(ctx, change)
  const refusal = results.find((it) => it.refusal !== undefined)?.refusal
  if (refusal !== undefined) throw new Problem('conflict', refusal)
}

/** The one way in which a default branch may go: another takes its place in the same transaction. */
async function renameDefault(
  ctx: Context,
  { repo, actor }: Workshop,
  name: string,
  newName: string,
  change: RefsChange,
) {
  const protections = await protectionOf(ctx, repo, [name, newName])
  if ([...protections.values()].some((it) => it.protected)) throw forbidden('the branch is protected')
  return commitRefs(ctx, change, async (ctx, storage, done) => {
    await countMoved(ctx, repo.id, storage, change, done)
    await setHead(ctx.db, storage.id, BRANCHES + newName)
    await setDefaultBranch(ctx, repo.id, newName)
    const updates = done.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
    const told = { repository_id: repo.id, actor_id: actor.id, deploy_key_id: null, updates }
    await emit(ctx, 'push.received', told)
  })
}
