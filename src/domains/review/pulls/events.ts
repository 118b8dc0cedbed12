/** What is told about pull requests, beyond what is told of the issues underneath. */
import type { IssueEvent } from '#domains/work/issues'
import type { PullRequest } from './records/wire.ts'
import type { PullRow } from './tables.ts'

declare module '#events' {
  interface Events {
    /** The first version is there. By their names: whose review is asked for with it. */
    'pull.opened': IssueEvent & {
      readonly reviewers: readonly string[]
      readonly team_reviewers: readonly string[]
    }
    /** Its head moved: there is a new version. */
    'pull.synchronized': IssueEvent & {
      readonly version: number
      readonly before: string
      readonly after: string
      readonly is_forced: boolean
    }
    'pull.retargeted': IssueEvent & { readonly old_base: string; readonly new_base: string }
    /** Its title says no more that it is a draft. */
    'pull.ready': IssueEvent
    /** What is gone is told as it was, as to a stranger. */
    'pull.deleted': IssueEvent & { readonly pull: PullRequest }
    'pull.merged': IssueEvent & { readonly merge_commit: string; readonly is_auto: boolean }
  }
}

export function pullEvent(pull: PullRow, actor: { readonly id: number }): IssueEvent {
  const { repository_id, issue_id, number } = pull
  return { repository_id, issue_id, number, is_pull: true, actor_id: actor.id }
}
