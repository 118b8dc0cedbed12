/**
 * Merges a tested batch: the base moves to the last of a chain of commits that all passed. One compare-and-swap in one
 * transaction, in which every pull request is checked again as for a single merge, and marked.
 */
import { mergePolicy } from '#domains/code/contents'
import { RULES_CHANGED } from '#domains/code/protections'
import { actAs } from '#domains/people/users'
import { findPullOf, holdPull, markMerged } from '#domains/review/pulls'
import { lockIssues } from '#domains/work/issues'
import {
  type Decision,
  HEADS,
  moveRefs,
  type OpenObjects,
  type RefPolicy,
  type RefUpdate,
  zeroOid,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import { asSignedIn } from '#platform/rest'
import { assertReady, openMergeTarget } from '../merging/merge-target.ts'
import { reasonOf, refusal } from '../merging/refusals.ts'
import { insertMerge } from '../store.ts'
import { expel } from './leave.ts'
import { queueRef } from './refs.ts'
import { deleteEntries, lockEntries, type Queued } from './store.ts'
import { OUTDATED, type Place } from './try-upon.ts'

export const LANDED_JOB = 'merges-queue-landed'

/** Whether to delete the head branch of a merged pull request. */
export interface LandedOrder {
  readonly issue_id: number
  readonly actor_id: number
  readonly deletes_branch: boolean | null
}

/** One entry of the batch, with the context of the user who queued it. */
interface Step {
  readonly entry: Queued
  readonly as: Context
  readonly policy: RefPolicy
  readonly update: RefUpdate
  readonly tree: string
}

/** Thrown for an entry that must not be merged: nothing is merged, and the entry is removed from the queue. */
class Unfit extends Error {
  readonly entry: Queued
  readonly reason: string

  constructor(entry: Queued, reason: string) {
    super(reason)
    this.entry = entry
    this.reason = reason
  }
}

/** No-op if the base is not the commit the first entry was tested on, or its rule changed. */
export async function landTogether(ctx: Context, place: Place, entries: readonly Queued[]): Promise<void> {
  try {
    const steps: Step[] = []
    for (const entry of entries) steps.push(await blaming(entry, () => prepare(ctx, place, entry)))
    const gone = zeroOid(place.repo.object_format)
    const updates = [
      wholeOf(steps),
      ...steps.map(({ entry, update }) => ({
        name: queueRef(entry.number),
        old: update.new,
        new: gone,
        peeled: null,
      })),
    ]
    const change = { storageId: place.repo.storage_id, updates, isAtomic: true }
    await moveRefs(ctx, change, landingOf(place, steps))
  } catch (error) {
    if (error instanceof Unfit) return expel(ctx, error.entry, error.reason)
    if (error !== OUTDATED && error !== RULES_CHANGED) throw error
  }
}

/** Attributes a refusal to this entry alone. */
async function blaming<T>(entry: Queued, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isTheirs = error instanceof Problem && error !== OUTDATED && error.kind !== 'unavailable'
    throw isTheirs ? new Unfit(entry, reasonOf(error)) : error
  }
}

async function prepare(ctx: Context, { branch }: Place, entry: Queued): Promise<Step> {
  const { parent_oid, tested_oid, tested_tree } = entry
  const as = await getActing(ctx, entry)
  const pull = must(await findPullOf(ctx.db, entry.issue_id), 'what is queued is a pull request')
  const target = await openMergeTarget(as, pull, entry.style)
  const update = {
    name: HEADS + branch,
    old: must(parent_oid, 'what lands was tried'),
    new: must(tested_oid, 'what lands was tested'),
    peeled: null,
  }
  const policy = mergePolicy(target.repo, asSignedIn({ ctx: as }), 'merge')
  return { entry, as, policy, update, tree: must(tested_tree, 'a commit has a tree') }
}

