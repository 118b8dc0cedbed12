/** Builds the commit that merges a pull request into its base, before any ref points to it. */

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
 * Invariant: in every style, the tree is the one git merges base and head to. A rebase can yield another tree when a
 * merge commit inside the head made changes of its own; such a rebase is refused, because that tree was
 * neither reviewed nor tested.
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

/** Compat: the author of a squash commit is the user who opened the pull request. */
async function authorOf(ctx: Context, { target }: Plan, merger: Person): Promise<Person> {
  const account = await findAccountById(ctx.db, target.issue.author_id ?? 0)
  return account === undefined ? merger : signatureOf(account, ctx.site, merger.at)
}
