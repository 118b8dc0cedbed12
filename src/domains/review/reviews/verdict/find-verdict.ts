/** What reviewers have come to about a pull request, as far as it decides whether it may land. */
import { sql } from 'kysely'
import type { BranchProtectionRow } from '#domains/code/protections'
import type { PullRow } from '#domains/review/pulls'
import type { Db } from '#platform/db'

export interface Verdict {
  /** Those that count. */
  readonly approvals: number
  /** Somebody who counts wants changes. */
  readonly isRejected: boolean
  /** Somebody who counts is asked, and has not answered. */
  readonly hasOfficialRequests: boolean
  /** Of some rule about what is changed no owner has approved, or nobody has looked yet whose code this head changes. */
  readonly lacksCodeOwners: boolean
}

type Rule = Pick<
  BranchProtectionRow,
  'ignore_stale_approvals' | 'dismiss_stale_approvals' | 'block_on_codeowner_reviews'
>

/** Two queries. Who asks while the issue is locked is told what holds until that transaction ends. */
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
    .executeTakeFirstOrThrow()
  return {
    ...counts,
    lacksCodeOwners: rule.block_on_codeowner_reviews && (await lacksOwners(db, pull, rule)),
  }
}

/** A push dismisses what was said before it; a review that names a former head after the push is as stale, and as void. */
function isFresh({ ignore_stale_approvals, dismiss_stale_approvals }: Rule) {
  return sql<boolean>`(not is_stale or not ${ignore_stale_approvals || dismiss_stale_approvals}::boolean)`
}

/** A rule whose only owner wrote the pull request asks for nobody. */
async function lacksOwners(db: Db, pull: PullRow, rule: Rule): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`select
    not exists (select 1 from code_owner_check where issue_id = ${pull.issue_id} and is_complete
      and head_oid = ${pull.head_oid} and base_branch = ${pull.base_branch})
    or exists (select 1 from code_owner
      where issue_id = ${pull.issue_id} and user_id is distinct from
        (select author_id from issue where issue.id = ${pull.issue_id})
      group by rule
      having not bool_or(exists (select 1 from review
        where review.issue_id = ${pull.issue_id} and kind = 'approve' and not is_dismissed and ${isFresh(rule)}
          and (reviewer_id = code_owner.user_id or reviewer_id in (
            select team_member.user_id from team_member where team_member.team_id = code_owner.team_id)))))
    as lacks`.execute(db)
  return rows[0]?.lacks ?? true
}
