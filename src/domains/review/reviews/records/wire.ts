/** The wire format of reviews. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentTeam, Team, type TeamRecord } from '#domains/people/orgs'
import { type Account, User } from '#domains/people/users'
import { presentAuthor } from '#domains/work/issues'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { ReviewKind, ReviewRow } from '../tables.ts'

const STATES = {
  pending: 'PENDING',
  approve: 'APPROVED',
  comment: 'COMMENT',
  reject: 'REQUEST_CHANGES',
  request: 'REQUEST_REVIEW',
} as const satisfies Record<ReviewKind, string>

export type PullReview = Static<typeof PullReview>
export const PullReview = Type.Object(
  {
    id: Type.Integer(),
    user: Type.Union([User, Type.Null()]),
    team: Type.Union([Team, Type.Null()]),
    state: Type.Union([
      Type.Literal('PENDING'),
      Type.Literal('APPROVED'),
      Type.Literal('COMMENT'),
      Type.Literal('REQUEST_CHANGES'),
      Type.Literal('REQUEST_REVIEW'),
    ]),
    body: Type.String(),
    commit_id: Type.String(),
    stale: Type.Boolean({ description: 'whether the head has moved since' }),
    official: Type.Boolean({ description: 'whether it counts for the branch protection' }),
    dismissed: Type.Boolean(),
    comments_count: Type.Integer(),
    submitted_at: Time,
    updated_at: Time,
    html_url: Type.String(),
    pull_request_url: Type.String(),
  },
  { title: 'PullReview' },
)

/** Everything needed to present reviews of one pull request. */
export interface Around {
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  readonly teams: ReadonlyMap<number, TeamRecord>
  /** Number of line comments of each review. */
  readonly counts: ReadonlyMap<number, number>
  /** Web address of the pull request. */
  readonly page: string
  readonly site: Site
}

export function presentReview(review: ReviewRow, around: Around): PullReview {
  const { accounts, teams, counts, page, viewer, site } = around
  const team = teams.get(review.team_id ?? 0)
  const isSubmitted = review.kind !== 'pending' && review.kind !== 'request'
  return {
    id: review.id,
    user:
      review.team_id === null
        ? presentAuthor(accounts.get(review.reviewer_id ?? 0), viewer, site, review.created_at)
        : null,
    team: team === undefined ? null : presentTeam(team, null, site),
    state: STATES[review.kind],
    body: review.body,
    commit_id: review.head_oid,
    stale: review.is_stale,
    official: review.is_official,
    dismissed: review.is_dismissed,
    comments_count: counts.get(review.id) ?? 0,
    submitted_at: time(review.created_at),
    updated_at: time(review.updated_at),
    // Compat: a pending review has no anchor on the page.
    html_url: isSubmitted ? `${page}#pullrequestreview-${review.id}` : '',
    pull_request_url: page,
  }
}

/** Undefined for an unknown state. */
export function kindOf(state: string): ReviewKind | undefined {
  const found = Object.entries(STATES).find(([, name]) => name === state)
  return found?.[0] as ReviewKind | undefined
}
