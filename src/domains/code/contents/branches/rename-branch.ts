/** Renames a branch. The default branch stays the default branch, and a rule for this one branch is renamed with it. */

import { protectionOf, RULES_CHANGED, renameBranchRule } from '#domains/code/protections'
import {
  type CanWrite,
  openToWrite,
  refsMoved,
  setDefaultBranch,
  withFollowers,
} from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { allowing, findRef, HEADS, isRefName, moveRefs, type RefPolicy, setHead, zeroOid } from '#git'
import type { Context } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import type { CodeWrite } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import { getRef } from './branches.ts'

export async function renameBranch(
  ctx: Context,
  workshop: CodeWrite,
  name: string,
  newName: string,
): Promise<void> {
  const { repo, actor } = workshop
  if (!isRefName(HEADS + newName)) throw invalid('not a valid branch name')
  const ref = await getRef(ctx, repo, name)
  const isGuarded = await isLedByAdmins(ctx, repo, name, newName)
  if (await findRef(ctx.db, repo.storage_id, HEADS + newName)) throw invalid('branch already exists')
  const zero = zeroOid(repo.object_format)
  const updates = [
    { name: HEADS + newName, old: zero, new: ref.oid, peeled: null },
    { name: ref.name, old: ref.oid, new: zero, peeled: null },
  ]
  const change = { storageId: repo.storage_id, updates, isAtomic: true }
  const renamed = { from: name, to: newName }
  const policy = isGuarded
    ? withFollowers(guardedPolicy(workshop, name, newName), {
        repositoryId: repo.id,
        actorId: actor.id,
        pusherId: actor.id,
        renamed,
      })
    : codePolicy(repo, actor, 'api', renamed)
  const results = await moveRefs(ctx, change, policy)
  const refusal = results.find((it) => it.refusal !== undefined)?.refusal
  if (refusal !== undefined) throw new Problem('conflict', refusal)
}

/** Compat: only administrators may rename the default branch and a branch with a rule of its own. */
async function isLedByAdmins(
  ctx: Context,
  repo: CanWrite<'code'>,
  name: string,
  newName: string,
): Promise<boolean> {
  const protections = await protectionOf(ctx, repo, [name, newName])
  const [old, next] = [protections.get(name), protections.get(newName)]
  if (!old?.protected && name !== repo.default_branch) return false
  if (!may(repo.access, 'admin'))
    throw forbidden('must be an administrator to rename a default or protected branch')
  const hasOwnRule = !old?.protected || old.effective_branch_protection_name === name
  if (!hasOwnRule) throw forbidden('branch is protected by a glob pattern')
  if (next?.protected && !next.user_can_push) throw forbidden('new branch name is protected')
  return true
}

/** The only way to remove a default or protected branch: the new name replaces it in the same transaction. */
function guardedPolicy({ repo, actor }: CodeWrite, name: string, newName: string): RefPolicy {
  return allowing(async (ctx, moved) => {
    const by = { repository_id: repo.id, actor_id: actor.id, deploy_key_id: null }
    await refsMoved(ctx, moved, { cause: 'api', ...by })
    // Updating the counters has locked the repository, and with it the rules.
    const now = await openToWrite(ctx, { owner: repo.owner.login, repo: repo.name }, 'code')
    if (!(await isLedByAdmins(ctx, now, name, newName))) throw RULES_CHANGED
    await renameBranchRule(ctx.db, repo.id, name, newName)
    if (name !== repo.default_branch) return
    await setHead(ctx.db, moved.storage.id, HEADS + newName, ctx.now())
    await setDefaultBranch(ctx, repo.id, newName)
  })
}
