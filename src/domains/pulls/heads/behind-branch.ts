/** Whether a pull request has yet to follow its branch: it was closed, or its base could not be written, when that moved. */
import { getStorageId } from '#domains/repositories'
import { findRef, HEADS } from '#git'
import type { Db } from '#platform/db'
import type { PullRow } from '../tables.ts'

/** A pull request from `refs/for/` has no branch, and neither has one whose branch or repository is deleted. */
export async function isBehindBranch(db: Db, pull: PullRow): Promise<boolean> {
  if (pull.head_repository_id === null || pull.flow === 'agit') return false
  const storageId = await getStorageId(db, pull.head_repository_id)
  const tip = await findRef(db, storageId, HEADS + pull.head_branch)
  return tip !== undefined && tip.oid !== pull.head_oid
}
