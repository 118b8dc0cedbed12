/** Edits a pull request: all given fields or none. */

import { getRepository, type Repository } from '#domains/code/repositories'
import { applyChange, applyEdits, beginChange, isDraft, isTheirs } from '#domains/work/issues'
import { emit } from '#events'
import { findRef, HEADS } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import { pullEvent } from '../events.ts'
import type { PullRow } from '../tables.ts'
import { type EditablePull, mayWriteHead, openPull, openPullToEdit, type PullCaller } from './open-pull.ts'
import { type Aim, aimAt, retarget } from './retarget.ts'
import type { EditPull } from './schemas.ts'
import { findBetween, lockPull, updatePull } from './store.ts'

export async function editPull(
  ctx: Context,
  caller: PullCaller,
  number: number,
  input: EditPull,
): Promise<PullRow> {
  const { tracker } = caller
  const { head_oid } = await openPull(ctx, tracker, number)
  const aim = input.base ? await aimAt(ctx, tracker.storage_id, head_oid, input.base) : undefined
  return transact(ctx, async (ctx) => {
    const held = await openPullToEdit(ctx, caller.tracker, number)
    const { repo, issue, mayWrite, pull } = held
    if (input.content_version !== undefined && input.content_version !== issue.content_version)
      throw new Problem('conflict', 'the pull request is already changed')
    const change = beginChange(issue, caller.actor)
    const { title, body, state, due_date, unset_due_date } = input
    const plans = mayWrite ? plansOf(input) : {}
    await applyEdits(ctx, change, caller, repo, { title, body, state, due_date, unset_due_date, ...plans })
    const edited = await applyChange(ctx, change)
    if (isDraft(issue) && !isDraft(edited)) await emit(ctx, 'pull.ready', pullEvent(pull, caller.actor))
    await editBase(ctx, caller, repo, await lockPull(ctx.db, pull.issue_id), aim)
    await editRights(ctx, held, input.allow_maintainer_edit)
    return lockPull(ctx.db, pull.issue_id)
  })
}

/** Compat: an empty assignee and the milestone 0 change nothing here. */
function plansOf({ assignee, assignees, milestone, labels }: EditPull) {
  return {
    assignee: assignee || undefined,
    assignees,
    milestone: milestone || undefined,
    labels,
  }
}

async function editBase(
  ctx: TxContext,
  { actor }: PullCaller,
  repo: Repository,
  pull: PullRow,
  aim: Aim | undefined,
): Promise<void> {
  const branch = aim?.branch
  // Compat: ignored for a merged pull request.
  if (aim === undefined || branch === undefined || branch === pull.base_branch || pull.merged_at !== null)
    return
  if ((await findRef(ctx.db, repo.storage_id, HEADS + branch)) === undefined) throw notFound('branch', branch)
  if (!pull.is_open) throw invalid('pull request is already closed')
  const isOwn = pull.head_repository_id === repo.id && pull.flow === 'branch'
  if (isOwn && pull.head_branch === branch) throw invalid('head and base are the same branch')
  const other =
    pull.head_repository_id === null
      ? undefined
      : await findBetween(ctx.db, {
          repositoryId: repo.id,
          baseBranch: branch,
          headRepositoryId: pull.head_repository_id,
          headBranch: pull.head_branch,
        })
  if (other?.is_open) throw new Problem('conflict', 'pull request already exists', { number: other.number })
  await retarget(ctx, pull, actor, aim)
}

/** Only the author, who must be able to write to the head, may allow maintainer edits. */
async function editRights(
  ctx: TxContext,
  { pull, issue }: EditablePull,
  isAllowed: boolean | undefined,
): Promise<void> {
  if (isAllowed === undefined || isAllowed === pull.allows_maintainer_edit) return
  const head = pull.head_repository_id === null ? null : await getRepository(ctx, pull.head_repository_id)
  if (!isTheirs(ctx, true, issue) || head === null || !mayWriteHead(head))
    throw forbidden('only the author may change who may push to the head branch')
  await updatePull(ctx.db, pull.issue_id, { allows_maintainer_edit: isAllowed })
}
