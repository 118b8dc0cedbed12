/** Pins issues above all others, in a given order. */
import type { Tracker } from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { applyChange, beginChange } from '../records/change.ts'
import { type Caller, openToJoin } from '../records/open-issue.ts'
import type { IssueRow } from '../tables.ts'
import { closeGap, listPinned, lockPins, setPosition } from './store.ts'

/** For issues, and for pull requests. */
export const PINNED_MAX = 3

/** Callers of this and the functions below are administrators of the repository. No-op if pinned already. */
export async function pinIssue(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const issue = await openToPin(ctx, tracker, number)
    if (issue.pin_position !== null) return
    const pinned = await listPinned(ctx.db, tracker.id, issue.is_pull)
    if (pinned.length >= PINNED_MAX) throw new Problem('malformed', 'maximum number of pinned issues reached')
    const change = beginChange(issue, actor)
    change.patch.pin_position = pinned.length + 1
    change.entries.push({ kind: 'pin' })
    await applyChange(ctx, change)
  })
}

export async function unpinIssue(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const issue = await openToPin(ctx, tracker, number)
    if (issue.pin_position === null) return
    const change = beginChange(issue, actor)
    change.patch.pin_position = null
    change.entries.push({ kind: 'unpin' })
    await applyChange(ctx, change)
    await closeGap(ctx.db, issue)
  })
}

/** A position past the end is the last. No-op if not pinned. */
export async function movePin(
  ctx: Context,
  { tracker }: Caller,
  number: number,
  position: number,
): Promise<void> {
  if (position < 1) throw invalid('position must be at least 1', { position })
  await transact(ctx, async (ctx) => {
    const issue = await openToPin(ctx, tracker, number)
    if (issue.pin_position === null) return
    const pinned = await listPinned(ctx.db, tracker.id, issue.is_pull)
    const others = pinned.filter(({ id }) => id !== issue.id)
    const order = others.toSpliced(position - 1, 0, issue)
    for (const [place, { id, pin_position }] of order.entries())
      if (pin_position !== place + 1) await setPosition(ctx.db, id, place + 1)
  })
}

/** Takes the lock on the order of pins. */
async function openToPin(ctx: TxContext, tracker: Tracker, number: number): Promise<IssueRow> {
  await lockPins(ctx.db, tracker.id)
  return (await openToJoin(ctx, tracker, number)).issue
}
