/** Moves the heads of pull requests to the tips of their branches, each as a new version, in the caller's transaction. */

import { getRepository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { actAs } from '#domains/people/users'
import { lockIssues } from '#domains/work/issues'
import { emit } from '#events'
import { type CopiedCommits, lockStorage, type StorageId, setRefs } from '#git'
import type { TxContext } from '#platform/context'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { pullEvent } from '../events.ts'
import { addEntries } from '../records/add-entries.ts'
import { type Following, insertVersion, lockPull, updatePull } from '../records/store.ts'
import type { PullRow } from '../tables.ts'
import { leaveBranch } from './leave-branch.ts'
import type { PreparedMove, PreparedMoves } from './prepare-moves.ts'
import { pushedBody } from './pushed.ts'
import { refsOf } from './refs.ts'

export interface MovedBy {
  /** Named in timeline and events. The base must be readable by this account. */
  readonly actorId: number
  /** The pusher of this tip, who decides how far it is trusted. null: unknown. */
  readonly pusherOf: (branch: string, oid: string) => number | null
}

interface Ready {
  readonly pull: PullRow
  readonly move: PreparedMove
}

/**
 * Moves each pull request to the tip of its branch, or closes it if the branch is gone. Returns those whose prepared
 * move is outdated. A base that is archived, or that the actor may not read, is left alone. Invariant: locks the head's
 * storage, then the bases' storages, then issues, as merges do.
 */
export async function moveHeads(
  ctx: TxContext,
  pulls: readonly Following[],
  tipOf: (pull: Following) => string | undefined,
  prepared: PreparedMoves,
  by: MovedBy,
): Promise<Following[]> {
  const as = (await actAs(ctx, by.actorId)) ?? ctx
  const actor = asSignedIn({ ctx: as })
  const groups = await lockBases(ctx, await listOpenTo(as, pulls))
  const left: Following[] = []
  for (const [storageId, alike] of groups) {
    const ready: Ready[] = []
    for (const found of alike) {
      const pull = await lockPull(ctx.db, found.issue_id)
      const move = judge(prepared, storageId, pull, tipOf(found))
      if (move === 'gone') await leaveBranch(ctx, pull, actor)
      else if (move === 'left') left.push(found)
      else if (move !== 'there') ready.push({ pull, move })
    }
    await advance(ctx, storageId, ready, prepared.copies.get(storageId))
    for (const { pull, move } of ready)
      await recordVersion(ctx, pull, move, actor, by.pusherOf(pull.head_branch, move.to))
  }
  return left
}

/** Grouped and locked in the order of the bases' storage ids, so that two pushes cannot deadlock. */
async function lockBases(
  ctx: TxContext,
  pulls: readonly Following[],
): Promise<(readonly [StorageId, readonly Following[]])[]> {
  const groups = [...Map.groupBy(pulls, ({ storage_id }) => storage_id)].sort(([a], [b]) => a - b)
  for (const [storageId] of groups) await lockStorage(ctx, storageId)
  const ids = pulls.map(({ issue_id }) => issue_id)
  if (ids.length > 0) await lockIssues(ctx.db, ids)
  return groups
}

/** All moves in one base at once: refs of the new versions and the pack that they need. */
async function advance(
  ctx: TxContext,
  storageId: StorageId,
  ready: readonly Ready[],
  copy: CopiedCommits | undefined,
): Promise<void> {
  const refs = ready.flatMap(({ pull, move }) => refsOf(next(pull), move.to))
  if (refs.length > 0) await setRefs(ctx, storageId, refs, copy)
}

/** `left`: the move was not prepared from this head to this tip, or the base lacks the commits. */
function judge(
  { moves, copies }: PreparedMoves,
  storageId: StorageId,
  pull: PullRow,
  tip: string | undefined,
): PreparedMove | 'there' | 'gone' | 'left' {
  if (!pull.is_open || pull.head_oid === tip) return 'there'
  if (tip === undefined) return 'gone'
  const move = moves.get(pull.issue_id)
  const hasCommits = pull.repository_id === pull.head_repository_id || copies.has(storageId)
  return hasCommits && move?.from === pull.head_oid && move.to === tip ? move : 'left'
}

/** Pull requests within one repository are always included: the actor could push to it. */
async function listOpenTo(as: TxContext, pulls: readonly Following[]): Promise<Following[]> {
  const open: Following[] = []
  for (const [id, alike] of Map.groupBy(pulls, ({ repository_id }) => repository_id)) {
    const isOwn = alike.every(({ head_repository_id }) => head_repository_id === id)
    if (isOwn || (await isOpenTo(as, id))) open.push(...alike)
  }
  return open
}

async function isOpenTo(as: TxContext, repositoryId: number): Promise<boolean> {
  const { access, owner_id } = await getRepository(as, repositoryId)
  if (access.archived) return false
  // An organization that owns both repositories has no grants of its own, since it never signs in.
  return owner_id === as.actor?.id || (may(access, 'read', 'code') && may(access, 'read', 'pulls'))
}

/** The refs point to the commit already. */
export async function recordVersion(
  ctx: TxContext,
  pull: PullRow,
  { from, to, isForced, commits }: PreparedMove,
  actor: SignedIn,
  pusherId: number | null,
): Promise<void> {
  const { version } = next(pull)
  await insertVersion(ctx.db, {
    issue_id: pull.issue_id,
    version,
    head_oid: to,
    base_oid: '',
    merge_base: '',
    is_forced: isForced,
    pusher_id: pusherId,
    created_at: ctx.now(),
  })
  await updatePull(ctx.db, pull.issue_id, { head_oid: to, version })
  const body = pushedBody(isForced, isForced ? [from, to] : commits)
  await addEntries(ctx, pull, actor, [{ kind: 'pull_push', body }])
  await emit(ctx, 'pull.synchronized', {
    ...pullEvent(pull, actor),
    version,
    before: from,
    after: to,
    is_forced: isForced,
  })
}

export function next(pull: PullRow): PullRow {
  return { ...pull, version: pull.version + 1 }
}
