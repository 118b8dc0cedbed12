/** Who is notified of an issue: SQL for account ids, before access is checked. */
import { type RawBuilder, sql } from 'kysely'

type Ids = RawBuilder<{ id: number }>

/**
 * Subscribers of the issue, watchers of the repository, the author, commenters, reviewers, assignees and requested
 * reviewers; without users who unsubscribed.
 */
export function concernedBy(
  issueId: number,
  repositoryId: number,
  { withWatchers }: { readonly withWatchers: boolean },
): Ids {
  return sql`(select user_id as id from issue_subscription where issue_id = ${issueId} and is_subscribed
    union select user_id from watch where repository_id = ${repositoryId} and ${withWatchers}::boolean
    union select author_id from issue where id = ${issueId}
    union select author_id from issue_comment
      where issue_id = ${issueId} and kind in ('comment', 'code', 'review')
    union select user_id from issue_assignee where issue_id = ${issueId}
    union select user_id from issue_reviewer
      where issue_id = ${issueId} and is_requested and user_id is not null)
    except select user_id from issue_subscription where issue_id = ${issueId} and not is_subscribed`
}

export function these(ids: readonly number[]): Ids {
  return sql`select unnest(${[...ids]}::bigint[]) as id`
}

/** Users who may accept a transfer: the recipient, or members who may for the organization. */
export function takersFor(recipientId: number): Ids {
  return sql`select ${recipientId}::bigint as id
    union select team_member.user_id from team_member join team on team.id = team_member.team_id
      where team_member.organization_id = ${recipientId} and team.can_create_repository`
}
