/**
 * Repositories: the record, who may open it and how, what becomes of it, which teams have it, who works on it, stars
 * and watches it, and how it is found.
 *
 * Owns    tables `repository`, `repository_*`, `collaboration`, `team_repository`, `watch`, `star`, `topic`
 * Serves  /repos/:owner/:repo, /user/repos, /orgs/:org/repos, /users/:username/repos, /teams/:id/repos,
 *         /repos/search, /user/starred, /user/subscriptions, /topics
 * Tells   repository.created, .deleted, .renamed, .transferred, .offered, .archived, .unarchived, .published,
 *         .hidden, .forked, .generated, .starred, .watched, .default_branch_changed
 */
import type { Route } from '#platform/rest'
import type { RepositoriesNeeds } from './needs.ts'
import { aroundRoutes } from './routes/around.ts'
import { avatarRoutes } from './routes/avatars.ts'
import { creatingRoutes } from './routes/creating.ts'
import { editingRoutes } from './routes/editing.ts'
import { forkingRoutes, generatingRoutes } from './routes/forking.ts'
import { foundRoutes } from './routes/found.ts'
import { issueFileRoutes } from './routes/issue-files.ts'
import { repositoryRoutes } from './routes/repositories.ts'
import { teamRepositoryRoutes } from './routes/teams.ts'
import { unadoptedRoutes } from './routes/unadopted.ts'

export { findAccessOf, leaveRepositories, mayBeAssigned } from './collaborators.ts'
export { listTrusted } from './collaborators-store.ts'
export { deleteRepositoriesOf } from './delete-repository.ts'
export type { RepositoryEvent } from './events.ts'
export { type Found, setFound } from './found.ts'
export { getRepository, isVisibleTo, type Repository } from './load.ts'
export { claimDueMirrors, INTERVAL_DEFAULT_S, markSynced, nextAfter, readInterval } from './mirroring.ts'
export { assertRepositoryName } from './names.ts'
export type { CopyDefaultHooks } from './needs.ts'
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
export { loadInOrder } from './search.ts'
export { signatureOf } from './signature.ts'
export { countChange, setDefaultBranch } from './store.ts'
export { giveAllRepositories } from './teams.ts'
export { makeWiki } from './wiki-storage.ts'
export { presentRepository, Repository as RepositoryRecord } from './wire.ts'

export function repositoriesRoutes(needs: RepositoriesNeeds): readonly Route[] {
  return [
    ...creatingRoutes(needs),
    ...forkingRoutes(needs),
    ...generatingRoutes(needs),
    ...repositoryRoutes,
    ...editingRoutes,
    ...avatarRoutes,
    ...foundRoutes,
    ...issueFileRoutes,
    ...teamRepositoryRoutes,
    ...unadoptedRoutes,
    ...aroundRoutes,
  ]
}
