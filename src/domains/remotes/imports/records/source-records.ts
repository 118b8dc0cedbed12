/** Labels, milestones, issues, pull requests and comments in the formats of sources, and their conversion. Pure. */
import { type Static, Type } from 'typebox'
import type { ImportedPull } from '#domains/review/pulls'
import type { ImportedComment, ImportedIssue } from '#domains/work/issues'
import type { ImportedLabel } from '#domains/work/labels'
import type { ImportedMilestone } from '#domains/work/milestones'
import { cut, flag, text, timeOf, times, timesOf } from '../sources/fields.ts'
import type { Listed } from '../sources/list-pages.ts'
import { authorOf } from './author-of.ts'
import { accountOf, accountsOf, type Known, type KnownAuthors, takeFiles } from './known.ts'
import { reactionsOf } from './reactions.ts'

const SHORT_MAX = 255
const DESCRIPTION_MAX = 2_048
export const TEXT_MAX = 1_000_000
const LABELS_AN_ISSUE_MAX = 100
const PEOPLE_AN_ISSUE_MAX = 1_000
const FILES_MAX = 1_000
/** New numbers continue from the highest. */
const NUMBER_MAX = 2 ** 31 - 1
const COLOR = /^#?([\da-f]{6})$/i
const COLOR_DEFAULT = 'cccccc'

const Id = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const author = {
  user: Type.Optional(Type.Union([Type.Object({ id: Id, login: Type.String() }), Type.Null()])),
  /** Set if the source itself imported the record. */
  original_author: text,
  original_author_id: Type.Optional(Id),
}
const Person = Type.Object({ login: Type.String() })
const people = Type.Optional(Type.Union([Type.Array(Person, { maxItems: PEOPLE_AN_ISSUE_MAX }), Type.Null()]))
/** Read only where the files themselves come along. */
const assets = Type.Optional(
  Type.Union([Type.Array(Type.Object({ uuid: text, name: text }), { maxItems: FILES_MAX }), Type.Null()]),
)

/** `reactionsOf` reads them. */
const reactions = Type.Optional(Type.Unknown())

const SourceLabel = Type.Object({
  name: Type.String({ minLength: 1 }),
  color: text,
  description: text,
  exclusive: flag,
  is_archived: flag,
})
const SourceMilestone = Type.Object({
  title: Type.String({ minLength: 1 }),
  description: text,
  state: text,
  due_on: text,
  closed_at: text,
  ...times,
})
const SourceIssue = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: NUMBER_MAX }),
  title: text,
  body: text,
  state: text,
  /** `is_locked` in Gitea, `locked` in GitHub. */
  is_locked: flag,
  locked: flag,
  labels: Type.Optional(Type.Array(Type.Object({ name: Type.String() }), { maxItems: LABELS_AN_ISSUE_MAX })),
  milestone: Type.Optional(Type.Union([Type.Object({ title: Type.String() }), Type.Null()])),
  /** Set only for pull requests. */
  pull_request: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  due_date: text,
  closed_at: text,
  assignees: people,
  assets,
  /** A branch or tag, and the place among pinned issues; 0 for none. Set by Gitea. */
  ref: text,
  pin_order: Type.Optional(Type.Integer()),
  reactions,
  /** Their number. */
  comments: Type.Optional(Type.Integer()),
  is_confidential: flag,
  ...author,
  ...times,
})
const SourceComment = Type.Object({
  id: Id,
  body: text,
  issue_url: text,
  /** Set by Gitea for comments on pull requests. */
  pull_request_url: text,
  assets,
  reactions,
  ...author,
  ...times,
})
const SourceBranch = Type.Object({
  ref: text,
  sha: text,
  repo: Type.Optional(Type.Union([Type.Object({ full_name: text }), Type.Null()])),
})
const SourcePull = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: NUMBER_MAX }),
  state: text,
  closed_at: text,
  merged_at: text,
  merge_commit_sha: text,
  merged_by: Type.Optional(Type.Union([Person, Type.Null()])),
  /** Set by Gitea; GitHub only has the base commit. */
  merge_base: text,
  allow_maintainer_edit: flag,
  /** Absent if there are none. */
  review_comments: Type.Optional(Type.Integer()),
  base: SourceBranch,
  head: SourceBranch,
  /** Of GitLab, which does not list merge requests among issues. */
  issue: Type.Optional(SourceIssue),
  ...times,
})
const Line = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), Type.Null()]))
/** A remark on lines, in the format of GitHub. */
const SourceRemark = Type.Object({
  id: Id,
  pull_request_review_id: Type.Optional(Type.Union([Id, Type.Null()])),
  pull_request_url: text,
  in_reply_to_id: Type.Optional(Id),
  path: text,
  body: text,
  diff_hunk: text,
  commit_id: text,
  original_commit_id: text,
  line: Line,
  original_line: Line,
  start_line: Line,
  original_start_line: Line,
  side: text,
  ...author,
  ...times,
})
type SourceIssue = Static<typeof SourceIssue>
type SourceComment = Static<typeof SourceComment>
type SourcePull = Static<typeof SourcePull>

/** Oldest first if the source supports it, so that new records are on the last page. */
export const LISTS = {
  labels: { many: 'labels', one: 'label', path: '/labels?', item: SourceLabel },
  milestones: {
    many: 'milestones',
    one: 'milestone',
    path: '/milestones?state=all&',
    item: SourceMilestone,
  },
  issues: {
    many: 'issues',
    one: 'issue',
    path: '/issues?state=all&sort=created&direction=asc&',
    item: SourceIssue,
  },
  comments: {
    many: 'comments',
    one: 'comment',
    path: '/issues/comments?sort=created&direction=asc&',
    item: SourceComment,
  },
  pulls: {
    many: 'pull requests',
    one: 'pull request',
    path: '/pulls?state=all&sort=created&direction=asc&',
    item: SourcePull,
  },
  remarks: {
    many: 'review comments',
    one: 'review comment',
    path: '/pulls/comments?sort=created&direction=asc&',
    item: SourceRemark,
  },
} as const satisfies Record<string, Listed<ReturnType<typeof Type.Object>>>

