/**
 * Repositories: the record, who may open it and how, and which teams have it. Thin as yet: no git behind it.
 *
 * Owns    tables `repository`, `repository_count`, `collaboration`, `team_repository`, `watch`
 * Serves  /repos/:owner/:repo, /user/repos, /orgs/:org/repos, /users/:username/repos, /teams/:id/repos
 * Tells   repository.created, repository.deleted
 */
import type { Route } from '#platform/rest'
import { repositoryRoutes } from './routes/repositories.ts'
import { teamRepositoryRoutes } from './routes/teams.ts'

export type { RepositoryEvent } from './events.ts'
export type { Repository } from './load.ts'
export {
  type Administered,
  openToAdmin,
  openToRead,
  openToSee,
  openToWrite,
  type Readable,
  type Visible,
  type Writable,
} from './open-repository.ts'
export { countChange, setDefaultBranch } from './store.ts'
export { giveAllRepositories } from './teams.ts'
export { deleteRepositoriesOf } from './verbs.ts'
export { presentRepository, Repository as RepositoryRecord } from './wire.ts'

export const repositoriesRoutes: readonly Route[] = [...repositoryRoutes, ...teamRepositoryRoutes]
