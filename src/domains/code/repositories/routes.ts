/** All routes of repositories. */
import type { Route } from '#platform/rest'
import { assigneeRoutes, collaboratorRoutes } from './collaborators/routes.ts'
import { deletedRoutes } from './deletion/deleted-routes.ts'
import { avatarRoutes } from './lifecycle/avatars-routes.ts'
import { creatingRoutes } from './lifecycle/create-routes.ts'
import { editingRoutes } from './lifecycle/edit-routes.ts'
import { forkingRoutes, generatingRoutes } from './lifecycle/fork-routes.ts'
import { quarantineRoutes } from './quarantine/routes.ts'
import { foundRoutes } from './record/languages-routes.ts'
import { repositoryRoutes } from './record/repositories-routes.ts'
import { unadoptedRoutes } from './record/unadopted-routes.ts'
import { searchRoutes } from './search/routes.ts'
import { starRoutes } from './stars/routes.ts'
import { teamRepositoryRoutes } from './teams/routes.ts'
import { topicRoutes } from './topics/routes.ts'
import { watchRoutes } from './watches/routes.ts'

export const repositoriesRoutes: readonly Route[] = [
  ...creatingRoutes,
  ...forkingRoutes,
  ...generatingRoutes,
  ...repositoryRoutes,
  ...editingRoutes,
  ...avatarRoutes,
  ...foundRoutes,
  ...teamRepositoryRoutes,
  ...unadoptedRoutes,
  ...deletedRoutes,
  ...quarantineRoutes,
  ...searchRoutes,
  ...collaboratorRoutes,
  ...assigneeRoutes,
  ...starRoutes,
  ...watchRoutes,
  ...topicRoutes,
]
