/** Issue filters as SQL conditions that indexes support. */
import { type RawBuilder, sql } from 'kysely'

type Condition = RawBuilder<boolean>

/** null or empty: any. */
export interface IssueFilter {
  readonly isClosed: boolean | null
  readonly isPull: boolean | null
  readonly authorId: number | null
  readonly assigneeId: number | null
  readonly since: Date | null
  readonly before: Date | null
  /** Also what suspended accounts wrote. */
  readonly showsHidden: boolean
  /** Further conditions. */
  readonly conditions: readonly Condition[]
}

/** Conditions on `issue` that must all hold; the caller adds state and kind. */
export function conditionsOf(filter: IssueFilter): Condition[] {
  const { authorId, assigneeId, since, before, showsHidden } = filter
  const conditions = [...filter.conditions]
  if (!showsHidden) conditions.push(sql<boolean>`not issue.is_hidden`)
  if (authorId !== null) conditions.push(sql<boolean>`issue.author_id = ${authorId}`)
  if (assigneeId !== null) conditions.push(isAssigned(assigneeId))
  if (since !== null) conditions.push(sql<boolean>`issue.updated_at >= ${since}`)
  if (before !== null) conditions.push(sql<boolean>`issue.updated_at <= ${before}`)
  return conditions
}

export function isAssigned(userId: number): Condition {
  return sql<boolean>`exists (select 1 from issue_assignee
    where issue_assignee.issue_id = issue.id and issue_assignee.user_id = ${userId})`
}

/** The issue has any of these labels. */
export function hasLabel(ids: readonly number[]): Condition {
  return sql<boolean>`exists (select 1 from issue_label
    where issue_label.issue_id = issue.id and issue_label.label_id = any(${[...ids]}::bigint[]))`
}

/** The issue has a label with one of these names, of any repository or organization. */
export function hasLabelCalled(names: readonly string[]): Condition {
  return sql<boolean>`exists (select 1 from issue_label join label on label.id = issue_label.label_id
    where issue_label.issue_id = issue.id and label.name = any(${[...names]}::text[]))`
}

export function hasMilestone(ids: readonly number[]): Condition {
  return sql<boolean>`issue.milestone_id = any(${[...ids]}::bigint[])`
}

/** By lower-case title. */
export function hasMilestoneCalled(titles: readonly string[]): Condition {
  return sql<boolean>`issue.milestone_id in (
    select milestone.id from milestone where lower(milestone.title) = any(${[...titles]}::text[]))`
}

export function isOfOwner(ownerId: number): Condition {
  return sql<boolean>`issue.repository_id in (
    select repository.id from repository where repository.owner_id = ${ownerId})`
}

export function isOfTeam(teamId: number): Condition {
  return sql<boolean>`issue.repository_id in (
    select team_repository.repository_id from team_repository where team_repository.team_id = ${teamId})`
}

/** Issues of others that the user commented on or reviewed. */
export function isJoinedBy(userId: number): Condition {
  return sql<boolean>`(issue.author_id is distinct from ${userId} and issue.id in (
    select issue_comment.issue_id from issue_comment
      where issue_comment.author_id = ${userId} and issue_comment.kind = 'comment'
    union select issue_reviewer.issue_id from issue_reviewer
      where issue_reviewer.user_id = ${userId} and issue_reviewer.has_reviewed))`
}

/** Issues of others for which the user, or one of the user's teams, is requested to review. */
export function isReviewRequestedFrom(userId: number): Condition {
  return sql<boolean>`(issue.author_id is distinct from ${userId} and issue.id in (
    select issue_reviewer.issue_id from issue_reviewer
      where issue_reviewer.user_id = ${userId} and issue_reviewer.is_requested
    union select issue_reviewer.issue_id from issue_reviewer
      join team_member on team_member.team_id = issue_reviewer.team_id
      where team_member.user_id = ${userId} and issue_reviewer.is_requested))`
}
