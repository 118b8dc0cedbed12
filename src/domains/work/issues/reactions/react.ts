/** Reactions to issues and comments. */
import type { Tracker } from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { assertNotBlocked, type Caller, openToJoin, type ReadableIssue } from '../records/open-issue.ts'
import type { ReactionRow } from '../tables.ts'
import { findEntry } from '../timeline/store.ts'
import { deleteReaction, findReaction, insertReaction, type Target } from './store.ts'

export const REACTIONS = new Set(['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'])

/** An issue by number, or a comment by id. */
export type Place = { readonly number: number } | { readonly commentId: number }

export async function react(
  ctx: Context,
  { tracker, actor }: Caller,
  place: Place,
  content: string,
): Promise<{ reaction: ReactionRow; isNew: boolean }> {
  return transact(ctx, async (ctx) => {
    const { target, held } = await openTarget(ctx, tracker, place)
    assertUnlocked(held)
    await assertNotBlocked(ctx, held.repo, actor, held.issue)
    // Compat: an unknown reaction is 403.
    if (!REACTIONS.has(content)) throw forbidden('not an allowed reaction')
    const row = { ...target, user_id: actor.id, content, created_at: ctx.now() }
    const added = await insertReaction(ctx.db, row)
    const reaction = added ?? (await findReaction(ctx.db, target, actor.id, content))
    if (reaction === undefined) throw notFound('reaction', content)
    return { reaction, isNew: added !== undefined }
  })
}

/** No-op if there is no such reaction. */
export async function unreact(
  ctx: Context,
  { tracker, actor }: Caller,
  place: Place,
  content: string,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { target, held } = await openTarget(ctx, tracker, place)
    assertUnlocked(held)
    await deleteReaction(ctx.db, target, actor.id, content)
  })
}

async function openTarget(
  ctx: TxContext,
  tracker: Tracker,
  place: Place,
): Promise<{ target: Target; held: ReadableIssue }> {
  if ('number' in place) {
    const held = await openToJoin(ctx, tracker, place.number)
    return { target: { issue_id: held.issue.id, comment_id: null }, held }
  }
  const entry = await findEntry(ctx, tracker.id, place.commentId)
  if (entry === undefined || entry.kind !== 'comment') throw notFound('comment', place.commentId)
  const held = await openToJoin(ctx, tracker, entry.number)
  return { target: { issue_id: held.issue.id, comment_id: entry.id }, held }
}

function assertUnlocked({ issue, mayWrite }: ReadableIssue): void {
  if (issue.is_locked && !mayWrite) throw forbidden('you cannot react to a locked issue')
}
