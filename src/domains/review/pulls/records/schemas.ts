/** Request schemas of pull requests. */
import { type Static, Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { PageQuery, Time } from '#platform/rest'

const TITLE_MAX = 10_000
const TEXT_MAX = 1_000_000
const LOGIN_MAX = 255
const BRANCH_MAX = 1_024
const MANY = 100

const Logins = Type.Array(Type.String({ maxLength: LOGIN_MAX }), { maxItems: MANY })
const LabelIds = Type.Array(Type.Integer(), { maxItems: MANY, description: 'label ids' })

export const PullPath = inRepository({ index: Type.Integer() })
export const BaseHeadPath = inRepository({
  base: Type.String({ description: 'base branch' }),
  head: Type.String({ description: 'head branch, or owner:branch' }),
})

export type CreatePull = Static<typeof CreatePull>
export const CreatePull = Type.Object(
  {
    title: Type.String({ maxLength: TITLE_MAX, minLength: 1 }),
    head: Type.String({ maxLength: BRANCH_MAX, minLength: 1, description: 'head branch, or owner:branch' }),
    base: Type.String({ maxLength: BRANCH_MAX, minLength: 1, description: 'base branch' }),
    body: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
    assignee: Type.Optional(Type.String({ maxLength: LOGIN_MAX, deprecated: true })),
    assignees: Type.Optional(Logins),
    labels: Type.Optional(LabelIds),
    milestone: Type.Optional(Type.Integer({ description: 'milestone id' })),
    due_date: Type.Optional(Time),
    reviewers: Type.Optional(Logins),
    team_reviewers: Type.Optional(Logins),
    allow_maintainer_edit: Type.Optional(
      Type.Boolean({ description: 'whether those who write here may push to the head branch' }),
    ),
  },
  { title: 'CreatePullRequestOption' },
)

export type EditPull = Static<typeof EditPull>
export const EditPull = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: TITLE_MAX })),
    body: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
    base: Type.Optional(Type.String({ maxLength: BRANCH_MAX, description: 'new base branch' })),
    assignee: Type.Optional(Type.String({ maxLength: LOGIN_MAX, deprecated: true })),
    assignees: Type.Optional(Logins),
    milestone: Type.Optional(Type.Integer({ description: 'milestone id; 0 changes nothing' })),
    labels: Type.Optional(LabelIds),
    state: Type.Optional(Type.String({ maxLength: 20, description: 'open or closed' })),
    due_date: Type.Optional(Time),
    unset_due_date: Type.Optional(Type.Boolean()),
    allow_maintainer_edit: Type.Optional(Type.Boolean()),
    content_version: Type.Optional(
      Type.Integer({ description: 'the version of the body that is edited; 409 if there is a newer one' }),
    ),
  },
  { title: 'EditPullRequestOption' },
)

export type PullsQuery = Static<typeof PullsQuery>
export const PullsQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 20, description: 'open (default), closed or all' })),
  sort: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'recentupdate, leastupdate, mostcomment, leastcomment, priority or oldest',
    }),
  ),
  base_branch: Type.Optional(Type.String({ maxLength: 255 })),
  milestone: Type.Optional(Type.Integer()),
  labels: Type.Optional(Type.Array(Type.Integer(), { maxItems: MANY })),
  poster: Type.Optional(Type.String({ maxLength: LOGIN_MAX })),
  ...PageQuery.properties,
})
