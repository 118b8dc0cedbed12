/**
 * Whether the head of a pull request is behind its branch, which moved while it was closed or its base was not
 * writable.
 */
import { getStorageId, type Repository } from '#domains/code/repositories'
import { findRef, HEADS } from '#git'
import type { Db } from '#platform/db'
import type { PullRow } from '../tables.ts'

/**
 * False for AGit pull requests and for deleted branches or repositories, which have no tip. `base`: the base repository
 * if loaded; most heads are in it, which saves a query.
 */
export async function isBehindBranch(db: Db, pull: PullRow, base?: Repository): Promise<boolean> {
  if (pull.head_repository_id === null || pull.flow === 'agit') return false
  const storageId =
    base?.id === pull.head_repository_id ? base.storage_id : await getStorageId(db, pull.head_repository_id)
  const tip = await findRef(db, storageId, HEADS + pull.head_branch)
  return tip !== undefined && tip.oid !== pull.head_oid
}
