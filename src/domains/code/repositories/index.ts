/**
 * Repositories: the record, access, lifecycle, teams, collaborators, stars, watches and search.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { repositoriesActivities } from './activities.ts'
import { leaveRepositories } from './collaborators/collaborators.ts'
import { deleteRepositoriesOf } from './deletion/delete-repository.ts'
import { repositoryOperations } from './internal-operations.ts'
import { avatarRawRoutes } from './lifecycle/avatars-routes.ts'
import { removeTiesOnBlock } from './record/remove-ties-on-block.ts'
import { repositoriesRoutes } from './routes.ts'
import { giveAllRepositories, watchWithTeam } from './teams/teams.ts'
import { repositoriesWebhooks } from './webhooks/index.ts'

export {
  grantsOf,
  isGrantedTo,
  isReadableTo,
  isReaderOf,
  isVisibleTo,
  isWithinPlaces,
} from './access/access-sql.ts'
export { accessByKey, openToReadByKey, openToWriteByKey } from './access/open-by-key.ts'
export {
  type Administered,
  assertUnarchived,
  asWritable,
  type CanRead,
  type CanWrite,
  openToAdmin,
  openToOwn,
  openToRead,
  openToSee,
  openToWrite,
  type Visible,
} from './access/open-repository.ts'
export { openTracker, type Tracker } from './access/open-tracker.ts'
export { findAccessOf, findPerson, mayBeAssigned, setCollaborator } from './collaborators/collaborators.ts'
export { isReviewer, listTrusted } from './collaborators/collaborators-store.ts'
export { findDeletedId, listDeleted } from './deletion/deleted-store.ts'
export { undeleteRepository } from './deletion/undelete-repository.ts'
export type { RefsMovedEvent, RepositoryEvent } from './events.ts'
export { assertNameFree, hasName, insertRecord } from './lifecycle/insert-record.ts'
export {
  assertNoMirror,
  INTERVAL_DEFAULT_S,
  markSynced,
  nextAfter,
  planNextSync,
  readInterval,
} from './lifecycle/mirroring.ts'
export { interactionLimitOf } from './limits/interaction-limits.ts'
export { describeStorage, findFullName, nameStorage } from './record/full-name.ts'
export { type FoundLanguages, setLanguages } from './record/languages.ts'
export { findAsOwner, getRepository, type LoneRepository, type Repository } from './record/load.ts'
export { assertRepositoryName } from './record/names.ts'
export { refsMoved, withFollowers } from './record/refs-moved.ts'
export { openRelative } from './record/relatives.ts'
export { internalTrackerOf, type Merging, mergingOf, projectsModeOf } from './record/settings.ts'
export { signatureOf } from './record/signature.ts'
export {
  countChange,
  findPlace,
  getStorageId,
  lockRepository,
  setDefaultBranch,
  setWikiStorage,
  shareRepository,
} from './record/store.ts'
export {
  countPacks,
  countRepositoryBytes,
  countWiki,
  lockRepositoriesOf,
  USAGE_COUNTERS,
  type UsageCounter,
  writeBytes,
} from './record/usage.ts'
export { inRepository, RepositoryPath } from './schemas.ts'
export { loadInOrder } from './search/search.ts'
export { loadReadable, type ReadableUnits } from './search/search-visibility.ts'
export { presentBare, presentOwned, presentSender, withRightsOf } from './webhooks/parts.ts'
export { presentRepository, Repository as RepositoryRecord } from './wire.ts'

export const slice = defineSlice({
  name: 'repositories',
  tables: [
    'repository',
    'repository_count',
    'collaboration',
    'team_repository',
    'watch',
    'star',
    'repository_redirect',
    'repository_transfer',
    'repository_language',
    'repository_tally',
    'repository_deleted',
    'topic',
    'pinned_repository',
  ],
  routes: repositoriesRoutes,
  rawRoutes: avatarRawRoutes,
  internalOperations: repositoryOperations,
  emits: [
    'refs.moved',
    'repository.created',
    'repository.deleted',
    'repository.undeleted',
    'repository.renamed',
    'repository.transferred',
    'repository.offered',
    'repository.archived',
    'repository.unarchived',
    'repository.published',
    'repository.hidden',
    'repository.forked',
    'repository.starred',
    'repository.watched',
    'repository.generated',
    'repository.default_branch_changed',
  ],
  handlers: [
    handler('team.includes_all', giveAllRepositories),
    handler('team.joined', (ctx, { team_id, user_id }) => watchWithTeam(ctx, team_id, user_id)),
    handler('account.blocked', removeTiesOnBlock),
    handler('user.leaving', (ctx, { user_id }) => leaveRepositories(ctx, user_id)),
    handler('account.purging', (ctx, { account_id, actor_id }) =>
      deleteRepositoriesOf(ctx, account_id, actor_id),
    ),
  ],
  webhooks: repositoriesWebhooks,
  activities: repositoriesActivities,
})
