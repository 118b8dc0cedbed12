/** Pull requests: proposed merges of one branch into another, all their versions, and their mergeability. */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { pullsActivities } from './activities.ts'
import { checkConsumers, checkJobs } from './checks/when.ts'
import { diffRoutes } from './diff/routes.ts'
import { followJobs, headFollower } from './heads/follow.ts'
import { leaveRepositories } from './heads/leave-branch.ts'
import { versionRoutes } from './heads/routes.ts'
import { backfillJobs } from './imported/backfill-merge-bases.ts'
import { pullOperations } from './internal-operations.ts'
import { followState, tellDeleted } from './records/follow-state.ts'
import { lfsConsumer } from './records/link-lfs.ts'
import { pullRoutes } from './records/routes.ts'
import { pullsWebhooks } from './webhooks/index.ts'

export { agitMagicRefs } from './agit/magic-refs.ts'
export { tellOfPulls } from './agit/tell.ts'
export { findMergeability } from './checks/check-pull.ts'
export { orderCatchUp } from './checks/when.ts'
export { pullEvent } from './events.ts'
export { isBehindBranch } from './heads/behind-branch.ts'
export type { PullOfBranch } from './heads/by-branch.ts'
export { HEAD_REFS, headRef, numberOfHead } from './heads/refs.ts'
export { orderBackfill } from './imported/backfill-merge-bases.ts'
export { type ImportedPull, insertImportedPulls } from './imported/insert-imported.ts'
export { findListed, selectReadable } from './records/find-listed.ts'
export { type HeldPull, holdPull, type Landing, markMerged } from './records/mark-merged.ts'
export { openHeadToWrite } from './records/open-head.ts'
export {
  type EditablePull,
  type JoinedPull,
  mayWriteHead,
  openPull,
  openPulls,
  openPullsAsSignedIn,
  openPullsToJoin,
  openPullsUnarchived,
  openPullToJoin,
  openPullToRead,
  type PullCaller,
  type PullTracker,
  type SeenPull,
} from './records/open-pull.ts'
export { PullPath } from './records/schemas.ts'
export { showPull } from './records/show-pulls.ts'
export {
  countReviewComments,
  findPull,
  findPullOf,
  listVersions,
  lockPull,
} from './records/store.ts'
export { PullRequest } from './records/wire.ts'
export type { Mergeability, PullRow, VersionRow } from './tables.ts'
export { pullPayloadOf } from './webhooks/pull.ts'

export const slice = defineSlice({
  name: 'pulls',
  tables: ['pull_request', 'pull_version'],
  routes: [...pullRoutes, ...diffRoutes, ...versionRoutes],
  internalOperations: pullOperations,
  emits: ['pull.opened', 'pull.synchronized', 'pull.retargeted', 'pull.ready', 'pull.deleted', 'pull.merged'],
  webhooks: pullsWebhooks,
  activities: pullsActivities,
  followers: [headFollower],
  handlers: [
    handler('repository.deleted', (ctx, { actor_id }) => leaveRepositories(ctx, actor_id)),
    handler('issue.closed', (ctx, event) => followState(ctx, event, false)),
    handler('issue.reopened', (ctx, event) => followState(ctx, event, true)),
    handler('issue.deleted', tellDeleted),
  ],
  consumers: [...checkConsumers, lfsConsumer],
  jobs: [...checkJobs, ...followJobs, ...backfillJobs],
})
