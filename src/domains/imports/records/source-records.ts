/** Labels, milestones, issues and comments as sources tell them, and as we keep them. Pure. */
import { type Static, Type } from 'typebox'
import type { BroughtComment, BroughtIssue, BroughtMilestone } from '#domains/issues'
import type { BroughtLabel } from '#domains/labels'
import { cut, flag, text, timeOf } from '../fields.ts'
import type { Listed } from '../list-pages.ts'

const SHORT_MAX = 255
const DESCRIPTION_MAX = 2_048
const TEXT_MAX = 1_000_000
const LABELS_AN_ISSUE_MAX = 100
/** Numbers go on from the highest. */
const NUMBER_MAX = 2 ** 31 - 1
const COLOR = /^#?([\da-f]{6})$/i
const COLOR_DEFAULT = 'cccccc'

const Id = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const author = {
  user: Type.Optional(Type.Union([Type.Object({ id: Id, login: Type.String() }), Type.Null()])),
  /** Of what the source itself brought in from elsewhere. */
  original_author: text,
  original_author_id: Type.Optional(Id),
}
const times = { created_at: text, updated_at: text }

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
  /** Gitea has one name for it, and GitHub the other. */
  is_locked: flag,
  locked: flag,
  labels: Type.Optional(Type.Array(Type.Object({ name: Type.String() }), { maxItems: LABELS_AN_ISSUE_MAX })),
  milestone: Type.Optional(Type.Union([Type.Object({ title: Type.String() }), Type.Null()])),
  /** Something only for pull requests. */
  pull_request: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  due_date: text,
  closed_at: text,
  ...author,
  ...times,
})
const SourceComment = Type.Object({ id: Id, body: text, issue_url: text, ...author, ...times })
type SourceIssue = Static<typeof SourceIssue>
type SourceComment = Static<typeof SourceComment>

/** The oldest first where the source can: what is new meanwhile is on the last page. */
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
} as const satisfies Record<string, Listed<ReturnType<typeof Type.Object>>>

export type RecordKind = keyof typeof LISTS
export type SourceRecord<Kind extends RecordKind> = Static<(typeof LISTS)[Kind]['item']>

export function labelOf(label: SourceRecord<'labels'>, now: Date): BroughtLabel {
  return {
    name: cut(label.name, SHORT_MAX),
    color: COLOR.exec(label.color?.trim() ?? '')?.[1]?.toLowerCase() ?? COLOR_DEFAULT,
    description: cut(label.description, DESCRIPTION_MAX),
    is_exclusive: label.exclusive ?? false,
    archived_at: label.is_archived ? now : null,
  }
}

export function milestoneOf(milestone: SourceRecord<'milestones'>, now: Date): BroughtMilestone {
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

/** Undefined for a pull request: of those only the number is kept. */
export function issueOf(issue: SourceIssue, now: Date): BroughtIssue | undefined {
  if (issue.pull_request) return undefined
  const spans = timesOf(issue, now)
  const is_closed = issue.state === 'closed'
  return {
    number: issue.number,
    title: cut(issue.title, TEXT_MAX),
    body: cut(issue.body, TEXT_MAX),
    is_closed,
    closed_at: is_closed ? (timeOf(issue.closed_at) ?? spans.updated_at) : null,
    is_locked: issue.is_locked ?? issue.locked ?? false,
    deadline_at: timeOf(issue.due_date) ?? null,
    labels: (issue.labels ?? []).map(({ name }) => cut(name, SHORT_MAX)),
    milestone: issue.milestone ? cut(issue.milestone.title, SHORT_MAX) : null,
    ...authorOf(issue),
    ...spans,
  }
}

/** Undefined for what was not said to an issue. */
export function commentOf(comment: SourceComment, now: Date): BroughtComment | undefined {
  const number = /\/issues\/(\d{1,10})$/.exec(comment.issue_url ?? '')?.[1]
  if (number === undefined) return undefined
  return {
    number: Number(number),
    body: cut(comment.body, TEXT_MAX),
    ...authorOf(comment),
    ...timesOf(comment, now),
  }
}

function authorOf({ user, original_author, original_author_id }: SourceIssue | SourceComment) {
  return original_author
    ? { original_author: cut(original_author, SHORT_MAX), original_author_id: original_author_id ?? 0 }
    : { original_author: cut(user?.login, SHORT_MAX), original_author_id: user?.id ?? 0 }
}

function timesOf(
  dated: { readonly created_at?: string | null; readonly updated_at?: string | null },
  now: Date,
) {
  const created_at = timeOf(dated.created_at) ?? now
  return { created_at, updated_at: timeOf(dated.updated_at) ?? created_at }
}
