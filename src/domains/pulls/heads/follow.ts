/**
 * Pull requests follow the branches they come from, in the transaction that moves them: a new version for each new tip,
 * also when the push goes to a fork, whose commits are brought along. Whoever sees the branch moved sees the pull request
 * moved.
 */

import { lockIssues } from '#domains/issues'
import { actAs } from '#domains/users'
import { emit } from '#events'
import {
  type CopiedCommits,
  copyCommits,
  HEADS,
  isZeroOid,
  listOids,
  lockStorage,
  losesCommits,
  type StorageId,
  setRefs,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import type { Moving, MovingRef, RefFollower } from '#slices'
import { pullEvent } from '../events.ts'
import { addEntries } from '../records/add-entries.ts'
import { insertVersion, listFollowing, lockPull, renameEnds, updatePull } from '../records/store.ts'
import type { PullRow } from '../tables.ts'
import { leaveBranch } from './leave-branch.ts'
import { pushedBody } from './pushed.ts'
import { refsOf } from './refs.ts'

type Following = PullRow & { readonly storage_id: StorageId }

/** What was found out about a move before the transaction began. */
interface Prepared {
  readonly isForced: boolean
  readonly commits: readonly string[]
  /** What another storage needs, by its number. */
  readonly copies: ReadonlyMap<StorageId, CopiedCommits>
}

export interface By {
  /** Named in the timeline and in the event. */
  readonly actor: SignedIn
  /** Who brought the commits, and is trusted with them or not. null: nobody knows. */
  readonly pusherId: number | null
}

export const headFollower: RefFollower = {
  prepare: async (ctx, moving) => {
    const branches = branchesOf(moving.updates)
    const pulls = branches.length === 0 ? [] : await listFollowing(ctx.db, moving.repositoryId, branches)
    const prepared = await prepareAll(ctx, moving, pulls)
    return (ctx, moved) => follow(ctx, moving, moved, prepared)
  },
}

function branchesOf(updates: readonly MovingRef[]): string[] {
  return updates.flatMap(({ name }) => (name.startsWith(HEADS) ? name.slice(HEADS.length) : []))
}

async function prepareAll(
  ctx: Context,
  moving: Moving,
  pulls: readonly Following[],
): Promise<ReadonlyMap<string, Prepared>> {
  const prepared = new Map<string, Prepared>()
  for (const [branch, alike] of Map.groupBy(pulls, ({ head_branch }) => head_branch)) {
    const update = moving.updates.find(({ name }) => name === HEADS + branch)
    if (update !== undefined && !isZeroOid(update.new))
      prepared.set(branch, await prepareMove(ctx, moving, update, alike))
  }
  return prepared
}

export async function prepareMove(
  ctx: Context,
  moving: Moving,
  update: MovingRef,
  pulls: readonly Following[],
): Promise<Prepared> {
  const from = await moving.openObjects()
  const copies = new Map<StorageId, CopiedCommits>()
  const elsewhere = pulls.filter(({ repository_id }) => repository_id !== moving.repositoryId)
  for (const [to, alike] of Map.groupBy(elsewhere, ({ storage_id }) => storage_id)) {
    const known = [...new Set(alike.map(({ base_branch }) => HEADS + base_branch))]
    copies.set(to, await copyCommits(ctx, { oid: update.new, from, to, known }))
  }
  if (isZeroOid(update.old)) return { isForced: false, commits: [], copies }
  const commits = await listOids(ctx, from, { head: update.new, known: [update.old] })
  const isForced = await losesCommits(ctx, from, { ...update, peeled: null })
  return { isForced, commits, copies }
}

/** Asked again under the lock of the storage, so that what was opened since is not passed over. */
async function follow(
  ctx: TxContext,
  moving: Moving,
  moved: readonly MovingRef[],
  prepared: ReadonlyMap<string, Prepared>,
): Promise<void> {
  const { renamed, repositoryId } = moving
  if (renamed !== undefined) return renameEnds(ctx.db, repositoryId, renamed.from, renamed.to)
  const branches = branchesOf(moved)
  if (branches.length === 0) return
  const pulls = await listFollowing(ctx.db, repositoryId, branches)
  if (pulls.length === 0) return
  const actor = asSignedIn({ ctx: (await actAs(ctx, moving.actorId)) ?? ctx })
  // Invariant: storages are locked before issues, as by whoever merges.
  for (const id of new Set(pulls.map(({ storage_id }) => storage_id))) await lockStorage(ctx, id)
  await lockIssues(
    ctx.db,
    pulls.map(({ issue_id }) => issue_id),
  )
  for (const pull of pulls) {
    const update = moved.find(({ name }) => name === HEADS + pull.head_branch)
    if (update === undefined) continue
    if (isZeroOid(update.new)) await leaveBranch(ctx, pull, actor)
    else
      await advance(ctx, pull, update, prepared.get(pull.head_branch), { actor, pusherId: moving.pusherId })
  }
}

/** Its next version. Nothing happens to one that is there already: it was opened from this very tip. */
export async function advance(
  ctx: TxContext,
  { storage_id, ...found }: Following,
  update: MovingRef,
  prepared: Prepared | undefined,
  { actor, pusherId }: By,
): Promise<void> {
  const pull = await lockPull(ctx.db, found.issue_id)
  if (!pull.is_open || pull.head_oid === update.new) return
  const isOwn = pull.repository_id === pull.head_repository_id
  const copy = prepared?.copies.get(storage_id)
  if (prepared === undefined || (!isOwn && copy === undefined))
    throw new Problem('unavailable', 'a pull request was opened concurrently, please try again')
  const version = pull.version + 1
  await setRefs(ctx, storage_id, refsOf({ ...pull, version }, update.new), copy)
  await insertVersion(ctx.db, {
    issue_id: pull.issue_id,
    version,
    head_oid: update.new,
    base_oid: '',
    merge_base: '',
    is_forced: prepared.isForced,
    pusher_id: pusherId,
    created_at: ctx.now(),
  })
  await updatePull(ctx.db, pull.issue_id, { head_oid: update.new, version })
  const body = pushedBody(prepared.isForced, prepared.isForced ? [update.old, update.new] : prepared.commits)
  await addEntries(ctx, pull, actor, [{ kind: 'pull_push', body }])
  await emit(ctx, 'pull.synchronized', {
    ...pullEvent(pull, actor),
    version,
    before: update.old,
    after: update.new,
    is_forced: prepared.isForced,
  })
}
