/** Updates the head branch of a pull request from its base, by merge or rebase. */
import { codePolicy } from '#domains/code/contents'
import { type CanWrite, type Repository, signatureOf } from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { lockPull, openPull, type PullCaller, type PullRow } from '#domains/review/pulls'
import { lockIssues } from '#domains/work/issues'
import {
  copyCommits,
  findRef,
  HEADS,
  lockStorage,
  moveRefs,
  type PreparedMerge,
  precededBy,
  prepareMerge,
  type RefPolicy,
  setRefs,
} from '#git'
import { type Context, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { openHead, type UpdateStyle } from './open-head.ts'

export async function updateHead(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  style: UpdateStyle,
): Promise<void> {
  const pull = await openPull(ctx, tracker, number)
  const { base, head } = await openHead(ctx, pull, style)
  const tip = await getBaseTip(ctx, base, pull)
  if (base.id !== head.id) await bring(ctx, pull, base, head, tip)
  const made = await build(ctx, actor, pull, head, tip, style)
  await moveHead(ctx, actor, pull, { base, head, style, made })
}

export async function getBaseTip(ctx: Context, base: Repository, pull: PullRow): Promise<string> {
  const tip = await findRef(ctx.db, base.storage_id, HEADS + pull.base_branch)
  if (tip === undefined) throw notFound('branch', pull.base_branch)
  return tip.oid
}

interface HeadMove {
  readonly base: Repository
  readonly head: CanWrite<'code'>
  readonly style: UpdateStyle
  readonly made: PreparedMerge
}

/** Moves the head branch from the head of the pull request to the new commit, under the rules of a push. */
export async function moveHead(
  ctx: Context,
  actor: SignedIn,
  pull: PullRow,
  { base, head, style, made }: HeadMove,
): Promise<void> {
  const update = { name: HEADS + pull.head_branch, old: pull.head_oid, new: made.oid, peeled: null }
  const change = { storageId: head.storage_id, updates: [update], isAtomic: true, written: made.written }
  const [result] = await moveRefs(ctx, change, updating(codePolicy(head, actor), pull, base, style))
  if (result?.refusal !== undefined)
    throw new Problem('conflict', 'head branch was updated concurrently, please try again')
}

/** Copies the base's commits to the fork, and no other objects. They are unreachable there until the branch moves. */
export async function bring(
  ctx: Context,
  pull: PullRow,
  base: Repository,
  head: Repository,
  oid: string,
): Promise<void> {
  await using lease = await ctx.cache.lease(ctx, base.storage_id)
  const known = [HEADS + pull.head_branch]
  const written = await copyCommits(ctx, { oids: [oid], from: lease.path, to: head.storage_id, known })
  await transact(ctx, (ctx) => setRefs(ctx, head.storage_id, [], written))
}

async function build(
  ctx: Context,
  actor: SignedIn,
  pull: PullRow,
  head: Repository,
  tip: string,
  style: UpdateStyle,
): Promise<PreparedMerge> {
  const author = signatureOf(actor.account, ctx.site, ctx.now())
  const ends = style === 'rebase' ? { base: tip, head: pull.head_oid } : { base: pull.head_oid, head: tip }
  const sign = await findSigner(ctx)
  const order = { ...ends, style, message: messageOf(pull), author, committer: author, sign }
  const made = await prepareMerge(ctx, head.storage_id, order)
  if (made.oid === pull.head_oid) throw new Problem('conflict', 'already up to date')
  return made
}

export function messageOf({ base_branch, head_branch }: PullRow): string {
  return `Merge branch '${base_branch}' into ${head_branch}`
}

/**
 * Checks permission again before any follower runs. Invariant: the head's storage is locked before the base's, and both
 * before the pull request.
 */
function updating(policy: RefPolicy, pull: PullRow, base: Repository, style: UpdateStyle): RefPolicy {
  return precededBy(policy, async (ctx) => {
    await lockStorage(ctx, base.storage_id)
    await lockIssues(ctx.db, [pull.issue_id])
    await openHead(ctx, await lockPull(ctx.db, pull.issue_id), style)
  })
}