async function getActing<C extends Context>(ctx: C, { actor_id }: Queued): Promise<C> {
  const as = await actAs(ctx, actor_id)
  if (as === undefined) throw refusal('user may not act any more')
  return as
}

function wholeOf(steps: readonly Step[]): RefUpdate {
  const last = lastOf(steps)
  return { ...last.update, old: must(steps[0], 'something lands').update.old }
}

function lastOf(steps: readonly Step[]): Step {
  return must(steps.at(-1), 'something lands')
}

/** The move of the base is attributed to the user who queued the last entry, whose commit is the new tip. */
function landingOf(place: Place, steps: readonly Step[]): RefPolicy {
  return {
    decide: async (_ctx, _updates, openObjects) => {
      const decision = await decideEach(steps, openObjects)
      return {
        refusals: new Map(),
        together: async (ctx, moved) => {
          await lockIssues(ctx.db, idsOf(steps))
          await assertSame(ctx, steps)
          await deleteEntries(ctx.db, idsOf(steps))
          for (const step of steps) await blaming(step.entry, () => mark(ctx, place, step))
          const base = moved.updates.filter(({ name }) => name === HEADS + place.branch)
          await decision?.together?.(ctx, { ...moved, updates: base })
          await orderDeletions(ctx, steps)
        },
      }
    },
  }
}

/**
 * Checks each entry's own commits with the rights of the user who queued it. The last entry is checked for the whole
 * move: the earlier commits were allowed already, and ref followers need the whole move.
 */
async function decideEach(steps: readonly Step[], openObjects: OpenObjects): Promise<Decision | undefined> {
  const last = lastOf(steps)
  let decision: Decision | undefined
  for (const step of steps) {
    const update = step === last ? wholeOf(steps) : step.update
    decision = await step.policy.decide?.(step.as, [update], openObjects)
    for (const refused of decision?.refusals.values() ?? []) throw new Unfit(step.entry, refused.message)
  }
  return decision
}

/** The rows are locked. Fails if one was removed or rebuilt since its test. */
async function assertSame(ctx: TxContext, steps: readonly Step[]): Promise<void> {
  const held = await lockEntries(ctx.db, idsOf(steps))
  const isSame = steps.every(({ entry, update }, i) => {
    const row = held[i]
    const parent = i === 0 ? update.old : steps[i - 1]?.update.new
    return row?.id === entry.id && row.tested_oid === update.new && row.parent_oid === parent
  })
  if (!isSame) throw OUTDATED
}

/** Runs in the transaction that moves the base, and checks all conditions again; status checks count for this commit. */
async function mark(ctx: TxContext, { branch }: Place, step: Step): Promise<void> {
  const { entry, update, tree } = step
  const { issue_id, style, head_oid } = entry
  const as = await getActing(ctx, entry)
  const held = await holdPull(ctx, issue_id)
  const now = await openMergeTarget(as, held.pull, style, { issue: held.issue })
  await assertReady(as, now, held.pull, { way: 'merge', isOutdated: false, checked: update.new })
  const actor = asSignedIn({ ctx: as })
  const landing = { headOid: head_oid, baseBranch: branch, mergeCommit: update.new, isAuto: true }
  await markMerged(as, held, actor, landing)
  await insertMerge(ctx.db, {
    issue_id,
    style,
    base_oid: update.old,
    head_oid,
    tree,
    merge_commit: update.new,
    actor_id: actor.id,
    is_auto: true,
    created_at: ctx.now(),
  })
}

async function orderDeletions(ctx: TxContext, steps: readonly Step[]): Promise<void> {
  await addJobs(
    ctx,
    steps.map(({ entry: { issue_id, actor_id, deletes_branch } }) => ({
      kind: LANDED_JOB,
      payload: { issue_id, actor_id, deletes_branch } satisfies LandedOrder,
      attemptsMax: ctx.config['jobs.attempts_max'],
    })),
  )
}

function idsOf(steps: readonly Step[]): number[] {
  return steps.map(({ entry }) => entry.issue_id)
}
