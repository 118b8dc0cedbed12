/**
 * Git storage: refs in PostgreSQL, packs in the object store, plain repositories as a cache. It knows repositories by
 * number; it has never heard of users, issues or branch rules. What it must ask, it is handed.
 *
 * Owns    tables `git_*`
 */
export { GitCache, type Lease } from './cache/cache.ts'
export { answerFetch, FETCH_REQUEST_BYTES_MAX, serveFetches, serveOldFetch } from './fetch/upload.ts'
export { assertBelowCeiling, CARE_TASK, type CareOrder, care, scheduleCare } from './maintenance/care.ts'
export { careForStorages, collectAll } from './maintenance/due.ts'
export { forkStorage } from './maintenance/fork.ts'
export { observeGit } from './maintenance/metrics.ts'
export { countLivePacks, listStorages } from './maintenance/pack-rows.ts'
export { sweepPacks } from './maintenance/sweep.ts'
export { sweepStorages } from './maintenance/sweep-storages.ts'
export { undeleteStorage } from './maintenance/undelete.ts'
export { verifyStorage } from './maintenance/verify.ts'
export { advertiseRefs, capabilities, type Service } from './protocol/advertise.ts'
export { pktLine } from './protocol/pkt-line.ts'
export { type AlongWith, commitRefs, type RefsChange } from './push/commit.ts'
export { type PushHandlers, type PushStreams, receivePush } from './push/receive.ts'
export { isRefName } from './refs/names.ts'
export { findRef, listRefs } from './refs/read.ts'
export type { RefResult, RefUpdate } from './refs/update.ts'
export { createStorage, getStorage, markDeleted, setHead, zeroOid } from './storage.ts'
export type { GitRef, ObjectFormat, Storage } from './tables.ts'
