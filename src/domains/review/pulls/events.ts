/** Events of pull requests, in addition to those of their issues. */
import type { Restriction } from '#domains/people/access'
import type { IssueEvent } from '#domains/work/issues'
import type { PullRequest } from './records/wire.ts'
import type { PullRow } from './tables.ts'

declare module '#events' {
  interface Events {
    /** The first version exists. Reviewers are requested with it, by name. */
    'pull.opened': IssueEvent & {
      readonly reviewers: readonly string[]
      readonly team_reviewers: readonly string[]
    }
    /** The head moved: there is a new version. */
    'pull.synchronized': IssueEvent & {
      readonly version: number
      readonly before: string
      readonly after: string
      readonly is_forced: boolean
    }
    'pull.retargeted': IssueEvent & { readonly old_base: string; readonly new_base: string }
    /** Its title no longer marks it as a draft. */
    'pull.ready': IssueEvent
    /** Carries the deleted pull request as an anonymous user saw it. */
    'pull.deleted': IssueEvent & { readonly pull: PullRequest }
    'pull.merged': IssueEvent & {
      readonly merge_commit: string
      readonly is_auto: boolean
      /** Of the token that merged it, if it has one. */
      readonly restriction?: Restriction
    }
  }
}

export function pullEvent(pull: PullRow, actor: { readonly id: number }): IssueEvent {
  const { repository_id, issue_id, number } = pull
  return { repository_id, issue_id, number, is_pull: true, actor_id: actor.id }
}
