/** Request schemas of issues. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { pageFields, Time } from '#platform/rest'

export const TEXT_MAX = 1_000_000
const TITLE_MAX = 4096
const REF_MAX = 1024
const PEOPLE_MAX = 50
const LABELS_MAX = 100
const PROJECTS_MAX = 50
const LOGIN_MAX = 255

export const IssuePath = inRepository({ index: Type.Integer() })

export const Logins = Type.Array(Type.String({ maxLength: LOGIN_MAX }), { maxItems: PEOPLE_MAX })

const Projects = Type.Array(Type.Integer(), { maxItems: PROJECTS_MAX, description: 'list of project ids' })

export type CreateIssue = Static<typeof CreateIssue>
export const CreateIssue = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: TITLE_MAX }),
    body: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
    ref: Type.Optional(Type.String({ maxLength: REF_MAX })),
    assignee: Type.Optional(Type.String({ maxLength: LOGIN_MAX, deprecated: true })),
    assignees: Type.Optional(Logins),
    due_date: Type.Optional(Time),
    milestone: Type.Optional(Type.Integer({ description: 'milestone id' })),
    labels: Type.Optional(
      Type.Array(Type.Integer(), { maxItems: LABELS_MAX, description: 'list of label ids' }),
    ),
    projects: Type.Optional(Projects),
    closed: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateIssueOption' },
)

export type EditIssue = Static<typeof EditIssue>
export const EditIssue = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: TITLE_MAX })),
    body: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
    content_version: Type.Optional(
      Type.Integer({ description: 'the version of the body that is edited; 409 if there is a newer one' }),
    ),
    ref: Type.Optional(Type.String({ maxLength: REF_MAX })),
    assignee: Type.Optional(Type.String({ maxLength: LOGIN_MAX, deprecated: true })),
    assignees: Type.Optional(Logins),
    milestone: Type.Optional(Type.Integer({ description: 'milestone id; 0 for none' })),
    projects: Type.Optional(Projects),
    state: Type.Optional(Type.String({ maxLength: 20, description: 'open or closed' })),
    due_date: Type.Optional(Time),
    unset_due_date: Type.Optional(Type.Boolean()),
  },
  { title: 'EditIssueOption' },
)

export const EditDeadline = Type.Object(
  { due_date: Type.Optional({ ...Time, description: 'only the date is used; null for none' }) },
  { title: 'EditDeadlineOption' },
)
export const IssueDeadline = Type.Object(
  { due_date: Type.Union([Time, Type.Null()]) },
  { title: 'IssueDeadline' },
)

/** In any script, the lists and the search string fit into the 16 KiB limit of request line and headers. */
export const Names = Type.String({ maxLength: 400 })

export type IssuesQuery = Static<typeof IssuesQuery>
export const IssuesQuery = Type.Object({
  ...pageFields,
  state: Type.Optional(Type.String({ description: 'open (default), closed or all' })),
  type: Type.Optional(Type.String({ description: 'issues or pulls; both by default' })),
  labels: Type.Optional({ ...Names, description: 'comma-separated label names; issues with all of them' }),
  milestones: Type.Optional({ ...Names, description: 'comma-separated milestone names or ids' }),
  q: Type.Optional({ ...Names, description: 'search string' }),
  since: Type.Optional(Type.String({ description: 'only issues updated after this time (RFC 3339)' })),
  before: Type.Optional(Type.String({ description: 'only issues updated before this time (RFC 3339)' })),
  created_by: Type.Optional(Type.String({ description: 'only issues created by this user' })),
  assigned_by: Type.Optional(Type.String({ description: 'only issues assigned to this user' })),
  mentioned_by: Type.Optional(Type.String({ description: 'only issues that mention this user' })),
})

/** The names that Gitea's pages have for orders. */
export const Sort = Type.Union([
  Type.Literal('latest'),
  Type.Literal('oldest'),
  Type.Literal('recentupdate'),
  Type.Literal('leastupdate'),
  Type.Literal('mostcomment'),
  Type.Literal('nearduedate'),
])

export type SortedQuery = Static<typeof SortedQuery>
export const SortedQuery = Type.Object({ ...IssuesQuery.properties, sort: Type.Optional(Sort) })
