/** Which pull requests wait for a review of the caller, or of one of the caller's teams: one query for all. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'

/** By issue id. The caller must have been shown these issues. */
export async function findRequestedReviews(
  { db, actor }: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly isPersonal: boolean }>> {
  if (actor === null) return new Map()
  const rows = await db
    .selectFrom('issue')
    .innerJoin('issue_reviewer', 'issue_reviewer.issue_id', 'issue.id')
    .select(['issue.id', sql<boolean>`bool_or(issue_reviewer.user_id is not null)`.as('is_personal')])
    .where('issue.id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where('issue.is_closed', '=', false)
    .where(sql<boolean>`issue.author_id is distinct from ${actor.id}`)
    .where('issue_reviewer.is_requested', '=', true)
    .where(sql<boolean>`(issue_reviewer.user_id = ${actor.id} or issue_reviewer.team_id in (
      select team_member.team_id from team_member where team_member.user_id = ${actor.id}))`)
    .groupBy('issue.id')
    .execute()
  return new Map(rows.map(({ id, is_personal }) => [id, { isPersonal: is_personal }]))
}
