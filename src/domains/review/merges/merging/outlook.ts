/** Data of the merge box: the merge conditions, from the same list that refuses a merge. */

import {
  type Condition,
  conditionsOf,
  findMergeRule,
  protectionOf,
  unmetConditions,
} from '#domains/code/protections'
import { getRepository, mergingOf, type Repository, type Visible } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { isBehindBranch, type PullRow, type PullTracker, type SeenPull } from '#domains/review/pulls'
import { openIssue } from '#domains/work/issues'
import { findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { findAuto } from '../auto/store.ts'
import { findEntry } from '../queue/store.ts'
import { mayUpdate } from '../updating/open-head.ts'
import { type ClosedActs, findClosedActs, NO_ACTS } from './closed.ts'
import { findFacts } from './facts.ts'

export interface MergeOutlook {
  /** All conditions that apply, met or not. */
  readonly conditions: readonly Condition[]
  readonly isReady: boolean
  readonly isBehind: boolean
  /** The caller may merge it once it is ready. */
  readonly mayMerge: boolean
  /** The caller may merge it now, bypassing the branch protection. */
  readonly mayForce: boolean
  /** The head is behind the base without conflicts, and the caller may update it. */
  readonly mayUpdate: boolean
  /** The head conflicts with the base, and the caller may commit a merge of the base to it. */
  readonly mayResolve: boolean
  /** Merges when its checks succeed. */
  readonly isScheduled: boolean
  readonly isQueued: boolean
  readonly closed: ClosedActs
}

export async function findOutlook(ctx: Context, repo: PullTracker, pull: SeenPull): Promise<MergeOutlook> {
  const issue = await openIssue(ctx, repo, pull.number)
  const facing = await findMergeRule(ctx, repo, pull.base_branch)
  const tip = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
  const isChecking =
    pull.checked_head_oid !== pull.head_oid ||
    pull.checked_base_oid !== tip?.oid ||
    (pull.is_open && (await isBehindBranch(ctx.db, pull, repo)))
  const isBehind = !isChecking && pull.merge_base !== tip?.oid
  const queued = await findEntry(ctx.db, pull.issue_id)
  const commits =
    queued === undefined
      ? { isOutdated: isChecking ? null : isBehind, checked: pull.head_oid }
      : { isOutdated: false, checked: queued.tested_oid }
  const mergeability = isChecking ? 'checking' : pull.mergeability
  const facts = await findFacts(ctx, { repo, issue }, pull, facing?.rule, { mergeability, ...commits })
  // While mergeability is not known yet, merging is offered: git determines it then.
  const whole = isChecking ? { ...facts, mergeability: null } : facts
  const head = isBehind ? await findMovableHead(ctx, pull, repo) : undefined
  const isConflicting = pull.mergeability === 'conflict'
  const isWriter = may(repo.access, 'write', 'code') && !repo.access.archived && !repo.is_mirror
  return {
    conditions: conditionsOf(facing?.rule, facts),
    isReady: unmetConditions(facing?.rule, facts).length === 0,
    isBehind,
    mayMerge: isWriter && facing?.mayMerge !== false,
    mayForce: isWriter && facing?.mayBypass === true && unmetConditions(undefined, whole).length === 0,
    mayUpdate: head !== undefined && !isConflicting,
    mayResolve:
      head !== undefined &&
      isConflicting &&
      mergingOf(repo).allow_merge_update &&
      !(await isGuarded(ctx, head, pull.head_branch)),
    isScheduled: (await findAuto(ctx.db, pull.issue_id)) !== undefined,
    isQueued: queued !== undefined,
    closed: pull.is_open ? NO_ACTS : await findClosedActs(ctx, repo, pull),
  }
}

/** The repository of the head branch, if the caller may move that branch by a merge or rebase of the base. */
async function findMovableHead(
  ctx: Context,
  pull: PullRow,
  base: Repository,
): Promise<Repository | undefined> {
  if (!pull.is_open || base.access.archived) return undefined
  if (pull.head_repository_id === null || pull.flow !== 'branch') return undefined
  const head = pull.head_repository_id === base.id ? base : await getRepository(ctx, pull.head_repository_id)
  return mayUpdate(pull, base, head) && !head.is_mirror ? head : undefined
}

/** Whether branch protection refuses a push of the caller. */
async function isGuarded(ctx: Context, head: Repository, branch: string): Promise<boolean> {
  const protections = await protectionOf(ctx, head as Visible, [branch])
  const shown = protections.get(branch)
  return shown?.protected === true && !shown.user_can_push
}
