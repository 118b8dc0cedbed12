/** Events of the merge queue. */
import type { IssueEvent } from '#domains/work/issues'

declare module '#events' {
  interface Events {
    'queue.tested': TestedEvent
    'queue.left': LeftEvent
  }
}

/** A commit is to be tested, as it would be merged; it can be fetched by its ref. */
export interface TestedEvent extends IssueEvent {
  readonly base_branch: string
  readonly ref: string
  readonly sha: string
}

/** The pull request left the queue unmerged. If the forge removed it, the actor is the user who had queued it. */
export interface LeftEvent extends IssueEvent {
  readonly base_branch: string
  readonly reason: string
}
