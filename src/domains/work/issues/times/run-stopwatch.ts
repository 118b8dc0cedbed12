/** Stopwatches: one per user, running on one issue; when stopped, it becomes tracked time. */
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { type Caller, openIssue } from '../records/open-issue.ts'
import { lockIssues } from '../records/store.ts'
import type { IssueRow, StopwatchRow } from '../tables.ts'
import type { NewEntry } from '../timeline/entries.ts'
import { openToTime } from './open-to-track.ts'
import { findStopwatch, insertStopwatch, takeStopwatch } from './stopwatch-store.ts'
import { insertTime } from './store.ts'
import { tell } from './track-time.ts'

/** Stops the user's stopwatch on another issue. */
export function startStopwatch(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const running = await findStopwatch(ctx.db, actor.id)
    const { id } = await openIssue(ctx, tracker, number)
    const held = await lockIssues(ctx.db, running === undefined ? [id] : [id, running.issue_id])
    const { issue } = await openToTime(ctx, tracker, number)
    const before = held.find((it) => it.id === running?.issue_id)
    if (before?.id === issue.id)
      throw new Problem('conflict', 'cannot start a stopwatch again if it already exists')
    if (before !== undefined)
      for (const entry of await finishStopwatch(ctx, before, actor.id)) await tell(ctx, before, actor, entry)
    // Of two concurrent starts by one user, one is refused.
    if (!(await insertStopwatch(ctx, actor.id, issue.id)))
      throw new Problem('conflict', 'another stopwatch was started at the same time')
    await tell(ctx, issue, actor, { kind: 'start_tracking' })
  })
}

export function stopStopwatch(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue } = await openToTime(ctx, tracker, number)
    const [entry] = await finishStopwatch(ctx, issue, actor.id)
    if (entry === undefined) throw new Problem('conflict', 'cannot stop a non-existent stopwatch')
    await tell(ctx, issue, actor, entry)
  })
}

/** Discards its time. */
export function cancelStopwatch(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue } = await openToTime(ctx, tracker, number)
    if ((await takeStopwatch(ctx.db, actor.id, issue.id)) === undefined)
      throw new Problem('conflict', 'cannot cancel a non-existent stopwatch')
    await tell(ctx, issue, actor, { kind: 'cancel_tracking' })
  })
}

/** Stops a user's stopwatch on a locked issue, if it runs; returns the timeline entries. */
export async function finishStopwatch(ctx: TxContext, issue: IssueRow, userId: number): Promise<NewEntry[]> {
  const stopwatch = await takeStopwatch(ctx.db, userId, issue.id)
  if (stopwatch === undefined) return []
  const seconds = secondsOf(ctx, stopwatch)
  const time = await insertTime(ctx.db, {
    issue_id: issue.id,
    repository_id: issue.repository_id,
    user_id: userId,
    seconds,
    created_at: ctx.now(),
  })
  return [{ kind: 'stop_tracking', payload: { time_id: time.id, seconds } }]
}

/** Never negative, since nodes have different clocks. */
export function secondsOf(ctx: Context, { created_at }: StopwatchRow): number {
  return Math.max(0, Math.floor((ctx.now().getTime() - created_at.getTime()) / 1_000))
}
