/**
 * Imports: repositories brought in from elsewhere, and those that follow others or are followed by them.
 *
 * Owns    tables `import`, `mirror`, `push_mirror`
 * Serves  /repos/migrate, /repos/:owner/:repo/mirror-sync, /repos/:owner/:repo/push_mirrors
 * Tells   mirror.synced
 * Hears   push.received, to push on
 */
import type { CopyDefaultHooks } from '#domains/repositories'
import { type Consumer, consumer } from '#events/consumer'
import type { Config } from '#platform/config'
import { type Context, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import type { Route } from '#platform/rest'
import { IMPORT_TASK, KEPT_MS, MIRROR_TASK, PUSH_MIRROR_TASK } from './limits.ts'
import { runSync, syncDueMirrors } from './mirrors.ts'
import { askForPushes, pushDueMirrors, runPush } from './push-mirrors.ts'
import { importRoutes } from './routes/imports.ts'
import { mirrorRoutes } from './routes/mirrors.ts'
import { runImport } from './run-import.ts'
import { sweepImports } from './store.ts'

export type { MirrorEvent } from './events.ts'

export const importsRoutes: readonly Route[] = [...importRoutes, ...mirrorRoutes]

export const importsConsumers: readonly Consumer[] = [
  consumer('push-mirrors', 'push.received', (ctx, { repository_id }) =>
    askForPushes(ctx, repository_id, 'on push'),
  ),
]

export const importsTasks: readonly CronTask[] = [
  {
    name: 'update_mirrors',
    schedule: '@every 10m',
    run: async (ctx: Context) => {
      await syncDueMirrors(ctx)
      await pushDueMirrors(ctx)
    },
  },
  {
    name: 'sweep_imports',
    schedule: '@midnight',
    run: (ctx: Context) =>
      transact(ctx, (ctx) => sweepImports(ctx.db, new Date(ctx.now().getTime() - KEPT_MS))),
  },
]

export function importsJobs(copyDefaultHooks: CopyDefaultHooks): readonly JobKind[] {
  const concurrency = (config: Config) => config['imports.concurrency']
  return [
    { name: IMPORT_TASK, concurrency, run: (ctx, order) => runImport(ctx, order, copyDefaultHooks) },
    { name: MIRROR_TASK, concurrency, run: runSync },
    { name: PUSH_MIRROR_TASK, concurrency, run: runPush },
  ]
}
