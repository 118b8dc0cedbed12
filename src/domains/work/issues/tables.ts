/** The tables of issues. Each pull request has a row in `issue`. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    issue: IssueTable
    issue_number: IssueNumberTable
    issue_assignee: IssueAssigneeTable
    issue_label: IssueLabelTable
    issue_comment: IssueCommentTable
    issue_closing_commit: IssueClosingCommitTable
    issue_dependency: IssueDependencyTable
    issue_reviewer: IssueReviewerTable
    issue_subscription: IssueSubscriptionTable
    issue_content_history: IssueContentHistoryTable
    reaction: ReactionTable
    tracked_time: TrackedTimeTable
    stopwatch: StopwatchTable
  }
}

/** Former texts. */
interface IssueContentHistoryTable {
  id: Generated<number>
  issue_id: number
  /** null: the body of the issue itself. */
  comment_id: number | null
  /** null: cleared. */
  text: string | null
  editor_id: number | null
  replaced_at: Date
}

interface IssueTable {
  id: Generated<number>
  repository_id: number
  number: number
  is_pull: boolean
  author_id: number | null
  /** Name and id of the author at the import source; empty and 0 for issues created here. */
  original_author: Generated<string>
  original_author_id: Generated<number>
  /** The row of `import_host` at which that is an id. */
  import_host_id: Generated<number | null>
  title: string
  body: string
  content_version: Generated<number>
  is_closed: boolean
  closed_at: Date | null
  is_locked: Generated<boolean>
  lock_reason: Generated<string>
  milestone_id: number | null
  deadline_at: Date | null
  pin_position: Generated<number | null>
  ref: string
  audience: Generated<'public' | 'limited' | 'private' | 'nobody'>
  /** Its author is suspended. Maintained by triggers. */
  is_hidden: Generated<boolean>
  comments: Generated<number>
  /** Only for merged pull requests. */
  merged_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
}

/** The last number used in a repository, shared by issues and pull requests. */
interface IssueNumberTable {
  repository_id: number
  last: number
}

interface IssueAssigneeTable {
  issue_id: number
  user_id: number
  created_at: Date
}

interface IssueLabelTable {
  issue_id: number
  label_id: number
}

/** Kinds of timeline entries, by their API names. */
export type EntryKind =
  | 'comment'
  | 'reopen'
  | 'close'
  | RefKind
  | 'label'
  | 'milestone'
  | 'assignees'
  | 'change_title'
  | 'change_issue_ref'
  | 'added_deadline'
  | 'modified_deadline'
  | 'removed_deadline'
  | 'lock'
  | 'unlock'
  | 'pin'
  | 'unpin'
  | 'add_dependency'
  | 'remove_dependency'
  | 'start_tracking'
  | 'stop_tracking'
  | 'cancel_tracking'
  | 'add_time_manual'
  | 'delete_time_manual'
  | 'project'
  | 'project_board'
  | 'delete_branch'
  | 'code'
  | 'review'
  | 'review_request'
  | 'dismiss_review'
  | 'change_target_branch'
  | 'merge_pull'
  | 'pull_push'
  | 'pull_scheduled_merge'
  | 'pull_cancel_scheduled_merge'

/** Kinds of entries for references. */
export type RefKind = 'issue_ref' | 'pull_ref' | 'comment_ref' | 'commit_ref'

/** Each kind uses some of these. Referenced rows may be deleted. */
export interface EntryPayload {
  readonly old_title?: string
  readonly new_title?: string
  readonly old_ref?: string
  readonly new_ref?: string
  readonly label_id?: number
  readonly old_milestone_id?: number | null
  readonly milestone_id?: number | null
  readonly assignee_id?: number
  readonly is_removed?: boolean
  readonly dependent_issue_id?: number
  readonly time_id?: number
  readonly seconds?: number
  /** The commit's closing or reopening keyword has been applied. */
  readonly is_obeyed?: boolean
  readonly old_project_id?: number
  readonly project_id?: number
  readonly column_title?: string
  readonly review_id?: number
  readonly assignee_team_id?: number
  readonly resolver_id?: number
}

/** `neutered`: the text no longer contains the reference. */
export type EntryRefAction = 'none' | 'closes' | 'reopens' | 'neutered'

interface IssueCommentTable {
  id: Generated<number>
  issue_id: number
  repository_id: number
  kind: EntryKind
  author_id: number | null
  /** Its author is suspended. Maintained by triggers. */
  is_hidden: Generated<boolean>
  original_author: Generated<string>
  original_author_id: Generated<number>
  import_host_id: Generated<number | null>
  body: string
  content_version: Generated<number>
  payload: Generated<EntryPayload>
  ref_issue_id: Generated<number | null>
  ref_comment_id: Generated<number | null>
  ref_commit: Generated<string | null>
  ref_repository_id: Generated<number | null>
  ref_action: Generated<EntryRefAction | null>
  created_at: Date
  updated_at: Date
}

/** An issue that a commit of a pull request closes. */
interface IssueClosingCommitTable {
  pull_id: number
  issue_id: number
}

/** The blocked issue cannot be closed while the blocker is open. */
interface IssueDependencyTable {
  blocker_id: number
  blocked_id: number
  created_at: Date
}

/** Either a user or a team. */
interface IssueReviewerTable {
  issue_id: number
  user_id: number | null
  team_id: number | null
  is_requested: boolean
  has_reviewed: boolean
  /** One of the reviewer's reviews is not dismissed. */
  has_standing: Generated<boolean>
  updated_at: Date
}

interface IssueSubscriptionTable {
  issue_id: number
  user_id: number
  is_subscribed: boolean
  updated_at: Date
}

interface ReactionTable {
  id: Generated<number>
  issue_id: number
  comment_id: number | null
  user_id: number
  content: string
  created_at: Date
}

interface TrackedTimeTable {
  id: Generated<number>
  issue_id: number
  repository_id: number
  user_id: number
  seconds: number
  created_at: Date
  deleted_at: Generated<Date | null>
}

interface StopwatchTable {
  user_id: number
  issue_id: number
  created_at: Date
}

export type IssueRow = Selectable<IssueTable>
export type NewIssueRow = Insertable<IssueTable>
export type IssuePatch = Updateable<IssueTable>
export type EntryRow = Selectable<IssueCommentTable>
export type ReactionRow = Selectable<ReactionTable>
export type Dependency = Pick<Selectable<IssueDependencyTable>, 'blocker_id' | 'blocked_id'>
export type TrackedTimeRow = Selectable<TrackedTimeTable>
export type NewTrackedTimeRow = Insertable<TrackedTimeTable>
export type StopwatchRow = Selectable<StopwatchTable>
