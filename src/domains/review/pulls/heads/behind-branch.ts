/** Whether a pull request has yet to follow its branch: it was closed, or its base could not be written, when that moved. */
import { getStorageId, type Repository } from '#domains/code/repositories'
import { findRef, HEADS } from '#git'
import type { Db } from '#platform/db'
import type { PullRow } from '../tables.ts'

/**
 * A pull request from `refs/for/` has no branch, and neither has one whose branch or repository is deleted.
 * `base`: its repository, where it is at hand; most come from there, and are asked about with one query.
 */
export async function isBehindBranch(db: Db, pull: PullRow, base?: Repository): Promise<boolean> {
  if (pull.head_repository_id === null || pull.flow === 'agit') return false
  const storageId =
    base?.id === pull.head_repository_id ? base.storage_id : await getStorageId(db, pull.head_repository_id)
  const tip = await findRef(db, storageId, HEADS + pull.head_branch)
  return tip !== undefined && tip.oid !== pull.head_oid
}
