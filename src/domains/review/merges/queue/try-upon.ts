/** Builds the commit a queued pull request would become on a given parent, and keeps it under a ref for testing. */

import type { Repository } from '#domains/code/repositories'
import { actAs } from '#domains/people/users'
import { findPullOf, type PullRow, pullEvent } from '#domains/review/pulls'
import { emit } from '#events'
import { allowing, findRef, GitFailure, isBeyondGit, moveRefs, type PreparedMerge, zeroOid } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { build } from '../merging/build.ts'
import { assertReady, type MergeTarget, openMergeTarget } from '../merging/merge-target.ts'
import { reasonOf } from '../merging/refusals.ts'
import type { TestedEvent } from './events.ts'
import { expel } from './leave.ts'
import { queueRef } from './refs.ts'
import { type Queued, updateTrial } from './store.ts'

export interface Place {
  readonly repo: Repository
  readonly branch: string
}

/** Thrown in a transaction whose rows changed meanwhile: it rolls back, and the queue is read again. */
export const OUTDATED = new Problem('conflict', 'merge queue was updated concurrently')

/** Removes the entry if the user who queued it may not merge it any more. */
export async function tryUpon(ctx: Context, place: Place, entry: Queued, parent: string): Promise<void> {
  const as = await actAs(ctx, entry.actor_id)
  const pull = await findPullOf(ctx.db, entry.issue_id)
  if (pull === undefined) return
  if (as === undefined) return expel(ctx, entry, 'user may not act any more')
  const target = await open(as, pull, entry).catch(asRefusal)
  if (target instanceof Problem) return expel(ctx, entry, reasonOf(target))
  const plan = { pull: { ...pull, head_oid: entry.head_oid }, target, baseOid: parent, order: entry }
  const made = await build(as, asSignedIn({ ctx: as }), plan).catch((error: unknown) => asFault(ctx, error))
  try {
    if (typeof made === 'string') await transact(ctx, (ctx) => noteFault(ctx, entry, parent, made))
    else await keep(ctx, place, { entry, pull, parent, made })
  } catch (error) {
    if (error !== OUTDATED) throw error
  }
}

/** Checks every condition but status checks before tests run, so that no test runs for nothing. */
async function open(as: Context, pull: PullRow, { style }: Queued): Promise<MergeTarget> {
  const target = await openMergeTarget(as, pull, style)
  await assertReady(as, target, pull, { way: 'merge', isOutdated: false, checked: null })
  return target
}

/** Returns refusals by permissions and rules; rethrows any other error, so that the job is retried. */
function asRefusal(error: unknown): Problem {
  if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
  return error
}

/**
 * A build failure is attributed to this entry and never blocks those behind it, also if git is killed for taking too
 * long. Only an unavailable forge or a stopping node says nothing about the entry, so the job is retried.
 */
function asFault({ signal }: Context, error: unknown): string {
  if (isBeyondGit(error)) return 'git could not merge it'
  if (error instanceof GitFailure && !signal.aborted) return 'git could not merge it in time'
  return asRefusal(error).message
}

async function noteFault(ctx: TxContext, entry: Queued, parent: string, fault: string): Promise<void> {
  const trial = { parent_oid: parent, tested_oid: null, tested_tree: null, fault, tested_at: ctx.now() }
  if (!(await updateTrial(ctx.db, entry.id, trial))) throw OUTDATED
}

interface Kept {
  readonly entry: Queued
  readonly pull: PullRow
  readonly parent: string
  readonly made: PreparedMerge
}

/** Ref and row change in one transaction: a client that sees the tested commit can fetch it. */
async function keep(
  ctx: Context,
  { repo, branch }: Place,
  { entry, pull, parent, made }: Kept,
): Promise<void> {
  const ref = queueRef(entry.number)
  const old = (await findRef(ctx.db, repo.storage_id, ref))?.oid ?? zeroOid(repo.object_format)
  const update = { name: ref, old, new: made.oid, peeled: null }
  const { oid: tested_oid, tree: tested_tree, written } = made
  await moveRefs(
    ctx,
    { storageId: repo.storage_id, updates: [update], isAtomic: true, written },
    allowing(async (ctx) => {
      const trial = { parent_oid: parent, tested_oid, tested_tree, fault: null, tested_at: ctx.now() }
      if (!(await updateTrial(ctx.db, entry.id, trial))) throw OUTDATED
      const told = { base_branch: branch, ref, sha: tested_oid }
      const event: TestedEvent = { ...pullEvent(pull, { id: entry.actor_id }), ...told }
      await emit(ctx, 'queue.tested', event)
    }),
  )
}
