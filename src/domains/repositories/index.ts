/**
 * Repositories: the record, who may open it and how, what becomes of it, which teams have it, who works on it, stars
 * and watches it, and how it is found.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { leaveRepositories } from './collaborators.ts'
import { deleteRepositoriesOf } from './delete-repository.ts'
import { partWays } from './part-ways.ts'
import { aroundRoutes } from './routes/around.ts'
import { avatarRoutes } from './routes/avatars.ts'
import { creatingRoutes } from './routes/creating.ts'
import { deletedRoutes } from './routes/deleted.ts'
import { editingRoutes } from './routes/editing.ts'
import { forkingRoutes, generatingRoutes } from './routes/forking.ts'
import { foundRoutes } from './routes/found.ts'
import { issueFileRoutes } from './routes/issue-files.ts'
import { repositoryRoutes } from './routes/repositories.ts'
import { teamRepositoryRoutes } from './routes/teams.ts'
import { unadoptedRoutes } from './routes/unadopted.ts'
import { giveAllRepositories } from './teams.ts'

export { grantsOf, isGrantedTo, isVisibleTo } from './access-sql.ts'
export { findAccessOf, mayBeAssigned } from './collaborators.ts'
export { listTrusted } from './collaborators-store.ts'
export { findDeletedId, listDeleted } from './deleted-store.ts'
export type { RefsMovedEvent, RepositoryEvent } from './events.ts'
export { type Found, setFound } from './found.ts'
export { findAsOwner, getRepository, type LoneRepository, type Repository } from './load.ts'
export { claimDueMirrors, INTERVAL_DEFAULT_S, markSynced, nextAfter, readInterval } from './mirroring.ts'
export { assertRepositoryName } from './names.ts'
export { accessByKey, openToReadByKey, openToWriteByKey } from './open-by-key.ts'
export {
  type Administered,
  type CanRead,
  type CanWrite,
  type Owned,
  openById,
  openToAdmin,
  openToOwn,
  openToRead,
  openToSee,
  openToWrite,
  type Visible,
} from './open-repository.ts'
export { assertNameFree, recordRepository } from './record-repository.ts'
export { refsMoved } from './refs-moved.ts'
export { inRepository, RepositoryPath } from './schemas.ts'
export { loadInOrder } from './search.ts'
export { signatureOf } from './signature.ts'
export { countChange, lockRepository, setDefaultBranch, setWikiStorage, shareRepository } from './store.ts'
export { undeleteRepository } from './undelete-repository.ts'
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
  ],
  routes: [
    ...creatingRoutes,
    ...forkingRoutes,
    ...generatingRoutes,
    ...repositoryRoutes,
    ...editingRoutes,
    ...avatarRoutes,
    ...foundRoutes,
    ...issueFileRoutes,
    ...teamRepositoryRoutes,
    ...unadoptedRoutes,
    ...deletedRoutes,
    ...aroundRoutes,
  ],
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
    handler('account.blocked', partWays),
    handler('user.leaving', (ctx, { user_id }) => leaveRepositories(ctx, user_id)),
    handler('account.purging', (ctx, { account_id, actor_id }) =>
      deleteRepositoriesOf(ctx, account_id, actor_id),
    ),
  ],
})
