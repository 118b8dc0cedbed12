/** Webhook payload of an issue. */
import { findAsOwner, presentOwned, presentSender, withRightsOf } from '#domains/code/repositories'
import { payload, type WebhookFacts } from '#slices'
import type { Issue } from '../records/wire.ts'
import { changesOf, excerptOf, findShown, lineOf } from './parts.ts'

interface IssueFacts extends WebhookFacts {
  readonly action: Action
  readonly number: number
  /** The text before the edit. */
  readonly old_title?: string
  readonly old_body?: string
  /** The record of a deleted issue. */
  readonly issue?: Issue
  /** The commit that closed it. */
  readonly commit_id?: string
}

type Action =
  | 'opened'
  | 'edited'
  | 'closed'
  | 'reopened'
  | 'deleted'
  | 'assigned'
  | 'unassigned'
  | 'label_updated'
  | 'label_cleared'
  | 'milestoned'
  | 'demilestoned'

export const issuesPayload = payloadOf('issues', 'author')
export const labelPayload = payloadOf('issue_label', 'author')
export const assignPayload = payloadOf('issue_assign', 'actor')
export const milestonePayload = payloadOf('issue_milestone', 'actor')

/** Compat: the repository's permissions are those of the author or the actor, depending on the event. */
function payloadOf<Type extends 'issues' | 'issue_assign' | 'issue_label' | 'issue_milestone'>(
  type: Type,
  rightsOf: 'author' | 'actor',
) {
  return payload({
    type,
    indent: 2,
    async build(ctx, facts: IssueFacts) {
      const repo = await findAsOwner(ctx, facts.repository_id)
      const issue = facts.issue ?? (repo && (await findShown(ctx, repo, facts.number)))
      if (repo === undefined || issue === undefined) return null
      const holderId = rightsOf === 'actor' ? facts.actor_id : issue.user.id
      return {
        action: facts.action,
        number: facts.number,
        ...(facts.action === 'edited' ? changesIn(facts, issue) : {}),
        issue,
        repository: presentOwned(await withRightsOf(ctx, repo, holderId), ctx),
        sender: await presentSender(ctx, facts.actor_id),
        commit_id: facts.commit_id ?? '',
      }
    },
    describe: ({ action, issue, repository }) => ({
      title: lineOf(
        `[${repository.full_name}] Issue #${issue.number} ${ISSUE_WORDS[action]}: ${issue.title}`,
      ),
      // A deleted issue has no page.
      ...(action === 'deleted' ? {} : { url: issue.html_url }),
      lines:
        action === 'opened'
          ? [{ label: `#${issue.number}`, url: issue.html_url, text: excerptOf(issue.body) }]
          : [],
      ...(ISSUE_COLORS[action] === undefined ? {} : { color: ISSUE_COLORS[action] }),
    }),
  })
}

function changesIn({ old_title, old_body }: IssueFacts, issue: Issue) {
  return old_title === undefined
    ? changesOf({ body: { from: old_body ?? issue.body } })
    : changesOf({ title: { from: old_title } })
}

/** Actions as chat messages word them; pull requests use these and more. */
export const ISSUE_WORDS = {
  opened: 'opened',
  edited: 'edited',
  closed: 'closed',
  reopened: 'reopened',
  deleted: 'deleted',
  assigned: 'assigned',
  unassigned: 'unassigned',
  label_updated: 'labels updated',
  label_cleared: 'labels cleared',
  milestoned: 'milestoned',
  demilestoned: 'demilestoned',
} as const
export const ISSUE_COLORS: Readonly<Record<string, 'green' | 'red' | undefined>> = {
  opened: 'green',
  reopened: 'green',
  closed: 'red',
  deleted: 'red',
}
