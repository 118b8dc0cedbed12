/** All that a forge consists of, in one place: every slice's routes, consumers and tasks. */
import { activityConsumers, activityJobs, activityRoutes } from '#domains/activity'
import { adminRoutes, adminTasks } from '#domains/admin'
import { committing, contentsConsumers, contentsRoutes } from '#domains/contents'
import { importsConsumers, importsJobs, importsRoutes, importsTasks } from '#domains/imports'
import { instanceRoutes } from '#domains/instance'
import { keysRoutes } from '#domains/keys'
import { addLabelSet, copyLabels, labelRoutes } from '#domains/labels'
import { orgsRoutes } from '#domains/orgs'
import { protectionsRoutes } from '#domains/protections'
import { findReleaseByTag, releasesRoutes, releasesTasks } from '#domains/releases'
import { giveAllRepositories, repositoriesRoutes } from '#domains/repositories'
import { statusesRoutes } from '#domains/statuses'
import { usersRoutes, userTasks } from '#domains/users'
import {
  copyDefaultHooks,
  copyHooks,
  webhookConsumers,
  webhookJobs,
  webhooksRoutes,
  webhookTasks,
} from '#domains/webhooks'
import { wikiRoutes } from '#domains/wiki'
import type { Consumer } from '#events/consumer'
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { discardJobs } from '#platform/discard'
import type { JobKind } from '#platform/queue'
import type { Route } from '#platform/rest'

export const routes: readonly Route[] = [
  ...instanceRoutes,
  ...adminRoutes,
  ...keysRoutes,
  ...usersRoutes,
  ...orgsRoutes(giveAllRepositories),
  ...repositoriesRoutes({ addLabelSet, copyLabels, copyDefaultHooks, copyHooks, committing }),
  ...protectionsRoutes,
  ...labelRoutes,
  ...statusesRoutes,
  ...contentsRoutes({ hasRelease }),
  ...importsRoutes,
  ...releasesRoutes,
  ...wikiRoutes,
  ...webhooksRoutes,
  ...activityRoutes,
]

export const consumers: readonly Consumer[] = [
  ...contentsConsumers,
  ...webhookConsumers,
  ...importsConsumers,
  ...activityConsumers,
]

export const tasks: readonly CronTask[] = [
  ...importsTasks,
  ...adminTasks,
  ...userTasks,
  ...releasesTasks,
  ...webhookTasks,
]

export const jobs: readonly JobKind[] = [
  ...discardJobs,
  ...webhookJobs,
  ...importsJobs(copyDefaultHooks),
  ...activityJobs,
]

async function hasRelease(ctx: Context, repositoryId: number, tag: string): Promise<boolean> {
  return (await findReleaseByTag(ctx.db, repositoryId, tag)) !== undefined
}
