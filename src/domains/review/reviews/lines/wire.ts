/** The wire format of review comments. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { type Account, presentUser, User } from '#domains/people/users'
import { presentAuthor } from '#domains/work/issues'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { Line } from './store.ts'

export type PullReviewComment = Static<typeof PullReviewComment>
export const PullReviewComment = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String(),
    user: User,
    resolver: Type.Union([User, Type.Null()]),
    pull_request_review_id: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    path: Type.String(),
    commit_id: Type.String({ description: 'the head in which it is at this position' }),
    original_commit_id: Type.String({ description: 'the head it was written on, when it has moved since' }),
    diff_hunk: Type.String(),
    position: Type.Integer({ description: 'line of the new file, or 0' }),
    original_position: Type.Integer({ description: 'line of the old file, or 0' }),
    start_line: Type.Optional(
      Type.Integer({ description: 'the first line of a comment on several lines, on the same side' }),
    ),
    outdated: Type.Boolean({ description: 'whether the head has no such line any more' }),
    html_url: Type.String(),
    pull_request_url: Type.String(),
  },
  { title: 'PullReviewComment' },
)

export interface Around {
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  /** Web address of the pull request. */
  readonly page: string
  readonly site: Site
}

export function presentLine(line: Line, { viewer, accounts, page, site }: Around): PullReviewComment {
  const resolver = accounts.get(line.resolver_id ?? 0)
  const { path, number, start, commit_id } = placeOf(line)
  return {
    id: line.comment_id,
    body: line.body,
    user: presentAuthor(accounts.get(line.author_id ?? 0), viewer, site, line.created_at),
    resolver: resolver === undefined ? null : presentUser(resolver, viewer, site),
    pull_request_review_id: line.review_id,
    created_at: time(line.created_at),
    updated_at: time(line.updated_at),
    path,
    commit_id,
    original_commit_id: commit_id === line.head_oid ? '' : line.head_oid,
    diff_hunk: line.diff_hunk,
    position: line.side === 'new' ? number : 0,
    original_position: line.side === 'old' ? number : 0,
    ...(start !== null && start < number && { start_line: start }),
    outdated: line.current_line === null,
    html_url: `${page}#issuecomment-${line.comment_id}`,
    pull_request_url: page,
  }
}

/** An outdated comment is shown at its original place. */
function placeOf(line: Line) {
  if (line.current_line === null)
    return { path: line.path, number: line.line, start: line.start_line, commit_id: line.head_oid }
  const { current_path: path, current_line: number, current_start_line: start } = line
  return { path, number, start, commit_id: line.current_head_oid }
}
