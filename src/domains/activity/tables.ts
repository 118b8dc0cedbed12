/** The tables of activity: acts, and the feeds they appear in. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    activity: ActivityTable
    activity_feed: ActivityFeedTable
  }
}

interface ActivityTable {
  repository_id: number
  id: Generated<number>
  actor_id: number
  op_type: Operation
  ref_name: Generated<string>
  content: Generated<string>
  is_private: boolean
  created_at: Date
}

/** What is said here of the act is what decides whether it is shown. */
interface ActivityFeedTable {
  recipient_id: number
  created_at: Date
  activity_id: number
  repository_id: number
  actor_id: number
  is_private: boolean
}

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

export type ActivityRow = Selectable<ActivityTable>
