/**
 * What feeds are told. A slice says which acts an event of its own amounts to; the slice `activity` writes them down, once
 * for each feed they appear in.
 */
import type { Events, Subject } from '#events'
import type { Context } from '#platform/context'

/** Compat: the words of the reference for what can be done, whether or not a slice tells of it yet. */
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

/** What was done, in the words of the feed. */
export interface Act {
  readonly op_type: Operation
  readonly ref_name?: string
  readonly content?: string
  /** The entry of a timeline that it can be read in, too. It is shown as long as that is there. */
  readonly comment_id?: number
}

export interface Acts {
  readonly repository_id: number
  /** Whoever acts without being somebody, as a mirror does, is the owner. */
  readonly actor_id: number | 'owner'
  readonly acts: readonly Act[]
}

/** An event of a slice, and the acts it amounts to. */
export interface Activity<S extends Subject = Subject> {
  readonly subject: S
  /** Asks git: then it happens before the transaction that writes them down, and may happen more than once. */
  readonly readsGit: boolean
  actsOf(ctx: Context, event: Events[S]): Promise<Acts>
}

export function activity<S extends Subject>(subject: S, actsOf: Activity<S>['actsOf']): Activity<S> {
  return { subject, readsGit: false, actsOf }
}

export function activityOfGit<S extends Subject>(subject: S, actsOf: Activity<S>['actsOf']): Activity<S> {
  return { subject, readsGit: true, actsOf }
}
