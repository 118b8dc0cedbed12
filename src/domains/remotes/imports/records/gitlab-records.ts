/** Records in the format of GitLab, and their conversion to the common one. Pure. */
import { type Static, Type } from 'typebox'
import { flag, text } from '../sources/fields.ts'
import type { Listed } from '../sources/list-pages.ts'
import type { RecordKind, SourceRecord } from './source-records.ts'

/** Numbers of merge requests may continue after it. */
const NUMBER_MAX = 2 ** 30
const LABELS_MAX = 100
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Number_ = Type.Integer({ minimum: 1, maximum: NUMBER_MAX })
const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: NUMBER_MAX }))
const orNull = <T extends ReturnType<typeof Type.Object> | typeof Id>(it: T) =>
  Type.Optional(Type.Union([it, Type.Null()]))
export const Person = Type.Object({ id: Id, username: Type.String() })
export const authored = { author: orNull(Person), created_at: text, updated_at: text }

const Label = Type.Object({ name: Type.String({ minLength: 1 }), color: text, description: text })
const Milestone = Type.Object({
  title: Type.String({ minLength: 1 }),
  description: text,
  state: text,
  due_date: text,
  created_at: text,
  updated_at: text,
})
const shared = {
  iid: Number_,
  title: text,
  description: text,
  state: text,
  labels: Type.Optional(Type.Array(Type.String(), { maxItems: LABELS_MAX })),
  milestone: orNull(Type.Object({ title: Type.String() })),
  discussion_locked: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  user_notes_count: Count,
  closed_at: text,
  ...authored,
}
const Issue = Type.Object({ ...shared, due_date: text, confidential: flag })
const MergeRequest = Type.Object({
  ...shared,
  merged_at: text,
  merge_commit_sha: text,
  squash_commit_sha: text,
  target_branch: text,
  source_branch: text,
  target_project_id: orNull(Id),
  source_project_id: orNull(Id),
  sha: text,
  allow_collaboration: flag,
})

type Common = Omit<Static<typeof Issue>, 'due_date' | 'confidential'>

/** A list whose items are converted before they are stored. */
interface Converted<Kind extends RecordKind> extends Listed<ReturnType<typeof Type.Object>> {
  read(item: never): readonly SourceRecord<Kind>[]
}

const ASCENDING = 'order_by=created_at&sort=asc&'

export const GITLAB_LISTS: {
  readonly [Kind in 'labels' | 'milestones' | 'issues' | 'pulls']: Converted<Kind>
} = {
  labels: {
    many: 'labels',
    one: 'label',
    path: '/labels?',
    item: Label,
    mayBeMissing: true,
    read: (label: Static<typeof Label>) => [label],
  },
  milestones: {
    many: 'milestones',
    one: 'milestone',
    path: '/milestones?include_ancestors=true&',
    item: Milestone,
    mayBeMissing: true,
    read: ({ due_date, ...it }: Static<typeof Milestone>) => [{ ...it, due_on: due_date ?? null }],
  },
  issues: {
    many: 'issues',
    one: 'issue',
    path: `/issues?scope=all&${ASCENDING}`,
    item: Issue,
    mayBeMissing: true,
    read: (issue: Static<typeof Issue>) => [
      {
        ...commonOf(issue),
        due_date: issue.due_date ?? null,
        comments: issue.user_notes_count ?? 0,
        is_confidential: issue.confidential ?? false,
      },
    ],
  },
  pulls: {
    many: 'merge requests',
    one: 'merge request',
    path: `/merge_requests?scope=all&state=all&${ASCENDING}`,
    item: MergeRequest,
    mayBeMissing: true,
    read: (it: Static<typeof MergeRequest>) => [pullOf(it)],
  },
}

function pullOf(it: Static<typeof MergeRequest>): SourceRecord<'pulls'> {
  const placeOf = (id: number | null | undefined) => (id ? { full_name: String(id) } : null)
  return {
    number: it.iid,
    state: stateOf(it.state),
    closed_at: it.closed_at ?? null,
    merged_at: it.merged_at ?? null,
    merge_commit_sha: it.merge_commit_sha ?? it.squash_commit_sha ?? null,
    allow_maintainer_edit: it.allow_collaboration ?? false,
    review_comments: it.user_notes_count ?? 0,
    base: { ref: it.target_branch ?? null, repo: placeOf(it.target_project_id) },
    head: { ref: it.source_branch ?? null, sha: it.sha ?? null, repo: placeOf(it.source_project_id) },
    created_at: it.created_at ?? null,
    updated_at: it.updated_at ?? null,
    issue: { ...commonOf(it), pull_request: {} },
  }
}

function commonOf(it: Common): SourceRecord<'issues'> {
  return {
    number: it.iid,
    title: it.title ?? null,
    body: it.description ?? null,
    state: stateOf(it.state),
    locked: it.discussion_locked ?? false,
    labels: (it.labels ?? []).map((name) => ({ name })),
    milestone: it.milestone ?? null,
    closed_at: it.closed_at ?? null,
    ...authorOf(it),
  }
}

/** A merge request is `locked` while it is being merged. */
function stateOf(state: string | null | undefined): string {
  return state === 'closed' || state === 'merged' ? 'closed' : 'open'
}

/** In the common format, with times. */
export function authorOf({
  author,
  created_at,
  updated_at,
}: Pick<Common, 'author' | 'created_at' | 'updated_at'>) {
  const user = author ? { id: author.id, login: author.username } : null
  return { user, created_at: created_at ?? null, updated_at: updated_at ?? null }
}
