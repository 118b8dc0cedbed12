/** Updates a branch of a fork from its parent, by fast-forward or merge. */
import type { Static } from 'typebox'
import { type CanWrite, signatureOf } from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { findRef, HEADS, isAncestor, merge } from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { MergeUpstream } from '../schemas.ts'
import { findUpstream, parentOf, shareParent } from './parent.ts'
import { codePolicy } from './ref-policy.ts'

export type MergeType = 'up-to-date' | 'fast-forward' | 'merge'

export async function mergeUpstream(
  ctx: Context,
  fork: CanWrite<'code'>,
  actor: SignedIn,
  input: Static<typeof MergeUpstream>,
): Promise<MergeType> {
  const parent = parentOf(fork)
  const branch = input.branch || fork.default_branch
  const own = await findRef(ctx.db, fork.storage_id, HEADS + branch)
  const theirs = (await findUpstream(ctx, parent, branch))?.oid
  if (own === undefined || theirs === undefined) throw notFound('branch', branch)
  if (own.oid === theirs) return 'up-to-date'
  await shareParent(ctx, fork)
  if (await isAncestor(ctx, fork.storage_id, theirs, own.oid)) return 'up-to-date'
  const isStraight = await isAncestor(ctx, fork.storage_id, own.oid, theirs)
  if (!isStraight && input.ff_only)
    throw new Problem('malformed', 'fast-forward merge not possible: branch has diverged')
  const author = signatureOf(actor.account, ctx.site, ctx.now())
  const order = {
    branch: HEADS + branch,
    expected: own.oid,
    head: theirs,
    style: isStraight ? ('fast-forward' as const) : ('merge' as const),
    message: `Merge branch '${branch}' of ${parent.owner.login}/${parent.name}`,
    author,
    committer: author,
    sign: await findSigner(ctx),
  }
  await merge(ctx, fork.storage_id, order, codePolicy(fork, actor))
  return isStraight ? 'fast-forward' : 'merge'
}
