/** SQL on requested reviewers and reviewers of an issue. Only pull requests have any. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db'

/** Either a user or a team. */
export type Reviewer = { readonly userId: number } | { readonly teamId: number }

/** The state of a reviewer. */
export interface ReviewerState {
  readonly reviewer: Reviewer
  readonly isRequested: boolean
  readonly hasReviewed: boolean
  /** Has a review that is not dismissed. */
  readonly hasStanding: boolean
}

/** By issue id. */
export interface Requested {
  readonly userIds: ReadonlyMap<number, readonly number[]>
  readonly teamIds: ReadonlyMap<number, readonly number[]>
}

/** Compat: reviewers with a standing review are listed as requested too. */
export async function findRequested(db: Db, issueIds: readonly number[]): Promise<Requested> {
  const rows = await db
    .selectFrom('issue_reviewer')
    .select(['issue_id', 'user_id', 'team_id'])
    .where('issue_id', '=', sql<number>`any(${issueIds}::bigint[])`)
    .where((eb) => eb.or([eb('is_requested', '=', true), eb('has_standing', '=', true)]))
    .orderBy('updated_at')
    .orderBy('user_id')
    .orderBy('team_id')
    .execute()
  const idsOf = (column: 'user_id' | 'team_id') => {
    const found = rows.filter((row) => row[column] !== null)
    const grouped = Map.groupBy(found, ({ issue_id }) => issue_id)
    return new Map([...grouped].map(([id, alike]) => [id, alike.flatMap((row) => row[column] ?? [])]))
  }
  return { userIds: idsOf('user_id'), teamIds: idsOf('team_id') }
}

/** Deletes reviewers who are neither requested nor have reviewed. */
export async function setReviewers(
  tx: Tx,
  issueId: number,
  states: readonly ReviewerState[],
  now: Date,
): Promise<void> {
  const isKept = (it: ReviewerState) => it.isRequested || it.hasReviewed
  const gone = states.filter((it) => !isKept(it))
  const kept = states.filter(isKept)
  if (gone.length > 0)
    await sql`delete from issue_reviewer using ${rowsOf(gone)} as gone (user_id, team_id, asked, reviewed, stands)
      where issue_reviewer.issue_id = ${issueId}
        and issue_reviewer.user_id is not distinct from gone.user_id
        and issue_reviewer.team_id is not distinct from gone.team_id`.execute(tx)
  if (kept.length > 0)
    await sql`insert into issue_reviewer
        (issue_id, user_id, team_id, is_requested, has_reviewed, has_standing, updated_at)
      select ${issueId}, kept.user_id, kept.team_id, kept.asked, kept.reviewed, kept.stands, ${now}::timestamptz
      from ${rowsOf(kept)} as kept (user_id, team_id, asked, reviewed, stands)
      on conflict (issue_id, user_id, team_id) do update set is_requested = excluded.is_requested,
        has_reviewed = excluded.has_reviewed, has_standing = excluded.has_standing,
        updated_at = excluded.updated_at`.execute(tx)
}

/** For a repository that leaves the organization of these teams. */
export async function dropTeams(tx: Tx, repositoryId: number): Promise<void> {
  await sql`delete from issue_reviewer using issue where issue.id = issue_reviewer.issue_id
    and issue.repository_id = ${repositoryId} and issue_reviewer.team_id is not null`.execute(tx)
}

function rowsOf(states: readonly ReviewerState[]): RawBuilder<unknown> {
  const userIds = states.map(({ reviewer }) => ('userId' in reviewer ? reviewer.userId : null))
  const teamIds = states.map(({ reviewer }) => ('teamId' in reviewer ? reviewer.teamId : null))
  return sql`unnest(${userIds}::bigint[], ${teamIds}::bigint[], ${states.map((it) => it.isRequested)}::boolean[],
    ${states.map((it) => it.hasReviewed)}::boolean[], ${states.map((it) => it.hasStanding)}::boolean[])`
}
