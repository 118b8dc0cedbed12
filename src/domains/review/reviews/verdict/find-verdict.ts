/** The outcome of reviews as far as it decides whether a pull request may be merged. */
import { sql } from 'kysely'
import type { BranchProtectionRow } from '#domains/code/protections'
import type { PullRow } from '#domains/review/pulls'
import type { Db } from '#platform/db'

export interface Verdict {
  /** Number of official approvals. */
  readonly approvals: number
  /** An official reviewer requests changes. */
  readonly isRejected: boolean
  /** An official reviewer is requested and has not answered. */
  readonly hasOfficialRequests: boolean
  /** A matching rule has no approval of one of its owners, or the owners for this head have not been found yet. */
  readonly lacksCodeOwners: boolean
}

type Rule = Pick<
  BranchProtectionRow,
  'ignore_stale_approvals' | 'dismiss_stale_approvals' | 'block_on_codeowner_reviews'
>

type OwnedPull = Pick<PullRow, 'issue_id' | 'head_oid' | 'base_branch'>

/** Reviews of suspended accounts are hidden and do not count. Two queries. With the issue locked, the result holds until the transaction ends. */
export async function findVerdict(db: Db, pull: PullRow, rule: Rule): Promise<Verdict> {
  const counts = await db
    .selectFrom('review')
    .select([
      sql<number>`count(*) filter (where kind = 'approve' and ${isFresh(rule)})`.as('approvals'),
      sql<boolean>`coalesce(bool_or(kind = 'reject'), false)`.as('isRejected'),
      sql<boolean>`coalesce(bool_or(kind = 'request'), false)`.as('hasOfficialRequests'),
    ])
    .where('issue_id', '=', pull.issue_id)
    .where('is_official', '=', true)
    .where('is_dismissed', '=', false)
    .where('is_hidden', '=', false)
    .executeTakeFirstOrThrow()
  return {
    ...counts,
    lacksCodeOwners: rule.block_on_codeowner_reviews && (await lacksOwners(db, pull, rule)),
  }
}

/** With `dismiss_stale_approvals`, a review that names a former head after the push must not count either. */
export function countsOnlyFresh({ ignore_stale_approvals, dismiss_stale_approvals }: Rule): boolean {
  return ignore_stale_approvals || dismiss_stale_approvals
}

function isFresh(rule: Rule) {
  return sql<boolean>`(not is_stale or not ${countsOnlyFresh(rule)}::boolean)`
}

async function lacksOwners(db: Db, pull: PullRow, rule: Rule): Promise<boolean> {
  return (await findLackingOwners(db, [{ pull, rule }])).has(pull.issue_id)
}

/** Which of these lack the approval of a code owner: one query. A rule whose only owner is the author requires no approval. */
export async function findLackingOwners(
  db: Db,
  asked: readonly { readonly pull: OwnedPull; readonly rule: Rule }[],
): Promise<ReadonlySet<number>> {
  if (asked.length === 0) return new Set()
  const isFreshHere = sql<boolean>`(not is_stale or not asked.only_fresh)`
  const { rows } = await sql<{ issue_id: number }>`select asked.issue_id from unnest(
      ${asked.map(({ pull }) => pull.issue_id)}::bigint[], ${asked.map(({ pull }) => pull.head_oid)}::text[],
      ${asked.map(({ pull }) => pull.base_branch)}::text[], ${asked.map(({ rule }) => countsOnlyFresh(rule))}::boolean[])
    as asked (issue_id, head_oid, base_branch, only_fresh)
    where not exists (select 1 from code_owner_check where code_owner_check.issue_id = asked.issue_id and is_complete
      and code_owner_check.head_oid = asked.head_oid and code_owner_check.base_branch = asked.base_branch)
    or exists (select 1 from code_owner
      where code_owner.issue_id = asked.issue_id and user_id is distinct from
        (select author_id from issue where issue.id = asked.issue_id)
      group by rule
      having not bool_or(exists (select 1 from review
        where review.issue_id = asked.issue_id and kind = 'approve' and not is_dismissed and not is_hidden
          and ${isFreshHere}
          and (reviewer_id = code_owner.user_id or reviewer_id in (
            select team_member.user_id from team_member where team_member.team_id = code_owner.team_id)))))`.execute(
    db,
  )
  return new Set(rows.map(({ issue_id }) => issue_id))
}