export type RecordKind = keyof typeof LISTS
export type SourceRecord<Kind extends RecordKind> = Static<(typeof LISTS)[Kind]['item']>

export function labelOf(label: SourceRecord<'labels'>, now: Date): ImportedLabel {
  return {
    name: cut(label.name, SHORT_MAX),
    color: COLOR.exec(label.color?.trim() ?? '')?.[1]?.toLowerCase() ?? COLOR_DEFAULT,
    description: cut(label.description, DESCRIPTION_MAX),
    is_exclusive: label.exclusive ?? false,
    archived_at: label.is_archived ? now : null,
  }
}

export function milestoneOf(milestone: SourceRecord<'milestones'>, now: Date): ImportedMilestone {
  const spans = timesOf(milestone, now)
  const is_closed = milestone.state === 'closed'
  return {
    title: cut(milestone.title, SHORT_MAX),
    description: cut(milestone.description, TEXT_MAX),
    is_closed,
    closed_at: is_closed ? (timeOf(milestone.closed_at) ?? spans.updated_at) : null,
    due_at: timeOf(milestone.due_on) ?? null,
    ...spans,
  }
}

/** The state shared by a pull request and its issue; taken from the pull request. */
type PullState = Pick<ImportedIssue, 'is_closed' | 'closed_at' | 'merged_at'>

export function stateOf(pull: SourcePull, now: Date): PullState {
  const merged_at = timeOf(pull.merged_at) ?? null
  const is_closed = pull.state === 'closed' || merged_at !== null
  const closed_at = timeOf(pull.closed_at) ?? merged_at ?? timesOf(pull, now).updated_at
  return { is_closed, closed_at: is_closed ? closed_at : null, merged_at }
}

/** `state`: of a pull request, if it was listed. */
export function issueOf(
  issue: SourceIssue,
  now: Date,
  state: PullState | undefined,
  known: KnownAuthors,
): ImportedIssue {
  const spans = timesOf(issue, now)
  const is_closed = issue.state === 'closed'
  return {
    number: issue.number,
    is_pull: state !== undefined,
    title: cut(issue.title, TEXT_MAX),
    body: cut(issue.body, TEXT_MAX),
    is_closed,
    closed_at: is_closed ? (timeOf(issue.closed_at) ?? spans.updated_at) : null,
    merged_at: null,
    ...state,
    is_locked: issue.is_locked ?? issue.locked ?? false,
    deadline_at: timeOf(issue.due_date) ?? null,
    labels: (issue.labels ?? []).map(({ name }) => cut(name, SHORT_MAX)),
    milestone: issue.milestone ? cut(issue.milestone.title, SHORT_MAX) : null,
    assignees: accountsOf(known, issue.assignees),
    files: takeFiles(known, issue.assets),
    ref: cut(issue.ref, SHORT_MAX),
    pin_position: issue.pin_order && issue.pin_order > 0 ? issue.pin_order : null,
    reactions: reactionsOf(issue, now, known),
    ...authorOf(issue, known),
    ...spans,
  }
}

export function isOid(told: string | null | undefined): told is string {
  return /^[\da-f]{40}(?:[\da-f]{24})?$/.test(told ?? '')
}

/** The merge base or base commit as stated by the source; empty if unknown. */
export function partingOf({ merge_base, base }: SourcePull): string {
  const told = merge_base || base.sha
  return isOid(told) ? told : ''
}

/** Undefined without a base. Only a head branch in the same repository is imported. */
export function pullOf(pull: SourcePull, headOid: string, now: Date, known: Known): ImportedPull | undefined {
  const { base, head } = pull
  const base_branch = cut(base.ref, SHORT_MAX)
  if (base_branch === '') return undefined
  const head_branch = cut(head.ref, SHORT_MAX)
  const place = base.repo?.full_name
  const isOwn = Boolean(place) && head.repo?.full_name === place
  const { is_closed, merged_at } = stateOf(pull, now)
  return {
    number: pull.number,
    is_open: !is_closed,
    base_branch,
    head_branch,
    hasBranch: isOwn && head_branch !== '' && !head_branch.startsWith('refs/'),
    head_oid: headOid,
    base_oid: partingOf(pull),
    allows_maintainer_edit: pull.allow_maintainer_edit ?? false,
    merged_at,
    merged_by_id: merged_at === null ? null : accountOf(known, pull.merged_by),
    merge_commit: merged_at !== null && isOid(pull.merge_commit_sha) ? pull.merge_commit_sha : null,
    created_at: timesOf(pull, now).created_at,
  }
}

/** Undefined if the comment belongs to no issue. */
export function commentOf(
  comment: SourceComment,
  now: Date,
  known: KnownAuthors,
): ImportedComment | undefined {
  const address = comment.issue_url || comment.pull_request_url || ''
  const number = /\/(?:issues|pulls)\/(\d{1,10})$/.exec(address)?.[1]
  if (number === undefined) return undefined
  return {
    number: Number(number),
    body: cut(comment.body, TEXT_MAX),
    files: takeFiles(known, comment.assets),
    reactions: reactionsOf(comment, now, known),
    ...authorOf(comment, known),
    ...timesOf(comment, now),
  }
}
