/** Finds the users mentioned in a text, directly or by team, who may read it. One query. */
import { sql } from 'kysely'
import { isReaderOf, type Repository } from '#domains/code/repositories'
import type { Mention } from '#domains/instance/markup'
import { keyOf, mayBeNotifiedBy } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { IssueRow } from '../tables.ts'

/** Per text, first mentioned first, because a team may have very many members. */
export const MENTIONED_MAX = 100

/** Excludes the author and users who blocked the author. A team counts only if it has access to the repository. */
export async function findMentioned(
  ctx: Context,
  repo: Repository,
  issue: Pick<IssueRow, 'is_pull'>,
  actor: { readonly id: number },
  mentions: readonly Mention[],
): Promise<number[]> {
  if (mentions.length === 0) return []
  const people = mentions.filter(({ team }) => team === null).map(({ login }) => keyOf(login))
  const teams = mentions
    .filter(({ team, login }) => team !== null && keyOf(login) === keyOf(repo.owner.login))
    .map(({ team }) => team?.toLowerCase() ?? '')
  const { rows } = await sql<{ id: number }>`select account.id from account
    where account.id in (
      select named.id from account as named where named.login_key = any(${people}::text[])
      union select team_member.user_id from team
        join team_repository on team_repository.team_id = team.id
          and team_repository.repository_id = ${repo.id}
        join team_member on team_member.team_id = team.id
      where team.organization_id = ${repo.owner_id} and team.name_key = any(${teams}::text[]))
    and account.kind <> 'organization' and account.id <> ${actor.id}
    and ${mayBeNotifiedBy(actor.id)} and ${isReaderOf(repo, issue.is_pull ? 'pulls' : 'issues')}
    order by account.login_key = any(${people}::text[]) desc, account.id
    limit ${sql.lit(MENTIONED_MAX)}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
