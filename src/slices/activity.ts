/**
 * Feed activities. A slice converts its events to acts; the slice `activity` stores them, once for each feed in which they
 * appear.
 */
import type { Events, Subject } from '#events'
import type { Context } from '#platform/context'

/** Compat: the operation names of the reference, including those that no slice uses yet. */
export const OPERATIONS = [
  'create_repo',
  'rename_repo',
  'star_repo',
  'watch_repo',
  'commit_repo',
  'create_issue',
  'create_pull_request',
  'transfer_repo',
  'push_tag',
  'comment_issue',
  'merge_pull_request',
  'close_issue',
  'reopen_issue',
  'close_pull_request',
  'reopen_pull_request',
  'delete_tag',
  'delete_branch',
  'mirror_sync_push',
  'mirror_sync_create',
  'mirror_sync_delete',
  'approve_pull_request',
  'reject_pull_request',
  'comment_pull',
  'publish_release',
  'pull_review_dismissed',
  'pull_request_ready_for_review',
  'auto_merge_pull_request',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** One entry of a feed. */
export interface Act {
  readonly op_type: Operation
  readonly ref_name?: string
  readonly content?: string
  /** The timeline entry that shows the same act. The act is shown only while that entry exists. */
  readonly comment_id?: number
}

export interface Acts {
  readonly repository_id: number
  /** `owner` for an act without an actor, such as a mirror sync. */
  readonly actor_id: number | 'owner'
  readonly acts: readonly Act[]
}

/** A subject of events, and the function that converts its events to acts. */
export interface Activity<S extends Subject = Subject> {
  readonly subject: S
  /** Reads git: `actsOf` then runs before the transaction that stores the acts, possibly more than once. */
  readonly readsGit: boolean
  actsOf(ctx: Context, event: Events[S]): Promise<Acts>
}

export function activity<S extends Subject>(subject: S, actsOf: Activity<S>['actsOf']): Activity<S> {
  return { subject, readsGit: false, actsOf }
}

export function activityOfGit<S extends Subject>(subject: S, actsOf: Activity<S>['actsOf']): Activity<S> {
  return { subject, readsGit: true, actsOf }
}
