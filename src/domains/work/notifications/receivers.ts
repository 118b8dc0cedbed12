/** Who is told of what happens to an issue: SQL for ids of accounts, before it is asked whether they may read it. */
import { type RawBuilder, sql } from 'kysely'

type Ids = RawBuilder<{ id: number }>

/**
 * Everyone concerned: who subscribed to the issue, watches the repository, wrote the issue, said something to it or
 * reviewed it, is assigned, or is asked for a review; but not who unsubscribed.
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

/** Who may take a repository over: themselves, or for their organization. */
export function takersFor(recipientId: number): Ids {
  return sql`select ${recipientId}::bigint as id
    union select team_member.user_id from team_member join team on team.id = team_member.team_id
      where team_member.organization_id = ${recipientId} and team.can_create_repository`
}
