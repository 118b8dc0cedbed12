/** The commit that a pull request lands with, made upon its base before any ref knows of it. */

import { signatureOf } from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { findAccountById } from '#domains/people/users'
import type { PullRow } from '#domains/review/pulls'
import { checkMerge, type MergeStyle, type Person, type PreparedMerge, prepareMerge } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { messageFor } from '../messages/message-for.ts'
import type { OwnStyle } from '../tables.ts'
import type { MergeTarget } from './merge-target.ts'

export interface Plan {
  readonly pull: PullRow
  readonly target: MergeTarget
  readonly baseOid: string
  readonly order: { readonly style: OwnStyle; readonly title: string; readonly message: string }
}

/**
 * Invariant: the tree is that which git merges base and head to, in every style. A rebase may come to another one when
 * a merge inside the head changed something itself: then it is refused, because nobody has checked that.
 */
export async function build(ctx: Context, actor: SignedIn, plan: Plan): Promise<PreparedMerge> {
  const { pull, target, baseOid: base, order } = plan
  const { storage_id } = target.repo
  const committer = signatureOf(actor.account, ctx.site, ctx.now())
  const author = order.style === 'squash' ? await authorOf(ctx, plan, committer) : committer
  const message = await messageFor(ctx, plan, { author, committer })
  const style: MergeStyle = order.style === 'fast-forward-only' ? 'fast-forward' : order.style
  const sign = await findSigner(ctx)
  const wanted = { base, head: pull.head_oid, style, message, author, committer, sign }
  const made = await prepareMerge(ctx, storage_id, wanted)
  if (made.oid === base) throw new Problem('conflict', 'already up to date')
  const whole = style.startsWith('rebase')
    ? await checkMerge(ctx, storage_id, base, pull.head_oid)
    : undefined
  if (whole !== undefined && (whole.kind !== 'clean' || whole.tree !== made.tree))
    throw new Problem('conflict', 'rebase does not give the same tree as a merge')
  return made
}

/** Compat: what is squashed is by whoever opened the pull request. */
async function authorOf(ctx: Context, { target }: Plan, merger: Person): Promise<Person> {
  const account = await findAccountById(ctx.db, target.issue.author_id ?? 0)
  return account === undefined ? merger : signatureOf(account, ctx.site, merger.at)
}
