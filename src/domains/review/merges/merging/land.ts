/**
 * Merges a pull request: builds a commit on the current base and moves the base to it by compare-and-swap. Base, head
 * and tree are stored with the merge. If the base moved meanwhile, starts over, up to `TRIES_MAX` times.
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
  /** The expected head; empty: the current head. */
  readonly headCommit: string
  readonly isForced: boolean
  readonly isAuto: boolean
}

/** A pull request that the caller may merge, and where. */
interface Found {
  readonly pull: PullRow
  readonly target: MergeTarget
  /** null: git determines it when the commit is built. */
  readonly mergeability: PullRow['mergeability'] | null
}

/** One attempt: a fixed base and head, under one rule. */
interface Attempt extends Found {
  readonly order: Order
  readonly baseOid: string
  readonly isOutdated: boolean
}

/** Each failed attempt lost to another merge or push that succeeded. */
const TRIES_MAX = 10

/** `found`: what the caller loaded just now; used for the first attempt, unless it had to wait. */
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

/** False, with nothing changed, if the base or its rule changed meanwhile. */
async function move(ctx: Context, actor: SignedIn, attempt: Attempt, made: PreparedMerge): Promise<boolean> {
  const { pull, target, baseOid, order } = attempt
  const { repo } = target
  const update = { name: HEADS + pull.base_branch, old: baseOid, new: made.oid, peeled: null }
  const change = { storageId: repo.storage_id, updates: [update], isAtomic: true, written: made.written }
  const policy = mergePolicy(repo, actor, wayOf(order))
  try {
    // Invariant: the issue is locked before the repository's counters, as in every change of an issue.
    const landing = precededBy(policy, (ctx) => mark(ctx, attempt, made))
    const [result] = await moveRefs(ctx, change, landing)
    return result?.refusal === undefined
  } catch (error) {
    if (error !== RULES_CHANGED) throw error
    return false
  }
}

/** Runs in the transaction that moves the base, and checks all conditions again; `markMerged` refuses another head. */
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
