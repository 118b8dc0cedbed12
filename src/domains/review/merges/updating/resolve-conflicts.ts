/** Conflicts of a pull request, resolved by a merge of its base into its head branch. */
import { type Static, Type } from 'typebox'
import { signatureOf } from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { openPull, type PullCaller, type PullRow } from '#domains/review/pulls'
import { type Conflicts, findCommit, isAncestor, isOid, prepareResolution, readConflicts } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { openHead } from './open-head.ts'
import { bring, getBaseTip, messageOf, moveHead } from './update-head.ts'

const FILES_MAX = 100
const TEXT_MAX = 1_000_000

export type Resolution = Static<typeof Resolution>
export const Resolution = Type.Object({
  /** The commits that the conflicts were read of. */
  head: Type.String(),
  base: Type.String(),
  files: Type.Array(Type.Object({ path: Type.String(), content: Type.String({ maxLength: TEXT_MAX }) }), {
    maxItems: FILES_MAX,
  }),
})

export interface PullConflicts {
  readonly head: string
  readonly base: string
  readonly conflicts: Conflicts
}

export async function findConflicts(
  ctx: Context,
  { tracker }: PullCaller,
  number: number,
): Promise<PullConflicts> {
  const pull = await openPull(ctx, tracker, number)
  const { base } = await openHead(ctx, pull, 'merge')
  const tip = await getBaseTip(ctx, base, pull)
  // The base repository has the commits of the head, too.
  const conflicts = await readConflicts(ctx, base.storage_id, sidesOf(pull, tip))
  return { head: pull.head_oid, base: tip, conflicts }
}

/** The base may have grown since; a merge of its earlier commit is then still one step towards it. */
export async function resolveConflicts(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  order: Resolution,
): Promise<void> {
  const pull = await openPull(ctx, tracker, number)
  const { base, head } = await openHead(ctx, pull, 'merge')
  if (order.head !== pull.head_oid) throw new Problem('conflict', 'head branch has changed since')
  const tip = await getBaseTip(ctx, base, pull)
  const merged = isOid(order.base) ? await findCommit(ctx, base.storage_id, order.base) : undefined
  if (merged === undefined || !(await isAncestor(ctx, base.storage_id, merged.oid, tip)))
    throw new Problem('conflict', 'base branch has changed since')
  if (base.id !== head.id) await bring(ctx, pull, base, head, merged.oid)
  const author = signatureOf(actor.account, ctx.site, ctx.now())
  const sign = await findSigner(ctx)
  const made = await prepareResolution(ctx, head.storage_id, {
    ...sidesOf(pull, merged.oid),
    files: order.files,
    message: messageOf(pull),
    author,
    committer: author,
    sign,
  })
  await moveHead(ctx, actor, pull, { base, head, style: 'merge', made })
}

function sidesOf({ head_oid, head_branch, base_branch }: PullRow, base: string) {
  return { ours: head_oid, theirs: base, names: { ours: head_branch, theirs: base_branch } }
}
