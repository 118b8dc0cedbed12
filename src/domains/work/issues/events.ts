/** Events of issues, and of pull requests where they act as issues. */
import type { Issue } from './records/wire.ts'
import type { Comment } from './timeline/wire.ts'

declare module '#events' {
  interface Events {
    'issue.created': IssueEvent & Mentioning
    /** Title, body or attachments changed; old texts are null if unchanged. */
    'issue.edited': IssueEvent &
      Mentioning & { readonly old_title: string | null; readonly old_body: string | null }
    'issue.closed': StateEvent
    'issue.reopened': StateEvent
    'issue.assigned': IssueEvent & { readonly assignee_id: number }
    'issue.unassigned': IssueEvent & { readonly assignee_id: number }
    'issue.labeled': IssueEvent & {
      readonly added_label_ids: readonly number[]
      readonly removed_label_ids: readonly number[]
    }
    /** All labels were removed at once. */
    'issue.labels_cleared': IssueEvent & { readonly removed_label_ids: readonly number[] }
    'issue.milestoned': IssueEvent & {
      readonly milestone_id: number
      readonly old_milestone_id: number | null
    }
    'issue.demilestoned': IssueEvent & { readonly old_milestone_id: number }
    'issue.commented': IssueEvent & Mentioning & { readonly comment_id: number }
    'issue.comment_edited': IssueEvent &
      Mentioning & { readonly comment_id: number; readonly old_body: string }
    /** Carries the deleted record as an anonymous user saw it. */
    'issue.comment_deleted': IssueEvent & { readonly comment_id: number; readonly comment: Comment }
    'issue.deleted': IssueEvent & { readonly issue: Issue }
  }
}

/** Ids of mentioned users who may read the text. After an edit, only users who were not mentioned before. */
interface Mentioning {
  readonly mentions: readonly number[]
}

export interface StateEvent extends IssueEvent {
  /** Id of the timeline entry. */
  readonly comment_id: number
  /** The commit whose message closed or reopened it; empty otherwise. */
  readonly commit: string
}

export interface IssueEvent {
  readonly repository_id: number
  readonly issue_id: number
  readonly number: number
  readonly is_pull: boolean
  readonly actor_id: number
}

export function eventOf(
  issue: {
    readonly id: number
    readonly repository_id: number
    readonly number: number
    readonly is_pull: boolean
  },
  actor: { readonly id: number },
): IssueEvent {
  const { id, repository_id, number, is_pull } = issue
  return { repository_id, issue_id: id, number, is_pull, actor_id: actor.id }
}

/** Events of changes to an existing issue. */
export const ISSUE_CHANGES = [
  'issue.edited',
  'issue.closed',
  'issue.reopened',
  'issue.assigned',
  'issue.unassigned',
  'issue.labeled',
  'issue.labels_cleared',
  'issue.milestoned',
  'issue.demilestoned',
  'issue.commented',
  'issue.comment_edited',
  'issue.comment_deleted',
  'issue.deleted',
] as const
