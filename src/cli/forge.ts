/** All that a forge consists of, in one place: every slice's routes, consumers and tasks. */
import { adminRoutes, adminTasks } from '#domains/admin'
import { instanceRoutes } from '#domains/instance'
import { keysRoutes } from '#domains/keys'
import { orgsRoutes } from '#domains/orgs'
import { giveAllRepositories, repositoriesRoutes } from '#domains/repositories'
import { usersRoutes, userTasks } from '#domains/users'
import type { Consumer } from '#events/consumer'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import type { Route } from '#platform/rest'

export const routes: readonly Route[] = [
  ...instanceRoutes,
  ...adminRoutes,
  ...keysRoutes,
  ...usersRoutes,
  ...orgsRoutes(giveAllRepositories),
  ...repositoriesRoutes,
]

export const consumers: readonly Consumer[] = []

export const tasks: readonly CronTask[] = [...adminTasks, ...userTasks]

export const jobs: readonly JobKind[] = []
