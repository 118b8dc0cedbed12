/** The wire format of timeline entries. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Attachment, type AttachmentRow, presentAttachment } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { presentTeam, Team, type TeamRecord } from '#domains/people/orgs'
import { type Account, presentUser, User } from '#domains/people/users'
import { Label, type LabelRow } from '#domains/work/labels'
import { Milestone, type MilestoneRow, presentMilestone } from '#domains/work/milestones'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { presentAuthor, presentOriginal } from '../records/people.ts'
import { Issue, pageOfIssue, presentLabelOf } from '../records/wire.ts'
import type { EntryPayload, EntryRow, IssueRow } from '../tables.ts'
import { durationInWords } from '../times/duration.ts'
import { TrackedTime } from '../times/wire.ts'

export type Comment = Static<typeof Comment>
export const Comment = Type.Object(
  {
    id: Type.Integer(),
    html_url: Type.String(),
    pull_request_url: Type.String(),
    issue_url: Type.String(),
    user: User,
    original_author: Type.String(),
    original_author_id: Type.Integer(),
    body: Type.String(),
    assets: Type.Array(Attachment),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Comment' },
)

export type TimelineComment = Static<typeof TimelineComment>
export const TimelineComment = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String({ description: 'kind of the entry: comment, close, label, change_title, …' }),
    html_url: Type.String(),
    pull_request_url: Type.String(),
    issue_url: Type.String(),
    user: User,
    body: Type.String(),
    created_at: Time,
    updated_at: Time,
    old_project_id: Type.Integer(),
    project_id: Type.Integer(),
    old_milestone: Type.Union([Milestone, Type.Null()]),
    milestone: Type.Union([Milestone, Type.Null()]),
    tracked_time: Type.Union([TrackedTime, Type.Null()]),
    old_title: Type.String(),
    new_title: Type.String(),
    old_ref: Type.String(),
    new_ref: Type.String(),
    ref_issue: Type.Union([Issue, Type.Null()]),
    ref_comment: Type.Union([Comment, Type.Null()]),
    ref_action: Type.String(),
    ref_commit_sha: Type.String(),
    review_id: Type.Integer(),
    label: Type.Union([Label, Type.Null()]),
    assignee: Type.Union([User, Type.Null()]),
    assignee_team: Type.Union([Team, Type.Null()]),
    removed_assignee: Type.Boolean(),
    resolve_doer: Type.Union([User, Type.Null()]),
    dependent_issue: Type.Union([Issue, Type.Null()]),
  },
  { title: 'TimelineComment' },
)

/** Sources of references that the caller may see. */
export interface Sources {
  /** Referencing issues that the caller may read, by id. */
  readonly issues: ReadonlyMap<number, Issue>
  /** By comment id. */
  readonly comments: ReadonlyMap<number, Comment>
  /** Repositories whose code the caller may read. */
  readonly codes: ReadonlySet<number>
}

/** Everything needed to present entries of one repository. */
export interface Around {
  readonly repo: Repository
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  readonly teams: ReadonlyMap<number, TeamRecord>
  readonly labels: ReadonlyMap<number, LabelRow>
  readonly milestones: ReadonlyMap<number, MilestoneRow>
  readonly attachments: ReadonlyMap<number, readonly AttachmentRow[]>
  /** Other issues that the viewer may read. */
  readonly issues: ReadonlyMap<number, Issue>
  readonly times: ReadonlyMap<number, TrackedTime>
  readonly sources: Sources
  readonly site: Site
}

/** What a plain comment needs. */
type AroundComment = Pick<Around, 'repo' | 'accounts' | 'attachments' | 'site'>

/** The issue of an entry. */
export type Told = Pick<IssueRow, 'number' | 'is_pull'>

export function presentComment(entry: EntryRow, issue: Told, around: AroundComment): Comment {
  const { created_at, updated_at, ...common } = presentCommon(entry, issue, around)
  const files = around.attachments.get(entry.id) ?? []
  const assets = files.map((row) => presentAttachment(row, around.site))
  return { ...common, ...presentOriginal(entry), assets, created_at, updated_at }
}

export function presentEntry(entry: EntryRow, issue: Told, around: Around): TimelineComment {
  const { repo, accounts, teams, labels, milestones, issues, times, sources, site } = around
  const { payload } = entry
  const label = labels.get(payload.label_id ?? 0)
  const assignee = accounts.get(payload.assignee_id ?? 0)
  const team = teams.get(payload.assignee_team_id ?? 0)
  const milestoneOf = (id: number | null | undefined) => {
    const found = milestones.get(id ?? 0)
    return found === undefined ? null : presentMilestone(found)
  }
  return {
    ...presentCommon(entry, issue, around),
    type: entry.kind,
    body: payload.seconds === undefined ? entry.body : durationInWords(payload.seconds),
    old_project_id: payload.old_project_id ?? 0,
    project_id: payload.project_id ?? 0,
    old_milestone: milestoneOf(payload.old_milestone_id),
    milestone: milestoneOf(payload.milestone_id),
    tracked_time: times.get(payload.time_id ?? 0) ?? null,
    ...presentChanged(payload),
    ...presentReference(entry, sources),
    review_id: payload.review_id ?? 0,
    label: label === undefined ? null : presentLabelOf(label, repo, site),
    assignee: assignee === undefined ? null : presentUser(assignee, null, site),
    assignee_team: team === undefined ? null : presentTeam(team, null, site),
    removed_assignee: payload.is_removed ?? false,
    resolve_doer: null,
    dependent_issue: issues.get(payload.dependent_issue_id ?? 0) ?? null,
  }
}

function presentChanged({ old_title = '', new_title = '', old_ref = '', new_ref = '' }: EntryPayload) {
  return { old_title, new_title, old_ref, new_ref }
}

/** The source of a reference. */
function presentReference(entry: EntryRow, { issues, comments }: Sources) {
  return {
    ref_issue: issues.get(entry.ref_issue_id ?? 0) ?? null,
    ref_comment: comments.get(entry.ref_comment_id ?? 0) ?? null,
    ref_action: entry.ref_action ?? 'none',
    ref_commit_sha: entry.ref_commit ?? '',
  }
}

/** Compat: one of the two URLs is empty, and the other is a web address. */
function presentCommon(entry: EntryRow, issue: Told, { repo, accounts, site }: AroundComment) {
  const page = pageOfIssue(issue, repo, site)
  return {
    id: entry.id,
    html_url: `${page}#issuecomment-${entry.id}`,
    pull_request_url: issue.is_pull ? page : '',
    issue_url: issue.is_pull ? '' : page,
    // Compat: presented as to an anonymous user, for every caller.
    user: presentAuthor(accounts.get(entry.author_id ?? 0), null, site, entry.created_at),
    body: entry.body,
    created_at: time(entry.created_at),
    updated_at: time(entry.updated_at),
  }
}
