/** Labels, milestones, projects; issues with everything around them but comments. */
import { cutTitle } from '#platform/rest'
import { carry } from '../carry/carry.ts'
import { flag, id, number, text, time, timeOr, timesOf } from '../source/fields.ts'

const labels = carry({
  from: 'label',
  into: 'label',
  rows: (row) => {
    const repository = id(row.repo_id)
    return {
      id: number(row.id),
      repository_id: repository,
      organization_id: repository === null ? id(row.org_id) : null,
      name: text(row.name),
      color: text(row.color).replace(/^#/, '').toLowerCase(),
      description: text(row.description),
      is_exclusive: flag(row.exclusive),
      archived_at: time(row.archived_unix),
      ...timesOf(row),
    }
  },
})

/** Year 9999: no due date, as older releases wrote it. */
const NO_DEADLINE = 253_370_764_800

const milestones = carry({
  from: 'milestone',
  into: 'milestone',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    title: text(row.name),
    description: text(row.content),
    is_closed: flag(row.is_closed),
    closed_at: flag(row.is_closed) ? timeOr(row.closed_date_unix, row.updated_unix) : null,
    due_at: number(row.deadline_unix) >= NO_DEADLINE ? null : time(row.deadline_unix),
    ...timesOf(row),
  }),
})

const issues = carry({
  name: 'issue → issue',
  from: `select i.*, p.merged_unix, n.pin_order from issue as i
    left join pull_request as p on p.issue_id = i.id and p.has_merged = true
    left join issue_pin as n on n.issue_id = i.id`,
  needs: ['issue_pin'],
  into: 'issue',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    number: number(row.index),
    is_pull: flag(row.is_pull),
    author_id: isOfOthers(row.original_author_id, row.original_author) ? null : id(row.poster_id),
    original_author: text(row.original_author),
    original_author_id: number(row.original_author_id),
    title: cutTitle(text(row.name)),
    body: text(row.content),
    content_version: number(row.content_version),
    is_closed: flag(row.is_closed),
    closed_at: flag(row.is_closed) ? timeOr(row.closed_unix, row.updated_unix) : null,
    is_locked: flag(row.is_locked),
    milestone_id: id(row.milestone_id),
    deadline_at: time(row.deadline_unix),
    pin_position: id(row.pin_order),
    ref: text(row.ref),
    ...timesOf(row),
    merged_at: time(row.merged_unix),
  }),
})

/** Before 1.24 the place of a pin was a column of the issue. */
const oldIssues = carry({
  ...issues,
  name: 'issue → issue (before 1.24)',
  needs: ['issue.pin_order'],
  from: `select i.*, p.merged_unix from issue as i
    left join pull_request as p on p.issue_id = i.id and p.has_merged = true
    where i.pin_order >= 0`,
})

/** Of rows that were brought in from elsewhere the poster is only who brought them. */
export function isOfOthers(authorId: unknown, author: unknown): boolean {
  return Number(authorId ?? 0) !== 0 || String(author ?? '') !== ''
}

const assignees = carry({
  name: 'issue_assignees → issue_assignee',
  from: 'select a.*, i.created_unix from issue_assignees as a join issue as i on i.id = a.issue_id',
  into: 'issue_assignee',
  key: ['issue_id', 'user_id'],
  isReplaced: true,
  rows: (row) => ({
    issue_id: number(row.issue_id),
    user_id: number(row.assignee_id),
    created_at: timeOr(row.created_unix, null),
  }),
})

const issueLabels = carry({
  from: 'issue_label',
  into: 'issue_label',
  key: ['issue_id', 'label_id'],
  isReplaced: true,
  rows: (row) => ({ issue_id: number(row.issue_id), label_id: number(row.label_id) }),
})

const dependencies = carry({
  from: 'issue_dependency',
  into: 'issue_dependency',
  key: ['blocker_id', 'blocked_id'],
  isReplaced: true,
  rows: (row) => ({
    blocker_id: number(row.dependency_id),
    blocked_id: number(row.issue_id),
    created_at: timeOr(row.created_unix, row.updated_unix),
  }),
})

const subscriptions = carry({
  from: 'issue_watch',
  into: 'issue_subscription',
  key: ['issue_id', 'user_id'],
  isReplaced: true,
  rows: (row) => ({
    issue_id: number(row.issue_id),
    user_id: number(row.user_id),
    is_subscribed: flag(row.is_watching),
    updated_at: timeOr(row.updated_unix, row.created_unix),
  }),
})

const times = carry({
  name: 'tracked_time → tracked_time',
  from: 'select t.*, i.repo_id from tracked_time as t join issue as i on i.id = t.issue_id',
  into: 'tracked_time',
  rows: (row) => ({
    id: number(row.id),
    issue_id: number(row.issue_id),
    repository_id: number(row.repo_id),
    user_id: number(row.user_id),
    seconds: number(row.time),
    created_at: timeOr(row.created_unix, null),
    deleted_at: flag(row.deleted) ? timeOr(row.created_unix, null) : null,
  }),
})

const stopwatches = carry({
  from: 'stopwatch',
  into: 'stopwatch',
  key: ['user_id'],
  isReplaced: true,
  rows: (row) => ({
    user_id: number(row.user_id),
    issue_id: number(row.issue_id),
    created_at: timeOr(row.created_unix, null),
  }),
})

export const tracker = [labels, milestones]
export const issueSteps = [
  issues,
  oldIssues,
  assignees,
  issueLabels,
  dependencies,
  subscriptions,
  times,
  stopwatches,
]
