/** Timeline events other than comments: one line each, collapsed if there are many in a row. */
import { type Html, html, type PageVisit, type Piece } from '#platform/page'
import type { Milestone, TimelineComment, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { eventWords as words } from '../../words/events.ts'
import { avatar, icon, label, time } from '../basics.ts'
import { pageOf } from '../issues/issue-list.ts'

interface Place {
  readonly full_name: string
}

/** More events in a row are collapsed. */
const ROW_MAX = 4

export function eventGroup(visit: PageVisit, entries: readonly TimelineComment[], repo: Place): Html {
  const list = html`<ul class="events">${entries.map((entry) => event(visit, entry, repo))}</ul>`
  if (entries.length <= ROW_MAX) return list
  return html`<details class="folded"><summary>${words.folded(entries.length)}</summary>${list}</details>`
}

function event({ ctx }: PageVisit, entry: TimelineComment, repo: Place): Html {
  const { user, created_at, id } = entry
  const anchor = `event-${id}`
  return html`<li class="event" id="${anchor}" data-entry="${anchor}">${icon(ICONS[entry.type] ?? 'circle')}<span>${avatar(user, 16)} <a class="person" href="${links.account(user.login)}">${user.login}</a> ${sentence(entry, repo)} <a class="quiet-text" href="#${anchor}">${time(created_at, ctx.now())}</a></span></li>`
}

const ICONS: Readonly<Record<string, string>> = {
  close: 'circle-check',
  reopen: 'circle-dot',
  label: 'tag',
  milestone: 'milestone',
  assignees: 'user',
  change_title: 'pencil',
  lock: 'lock',
  unlock: 'lock-open',
  pin: 'pin',
  unpin: 'pin',
  add_dependency: 'link',
  remove_dependency: 'link',
  project: 'square-kanban',
  project_board: 'square-kanban',
  added_deadline: 'calendar',
  modified_deadline: 'calendar',
  removed_deadline: 'calendar',
  start_tracking: 'clock',
  stop_tracking: 'clock',
  add_time_manual: 'clock',
  merge_pull: 'git-merge',
  pull_push: 'git-commit-horizontal',
  review: 'eye',
  review_request: 'eye',
  delete_branch: 'git-branch',
  commit_ref: 'git-commit-horizontal',
  issue_ref: 'at-sign',
  pull_ref: 'git-pull-request',
  comment_ref: 'at-sign',
}

/** Text of an event by its type. */
const SENTENCES: Readonly<Record<string, (entry: TimelineComment, repo: Place) => Piece>> = {
  close: (it, repo) => by(it, repo, words.closed, words.closedBy),
  reopen: (it, repo) => by(it, repo, words.reopened, words.reopenedBy),
  label: ({ label: it, body }) =>
    it === null
      ? words.labelGone
      : body === '1'
        ? words.labelAdded(label(it))
        : words.labelRemoved(label(it)),
  milestone: ({ milestone, old_milestone: old }, repo) => milestoneSentence(milestone, old, repo),
  assignees: ({ assignee, removed_assignee, user }) => {
    if (assignee === null) return words.changed
    if (removed_assignee) return words.unassigned(who(assignee))
    return assignee.login === user.login ? words.assignedThemselves : words.assigned(who(assignee))
  },
  change_title: ({ old_title, new_title }) => words.titleChanged(old_title, new_title),
  change_issue_ref: ({ old_ref, new_ref }) => words.refChanged(old_ref, new_ref),
  added_deadline: ({ body }) => words.deadlineAdded(body),
  modified_deadline: ({ body }) => words.deadlineMoved(...days(body)),
  removed_deadline: ({ body }) => words.deadlineRemoved(body),
  lock: ({ body }) => (body === '' ? words.locked : words.lockedBecause(body)),
  unlock: () => words.unlocked,
  pin: () => words.pinned,
  unpin: () => words.unpinned,
  add_dependency: ({ dependent_issue }) => depends(dependent_issue, words.dependencyAdded),
  remove_dependency: ({ dependent_issue }) => depends(dependent_issue, words.dependencyRemoved),
  start_tracking: () => words.trackingStarted,
  stop_tracking: ({ body }) => words.trackingStopped(body),
  cancel_tracking: () => words.trackingCancelled,
  add_time_manual: ({ body }) => words.timeAdded(body),
  delete_time_manual: ({ body }) => words.timeDeleted(body),
  project: ({ project_id }) => (project_id > 0 ? words.projectAdded : words.projectRemoved),
  project_board: () => words.columnMoved,
  delete_branch: ({ old_ref }) => words.branchDeleted(old_ref),
  review: () => words.reviewed,
  review_request: ({ assignee, assignee_team, removed_assignee }) => {
    const asked = assignee === null ? html`<strong>${assignee_team?.name ?? '–'}</strong>` : who(assignee)
    return removed_assignee ? words.reviewUnasked(asked) : words.reviewAsked(asked)
  },
  dismiss_review: () => words.reviewDismissed,
  change_target_branch: ({ old_ref, new_ref }) => words.targetChanged(old_ref, new_ref),
  merge_pull: () => words.merged,
  pull_push: ({ body }, repo) => pushed(body, repo),
  pull_scheduled_merge: () => words.mergeScheduled,
  pull_cancel_scheduled_merge: () => words.mergeUnscheduled,
  issue_ref: (it, repo) => words.mentionedIn(source(it, repo)),
  pull_ref: (it, repo) => words.mentionedIn(source(it, repo)),
  comment_ref: (it, repo) => words.mentionedIn(source(it, repo)),
  commit_ref: (it, repo) => words.mentionedIn(source(it, repo)),
}

function sentence(entry: TimelineComment, repo: Place): Piece {
  return (SENTENCES[entry.type] ?? (() => words.changed))(entry, repo)
}

function by(entry: TimelineComment, repo: Place, alone: string, caused: (by: Html) => Html): Piece {
  return entry.ref_issue === null && entry.ref_commit_sha === '' ? alone : caused(source(entry, repo))
}

/** The commit, issue or comment that contains the reference. */
function source({ ref_issue, ref_commit_sha, ref_comment, body }: TimelineComment, repo: Place): Html {
  if (ref_commit_sha !== '')
    return html`<a class="mono" href="${links.commit(repo, ref_commit_sha)}">${ref_commit_sha.slice(0, 10)}</a>`
  if (ref_issue === null) return html`${body || '–'}`
  const anchor = ref_comment === null ? '' : `#issuecomment-${ref_comment.id}`
  const name = ref_issue.repository.full_name === repo.full_name ? '' : ref_issue.repository.full_name
  return html`<a href="${pageOf(ref_issue)}${anchor}">${ref_issue.title} <span class="quiet-text">${name}#${ref_issue.number}</span></a>`
}

function milestoneSentence(now: Milestone | null, old: Milestone | null, repo: Place): Piece {
  const link = (it: Milestone) => html`<a href="${links.milestone(repo, it.id)}">${it.title}</a>`
  if (now !== null)
    return old === null ? words.milestoneSet(link(now)) : words.milestoneMoved(link(old), link(now))
  return old === null ? words.milestoneGone : words.milestoneUnset(link(old))
}

function depends(issue: TimelineComment['dependent_issue'], say: (on: Html) => Html): Piece {
  if (issue === null) return words.changed
  return say(html`<a href="${pageOf(issue)}">${issue.title} #${issue.number}</a>`)
}

function days(body: string): [string, string] {
  const [now = '', old = ''] = body.split('|')
  return [now, old]
}

/** The body states whether it was a force push, and lists the commits. */
function pushed(body: string, repo: Place): Piece {
  const { is_force_push: isForced, commit_ids: ids } = readPush(body)
  const link = (id: string) => html`<a class="mono" href="${links.commit(repo, id)}">${id.slice(0, 10)}</a>`
  const [old = '', now = ''] = ids
  return isForced ? words.pushedForced(link(old), link(now)) : words.pushed(ids.length)
}

function readPush(body: string): { is_force_push: boolean; commit_ids: string[] } {
  try {
    const { is_force_push = false, commit_ids = [] } = JSON.parse(body) ?? {}
    return { is_force_push, commit_ids }
  } catch {
    return { is_force_push: false, commit_ids: [] }
  }
}

function who({ login }: Pick<User, 'login'>): Html {
  return html`<a class="person" href="${links.account(login)}">${login}</a>`
}
