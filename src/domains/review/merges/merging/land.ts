/**
 * A pull request lands: a commit is built upon the base as it is, and the base moves to it only if it still is that. What
 * was computed from what is kept with it. If the base moved meanwhile, all of it is done again, so many times.
 */

import { mergePolicy } from '#domains/code/contents'
import { RULES_CHANGED } from '#domains/code/protections'
import { findPullOf, holdPull, markMerged, type PullRow } from '#domains/review/pulls'
import { findRef, HEADS, isAncestor, moveRefs, type PreparedMerge, precededBy } from '#git'
import type { Context, TxContext } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { insertMerge } from '../store.ts'
import type { OwnStyle } from '../tables.ts'
import { build } from './build.ts'
import { assertReady, type MergeTarget, openMergeTarget } from './merge-target.ts'

export interface Order {
  readonly style: OwnStyle
  readonly title: string
  readonly message: string
  /** The head that is meant; empty for whatever it is when it begins. */
  readonly headCommit: string
  readonly isForced: boolean
  readonly isAuto: boolean
}

/** A pull request, and where whoever asks may merge it. */
interface Found {
  readonly pull: PullRow
  readonly target: MergeTarget
  /** As git said; null: git is asked when it is built. */
  readonly mergeability: PullRow['mergeability'] | null
}

/** One attempt: these two commits, under this rule. */
interface Attempt extends Found {
  readonly order: Order
  readonly baseOid: string
  readonly isOutdated: boolean
}

/** Each that fails had another that succeeded before it. */
const TRIES_MAX = 10

/** `found`: what the caller has found out just now. It counts for the first attempt, unless that had to wait. */
export async function land(
  ctx: Context,
  actor: SignedIn,
  pull: PullRow,
  order: Order,
  found?: Found,
): Promise<Found> {
  const { issue_id: issueId, repository_id, base_branch } = pull
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const landed = await ctx.mergeLines.inTurn(`${repository_id}:${base_branch}`, async (hasWaited) => {
      const isFresh = tries === 0 && !hasWaited
      const attempt = await begin(ctx, isFresh && found ? found : await find(ctx, issueId, order), order)
      const hasMoved = await move(ctx, actor, attempt, await build(ctx, actor, attempt))
      return hasMoved ? attempt : undefined
    })
    if (landed !== undefined) return landed
  }
  throw new Problem('conflict', 'base branch was updated concurrently, please try again')
}

async function find(ctx: Context, issueId: number, { style }: Order): Promise<Found> {
  const pull = await getPull(ctx, issueId)
  return { pull, target: await openMergeTarget(ctx, pull, style), mergeability: null }
}

async function begin(ctx: Context, found: Found, order: Order): Promise<Attempt> {
  const { pull, target, mergeability } = found
  const { storage_id } = target.repo
  const base = await findRef(ctx.db, storage_id, HEADS + pull.base_branch)
  if (base === undefined) throw notFound('branch', pull.base_branch)
  const isOutdated = !(await isAncestor(ctx, storage_id, base.oid, pull.head_oid))
  await assertReady(ctx, target, pull, { way: wayOf(order), isOutdated, mergeability })
  if (order.headCommit !== '' && order.headCommit !== pull.head_oid)
    throw new Problem('conflict', 'head commit is not the expected one', { actual: pull.head_oid })
  return { ...found, order, baseOid: base.oid, isOutdated }
}

/** False when the base or its rule is not what it was: then nothing happened. */
async function move(ctx: Context, actor: SignedIn, attempt: Attempt, made: PreparedMerge): Promise<boolean> {
  const { pull, target, baseOid, order } = attempt
  const { repo } = target
  const update = { name: HEADS + pull.base_branch, old: baseOid, new: made.oid, peeled: null }
  const change = { storageId: repo.storage_id, updates: [update], isAtomic: true, written: made.written }
  const policy = mergePolicy(repo, actor, wayOf(order))
  try {
    // Invariant: the issue is locked before what is counted for the repository, as by everybody who changes one.
    const landing = precededBy(policy, (ctx) => mark(ctx, attempt, made))
    const [result] = await moveRefs(ctx, change, landing)
    return result?.refusal === undefined
  } catch (error) {
    if (error !== RULES_CHANGED) throw error
    return false
  }
}

/** The base has moved, in this transaction: everything is asked again. Of another head, `markMerged` knows nothing. */
async function mark(ctx: TxContext, attempt: Attempt, made: PreparedMerge): Promise<void> {
  const { pull, order, baseOid, isOutdated } = attempt
  const held = await holdPull(ctx, pull.issue_id)
  const now = await openMergeTarget(ctx, held.pull, order.style, { issue: held.issue })
  await assertReady(ctx, now, held.pull, { way: wayOf(order), isOutdated })
  const actor = asSignedIn({ ctx })
  const { head_oid, base_branch } = pull
  const landing = { headOid: head_oid, baseBranch: base_branch, mergeCommit: made.oid, isAuto: order.isAuto }
  await markMerged(ctx, held, actor, landing)
  await insertMerge(ctx.db, {
    issue_id: pull.issue_id,
    style: order.style,
    base_oid: baseOid,
    head_oid,
    tree: made.tree,
    merge_commit: made.oid,
    actor_id: actor.id,
    is_auto: order.isAuto,
    created_at: ctx.now(),
  })
}

function wayOf({ isForced }: Order): 'merge' | 'forced merge' {
  return isForced ? 'forced merge' : 'merge'
}

async function getPull(ctx: Context, issueId: number): Promise<PullRow> {
  const pull = await findPullOf(ctx.db, issueId)
  if (pull === undefined) throw notFound('pull request', issueId)
  return pull
}
