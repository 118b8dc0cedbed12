/**
 * Git storage: refs in PostgreSQL, packs in the object store, plain repositories as a cache. It knows repositories by
 * storage id only and nothing of users, issues or branch rules; policies are passed in by callers.
 *
 * Owns    tables `git_*`
 */
export { GitCache, type Lease } from './cache/cache.ts'
export { claimCacheFolder, dropCacheFolders } from './cache/cache-folder.ts'
export { Places } from './command/places.ts'
export { Rations } from './command/rations.ts'
export { GitFailure } from './command/run.ts'
export { Spawner, type SpawnRequest } from './command/spawner.ts'
export { SETTINGS } from './config.ts'
export { serveArchive } from './fetch/archive.ts'
export { answerFetch, FETCH_REQUEST_BYTES_MAX, serveFetches, serveOldFetch } from './fetch/upload.ts'
export { Compactions } from './maintenance/compactions.ts'
export { collectAll, maintainStorages } from './maintenance/due.ts'
export { UNDO_MS } from './maintenance/limits.ts'
export { maintain } from './maintenance/maintain.ts'
export { keepTips } from './maintenance/packs/kept-tips.ts'
export { findStamps, listStorages, listTips } from './maintenance/packs/pack-rows.ts'
export { sweepPacks } from './maintenance/sweep/sweep.ts'
export { sweepLostPacks } from './maintenance/sweep/sweep-lost.ts'
export { sweepStorages } from './maintenance/sweep/sweep-storages.ts'
export { undeleteStorage } from './maintenance/sweep/undelete.ts'
export { MAINTENANCE_JOB, type MaintenanceOrder } from './maintenance/upkeep.ts'
export { verifyStorage } from './maintenance/verify.ts'
export { GitMetrics, observeGit } from './metrics.ts'
export { packKey, SIDECARS } from './packs/keys.ts'
export { listLivePacks, sumBytes } from './packs/rows.ts'
export { advertiseRefs, capabilities, type Service } from './protocol/advertise.ts'
export { AdvertisementCache } from './protocol/advertisement-cache.ts'
export {
  DELIMITER,
  FLUSH,
  LINE_DATA_BYTES_MAX,
  type Pkt,
  PktReader,
  pktLine,
  textOf,
} from './protocol/pkt-line.ts'
export { findLargeFile } from './push/large-file.ts'
export { type PushStreams, receivePush } from './push/receive.ts'
export {
  compareTips,
  listChangedPaths,
  listNewCommits,
  listOids,
  losesCommits,
  readSubject,
} from './push/ref-update-diff.ts'
export { ReadAnswers } from './read/cached.ts'
export type { ChangedFile, Stats } from './read/diff/changes.ts'
export {
  type Comparison,
  type Difference,
  diffFiles,
  openDiff,
  openPatches,
  type Whitespace,
} from './read/diff/diff.ts'
export { diffHunks, type FileHunks } from './read/diff/hunks.ts'
export { type Interdiff, readInterdiff } from './read/diff/interdiff.ts'
export { type Hunk, mapLine } from './read/diff/map-line.ts'
export { type OpenDifference, type OpenFile, openDifference } from './read/diff/open-difference.ts'
export { readRangeDiff } from './read/diff/range-diff.ts'
export { type BlameRange, listBlame } from './read/history/blame.ts'
export {
  type BranchCount,
  countBranch,
  forgetBranchCounts,
  keepBranchCount,
} from './read/history/branch-count.ts'
export {
  type Compared,
  compare,
  countDistance,
  countDistances,
  type Distance,
} from './read/history/compare.ts'
export { countDistanceAcross } from './read/history/distance-across.ts'
export type { History } from './read/history/history.ts'
export { findIgnoredRevisions } from './read/history/ignored-revisions.ts'
export { findLastCommits, findLastCommitsOf, type LastCommits } from './read/history/last-commit.ts'
export {
  countCommits,
  type LoggedCommit,
  type LogPage,
  listCommits,
  listHistory,
} from './read/history/log.ts'
export { findMergeBase, isAncestor } from './read/history/merge-base.ts'
export { areReached } from './read/history/reached.ts'
export { type DatedRef, listRefsByDate } from './read/history/refs-by-date.ts'
export { type Reach, type Revision, resolveRevision } from './read/history/resolve.ts'
export { type BlobRecord, findBlob, findBlobs, type OpenBlob, openBlob } from './read/objects/blob.ts'
export { findCommit, findCommits } from './read/objects/commit.ts'
export type { CommitRecord, Signature, TagRecord } from './read/objects/commit-object.ts'
export type { ObjectType } from './read/objects/objects.ts'
export { isOid } from './read/objects/oid.ts'
export { localTime, type Person } from './read/objects/person.ts'
export { type FoundLine, type FoundText, searchText } from './read/objects/search-text.ts'
export { type BlobRange, pickSmallBlobs, pickSmallBlobsIn } from './read/objects/small-blobs.ts'
export { findTag, findTags } from './read/objects/tag.ts'
export {
  findEntries,
  findEntry,
  listTree,
  type TreeEntry,
  type TreePage,
  type TreeQuery,
} from './read/objects/tree.ts'
export { findTypes } from './read/objects/types.ts'
export { type ArchiveQuery, openArchive, openBundle, openRefsBundle } from './read/streams/archive.ts'
export { isBeyondGit, isUnreadable } from './read/with-repository.ts'
export { dropRefs, moveRefs, type RefsChange, setRefs, type Written } from './refs/move.ts'
export { HEADS, isRefName, TAGS } from './refs/names.ts'
export {
  allowing,
  alongWith,
  type Decision,
  type MagicRefs,
  type MovedRefs,
  type OpenObjects,
  type PreparedMagicRefs,
  precededBy,
  type RefPolicy,
} from './refs/policy.ts'
export { countRefs, findRef, findRefs, findTips, listRefs } from './refs/read.ts'
export { Turns } from './refs/turns.ts'
export { lockStorage, type RefResult, type RefUpdate } from './refs/update.ts'
export { type FolderRefs, fetchFolder, listFolder } from './remote/fetch-folder.ts'
export { type Fetched, type FetchLimits, type FurtherRefs, fetchFrom } from './remote/fetch-from.ts'
export { listRemote, type Offer } from './remote/list-remote.ts'
export { pushTo } from './remote/push-to.ts'
export { authorizationOf, type Remote } from './remote/remote.ts'
export { type UnpackedBundle, unpackBundle } from './remote/unpack-bundle.ts'
export { forkStorage, sharePacks } from './storage/fork.ts'
export {
  adoptStorage,
  createStorage,
  getStorage,
  isZeroOid,
  markDeleted,
  setHead,
  zeroOid,
} from './storage/storage.ts'
export type { GitRef, ObjectFormat, Storage, StorageId } from './tables.ts'
export { applyPatch, type PatchOrder } from './write/apply-patch.ts'
export { commitFiles, type FilesOrder } from './write/commit-files.ts'
export type { Sign } from './write/compose.ts'
export { type CopiedCommits, copyCommits } from './write/copy-commits.ts'
export { type CopyOrder, copyTree } from './write/copy-tree.ts'
export { createRef, createTag, type RefOrder, type TagOrder } from './write/create-ref.ts'
export { type DeleteOrder, deleteRef } from './write/delete-ref.ts'
export type { FileChange } from './write/file-changes.ts'
export { checkMerge, type MergeCheck } from './write/merge/check-merge.ts'
export { type CherryPickOrder, cherryPick } from './write/merge/cherry-pick.ts'
export { type MergeOrder, type MergeResult, merge } from './write/merge/merge.ts'
export {
  type MergeStyle,
  type PreparedMerge,
  type PrepareOrder,
  prepareMerge,
} from './write/merge/prepare-merge.ts'
export { type RevertOrder, revert } from './write/merge/revert.ts'
export {
  type Conflicts,
  prepareResolution,
  type ResolvedFile,
  readConflicts,
} from './write/merge/text-conflicts.ts'
export type { Target } from './write/place.ts'
export type { RefMove } from './write/types.ts'
