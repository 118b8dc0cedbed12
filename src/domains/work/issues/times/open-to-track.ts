/** Who may track time on an issue: its contributors, or every reader, as the repository is configured. */
import { internalTrackerOf, type Repository, type Tracker } from '#domains/code/repositories'
import type { Context, TxContext } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import { assigneesOf } from '../assigning/assign.ts'
import { isTheirs, openToJoin, type ReadableIssue } from '../records/open-issue.ts'

declare const trackable: unique symbol
/** Proof that the caller may track time on the issue. */
export interface TrackableIssue extends ReadableIssue {
  readonly [trackable]: true
}

export async function openToTrack(ctx: TxContext, tracker: Tracker, number: number): Promise<TrackableIssue> {
  const held = await openToJoin(ctx, tracker, number)
  assertTracked(held.repo)
  return asTrackable(ctx, held)
}

/** For stopwatches. Compat: 403 if time tracking is disabled, where `openToTrack` answers 400. */
export async function openToTime(ctx: TxContext, tracker: Tracker, number: number): Promise<TrackableIssue> {
  const held = await openToJoin(ctx, tracker, number)
  if (!isTracked(held.repo)) throw forbidden('time tracking disabled')
  return asTrackable(ctx, held)
}

export function assertTracked(repo: Repository): void {
  if (!isTracked(repo)) throw new Problem('malformed', 'time tracking disabled')
}

export function isTracked(repo: Repository): boolean {
  return internalTrackerOf(repo)?.enable_time_tracker ?? true
}

async function asTrackable(ctx: TxContext, held: ReadableIssue): Promise<TrackableIssue> {
  if (!(await mayTrack(ctx, held))) throw forbidden('user should work on the issue to track time')
  return held as TrackableIssue
}

export async function mayTrack(
  ctx: Context,
  { repo, issue, mayWrite }: Pick<ReadableIssue, 'repo' | 'issue' | 'mayWrite'>,
): Promise<boolean> {
  const onlyContributors = internalTrackerOf(repo)?.allow_only_contributors_to_track_time ?? true
  if (!onlyContributors || mayWrite || isTheirs(ctx, issue.is_pull, issue)) return true
  return (await assigneesOf(ctx, issue)).includes(ctx.actor?.id ?? 0)
}
