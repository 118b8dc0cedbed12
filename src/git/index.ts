/**
 * Git storage: refs in PostgreSQL, packs in the object store, plain repositories as a cache. It knows repositories by
 * number; it has never heard of users, issues or branch rules. What it must ask, it is handed.
 *
 * Owns    tables `git_*`
 */
export { GitCache, type Lease } from './cache/cache.ts'
export { claimCacheFolder, dropCacheFolders } from './cache/cache-folder.ts'
export { Places } from './command/places.ts'
export { Starter, type Wish } from './command/starter.ts'
export { SETTINGS } from './config.ts'
export { serveArchive } from './fetch/archive.ts'
export { answerFetch, FETCH_REQUEST_BYTES_MAX, serveFetches, serveOldFetch } from './fetch/upload.ts'
export { care } from './maintenance/care.ts'
export { careForStorages, collectAll } from './maintenance/due.ts'
export { forkStorage, sharePacks } from './maintenance/fork.ts'
export { UNDO_MS } from './maintenance/limits.ts'
export { observeGit } from './maintenance/metrics.ts'
export { listStorages } from './maintenance/pack-rows.ts'
export { sweepPacks } from './maintenance/sweep.ts'
export { sweepStorages } from './maintenance/sweep-storages.ts'
export { undeleteStorage } from './maintenance/undelete.ts'
export { CARE_TASK, type CareOrder } from './maintenance/upkeep.ts'
export { verifyStorage } from './maintenance/verify.ts'
export { advertiseRefs, capabilities, type Service } from './protocol/advertise.ts'
export { pktLine } from './protocol/pkt-line.ts'
export { type PushStreams, receivePush } from './push/receive.ts'
export { listChangedPaths, listNewCommits, losesCommits } from './push/survey.ts'
export { type ArchiveQuery, openArchive, openBundle } from './read/archive.ts'
export { isBeyondGit, isUnreadable } from './read/ask.ts'
export { type BlameRange, listBlame } from './read/blame.ts'
export { type BlobRecord, findBlob, findBlobs, type OpenBlob, openBlob } from './read/blob.ts'
export { type BranchCount, countBranch, forgetBranchCounts, keepBranchCount } from './read/branch-count.ts'
export type { ChangedFile, Stats } from './read/changes.ts'
export { findCommit, findCommits } from './read/commit.ts'
export type { CommitRecord, Signature, TagRecord } from './read/commit-object.ts'
export { type Compared, compare, countDistance, type Distance } from './read/compare.ts'
export { type Comparison, type Difference, diffFiles, openDiff, openPatches } from './read/diff.ts'
export { findLastCommits, findLastCommitsOf, type LastCommits } from './read/last-commit.ts'
export {
  countCommits,
  type History,
  type LoggedCommit,
  type LogPage,
  listCommits,
  listHistory,
} from './read/log.ts'
export { findMergeBase, isAncestor } from './read/merge-base.ts'
export type { ObjectType } from './read/objects.ts'
export { EMPTY_TREE, isOid } from './read/oid.ts'
export { localTime, type Person } from './read/person.ts'
export { listRefsByDate } from './read/refs-by-date.ts'
export { type Reach, type Revision, resolveRevision } from './read/resolve.ts'
export { findTag, findTags } from './read/tag.ts'
export {
  findEntries,
  findEntry,
  listTree,
  type TreeEntry,
  type TreePage,
  type TreeQuery,
} from './read/tree.ts'
export { findTypes } from './read/types.ts'
export { moveRefs, type RefsChange } from './refs/move.ts'
export { HEADS, isRefName, TAGS } from './refs/names.ts'
export { alongWith, type MovedRefs, type OpenObjects, type RefPolicy } from './refs/policy.ts'
export { countRefs, findRef, findRefs, listRefs } from './refs/read.ts'
export { Turns } from './refs/turns.ts'
export type { RefResult, RefUpdate } from './refs/update.ts'
export { type Fetched, type FetchLimits, fetchFrom } from './remote/fetch-from.ts'
export { listRemote, type Offer } from './remote/list-remote.ts'
export { pushTo } from './remote/push-to.ts'
export { authorizationOf, type Remote } from './remote/remote.ts'
export {
  adoptStorage,
  createStorage,
  getStorage,
  isZeroOid,
  markDeleted,
  setHead,
  zeroOid,
} from './storage.ts'
export type { GitRef, ObjectFormat, Storage, StorageId } from './tables.ts'
export { applyPatch, type PatchOrder } from './write/apply-patch.ts'
export { checkMerge, type MergeCheck } from './write/check-merge.ts'
export { type CherryPickOrder, cherryPick } from './write/cherry-pick.ts'
export { commitFiles, type FilesOrder } from './write/commit-files.ts'
export { type CopyOrder, copyTree } from './write/copy-tree.ts'
export { createRef, createTag, type RefOrder, type TagOrder } from './write/create-ref.ts'
export { type DeleteOrder, deleteRef } from './write/delete-ref.ts'
export type { FileChange } from './write/file-changes.ts'
export { type MergeOrder, type MergeStyle, merge } from './write/merge.ts'
export type { Target } from './write/place.ts'
export { type RevertOrder, revert } from './write/revert.ts'
export type { Landed } from './write/types.ts'
