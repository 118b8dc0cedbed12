/** Giving a branch another name. The default branch stays the default branch, and a rule for one branch goes with it. */
import { may } from '#domains/access'
import { protectionOf, renameBranchRule } from '#domains/protections'
import { setDefaultBranch } from '#domains/repositories'
import { emit } from '#events'
import { commitRefs, findRef, isRefName, type RefResult, type RefsChange, setHead, zeroOid } from '#git'
import type { Context } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import { getRef } from './branches.ts'
import { BRANCHES, countMoved } from './count-moved.ts'
import { committing } from './move-refs.ts'
import type { Workshop } from './open-code.ts'

interface Renaming {
  readonly name: string
  readonly newName: string
  readonly change: RefsChange
}

export async function renameBranch(
  ctx: Context,
  workshop: Workshop,
  name: string,
  newName: string,
): Promise<void> {
  const { repo, actor } = workshop
  if (!isRefName(BRANCHES + newName)) throw invalid('not a name for a branch')
  const ref = await getRef(ctx, repo, name)
  const isGuarded = await isLedByAdmins(ctx, workshop, name, newName)
  if (await findRef(ctx.db, repo.storage_id, BRANCHES + newName))
    throw invalid('a branch has this name already')
  const zero = zeroOid(repo.object_format)
  const updates = [
    { name: BRANCHES + newName, old: zero, new: ref.oid, peeled: null },
    { name: ref.name, old: ref.oid, new: zero, peeled: null },
  ]
  const change = { storageId: repo.storage_id, updates, isAtomic: true }
  const results = isGuarded
    ? await renameGuarded(ctx, workshop, { name, newName, change })
    : await committing(repo, actor)(ctx, change)
  const refusal = results.find((it) => it.refusal !== undefined)?.refusal
  if (refusal !== undefined) throw new Problem('conflict', refusal)
}

/** Compat: the default branch, and a branch with a rule of its own, are renamed by administrators and nobody else. */
async function isLedByAdmins(
  ctx: Context,
  { repo }: Workshop,
  name: string,
  newName: string,
): Promise<boolean> {
  const protections = await protectionOf(ctx, repo, [name, newName])
  const [old, next] = [protections.get(name), protections.get(newName)]
  if (!old?.protected && name !== repo.default_branch) return false
  if (!may(repo.access, 'admin'))
    throw forbidden('default and protected branches are renamed by administrators')
  const hasOwnRule = !old?.protected || old.effective_branch_protection_name === name
  if (!hasOwnRule) throw forbidden('the branch is protected by a pattern')
  if (next?.protected && !next.user_can_push) throw forbidden('a branch of this name would be protected')
  return true
}

/** The one way in which a default or protected branch may go: another takes its place in the same transaction. */
function renameGuarded(
  ctx: Context,
  { repo, actor }: Workshop,
  { name, newName, change }: Renaming,
): Promise<RefResult[]> {
  return commitRefs(ctx, change, async (ctx, storage, done) => {
    await countMoved(ctx, repo.id, storage, change, done)
    await renameBranchRule(ctx.db, repo.id, name, newName)
    if (name === repo.default_branch) {
      await setHead(ctx.db, storage.id, BRANCHES + newName, ctx.now())
      await setDefaultBranch(ctx, repo.id, newName)
    }
    const updates = done.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
    const told = { repository_id: repo.id, actor_id: actor.id, deploy_key_id: null, updates }
    await emit(ctx, 'push.received', told)
  })
}
