/** What reviewers have said about a pull request, as far as it decides whether it may land. */
import type { MergeFacts } from '#domains/protections'
import type { PullRow } from '#domains/pulls'
import type { Db } from '#platform/db'

export type Verdict = Pick<MergeFacts, 'approvals' | 'isRejected' | 'hasOfficialRequests' | 'lacksCodeOwners'>

/** Nobody reviews anything yet. */
export async function findVerdict(_db: Db, _pull: PullRow, _rule: unknown): Promise<Verdict> {
  return { approvals: 0, isRejected: false, hasOfficialRequests: false, lacksCodeOwners: false }
}
