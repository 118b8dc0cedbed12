/** All that a forge consists of, in one place: every slice's routes, consumers and tasks. */
import { adminRoutes } from '#domains/admin'
import { instanceRoutes } from '#domains/instance'
import type { Consumer } from '#events/consumer'
import type { CronTask } from '#platform/cron'
import type { Route } from '#platform/rest'

export const routes: readonly Route[] = [...instanceRoutes, ...adminRoutes]

export const consumers: readonly Consumer[] = []

export const tasks: readonly CronTask[] = []
