/** What is told about the merge queue. */
import type { IssueEvent } from '#domains/work/issues'

declare module '#events' {
  interface Events {
    'queue.tested': TestedEvent
    'queue.left': LeftEvent
  }
}

/** There is something to test: a commit as it would land, to be fetched by its ref. */
export interface TestedEvent extends IssueEvent {
  readonly base_branch: string
  readonly ref: string
  readonly sha: string
}

/** It did not land. Where the forge itself decided that, the actor is who had queued it. */
export interface LeftEvent extends IssueEvent {
  readonly base_branch: string
  readonly reason: string
}
