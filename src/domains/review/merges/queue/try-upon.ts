/** The commit that a queued pull request would land with, made upon another and kept behind a ref, to be tested. */

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

/** Thrown in a transaction about rows that are others by now: nothing is done, and all is looked at again. */
export const OUTDATED = new Problem('conflict', 'merge queue was updated concurrently')

/** Leaves where whoever queued it may not merge it any more, whatever it is built upon. */
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

/** What would keep it from landing whatever its checks say is found out before they run. */
async function open(as: Context, pull: PullRow, { style }: Queued): Promise<MergeTarget> {
  const target = await openMergeTarget(as, pull, style)
  await assertReady(as, target, pull, { way: 'merge', isOutdated: false, checked: null })
  return target
}

/** What is asked of people and rules; whatever else goes wrong is tried again. */
function asRefusal(error: unknown): Problem {
  if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
  return error
}

/**
 * What cannot be built is the fault of this one and never keeps those behind it waiting, also where git is killed because
 * it takes too long. Only a forge that is unavailable, or a node that is stopped, says nothing about it.
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

/** The ref and the row are one: whoever sees what is tested can fetch it. */
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
