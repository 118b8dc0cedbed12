/**
 * Imports: repositories imported from elsewhere, pull mirrors and push mirrors.
 *
 * Owns    tables `import`, `import_page`, `mirror`, `push_mirror`, `import_host`, `imported_author`
 * Serves  /repos/migrate, /repos/:owner/:repo/mirror-sync, /repos/:owner/:repo/push_mirrors, /admin/imported-authors
 * Events  consumes refs.moved, for push mirrors, and identity.linked, for authors of imported records
 */
import { consumer } from '#events/consumer'
import type { Config } from '#platform/config'
import { type Context, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import { defineSlice } from '#slices'
import { authorRoutes } from './authors/routes.ts'
import { settleAuthor } from './authors/settle-author.ts'
import { trustIdentities, trustLinked } from './authors/trust-identities.ts'
import { SETTINGS } from './config.ts'
import {
  IMPORT_JOB,
  KEPT_MS,
  MIRROR_JOB,
  PUSH_MIRROR_JOB,
  SETTLE_AUTHOR_JOB,
  TRUST_IDENTITIES_JOB,
} from './limits.ts'
import { runSync, syncDueMirrors } from './mirrors/mirrors.ts'
import { askForPushes, pushDueMirrors, runPush } from './mirrors/push-mirrors.ts'
import { mirrorRoutes } from './mirrors/routes.ts'
import { importOperations } from './orders/internal-operations.ts'
import { importRoutes } from './orders/routes.ts'
import { runImport } from './orders/run-import.ts'
import { sweepImports } from './orders/store.ts'
import { SEALED_FOR } from './sources/source.ts'

const authorJobs: readonly JobKind[] = [
  { name: SETTLE_AUTHOR_JOB, run: settleAuthor, isLate: true },
  { name: TRUST_IDENTITIES_JOB, run: trustIdentities, isLate: true },
]

const tasks: readonly CronTask[] = [
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

// Separate pools: users wait for imports and not for mirrors, of which many may hang at once.
const importing = (config: Config) => config['imports.concurrency']
const mirroring = (config: Config) => config['mirrors.concurrency']

export { assignAuthor, listAuthors, releaseAuthor } from './authors/assign-author.ts'
export { presentAuthor } from './authors/wire.ts'
export { ExportedDependencies } from './folder/dependencies.ts'
export { importFolder } from './folder/import-folder.ts'
export { matchPeople } from './folder/people.ts'
export { CHANGES, type Change } from './folder/settings.ts'
export {
  type MovedRepository,
  moveOrganization,
  type OrganizationMove,
} from './organizations/move-organization.ts'
export { PutOff } from './sources/put-off.ts'
export { SEALED_FOR as REMOTE_PURPOSE } from './sources/source.ts'

export const slice = defineSlice({
  name: 'imports',
  tables: ['import', 'import_page', 'mirror', 'push_mirror', 'import_host', 'imported_author'],
  sealed: (['import', 'mirror', 'push_mirror'] as const).map((table) => ({
    table,
    column: 'credentials',
    purpose: SEALED_FOR,
  })),
  routes: [...importRoutes, ...mirrorRoutes, ...authorRoutes],
  internalOperations: importOperations,
  consumers: [
    consumer('push-mirrors', 'refs.moved', async (ctx, { repository_id, cause }) => {
      if (cause === 'push' || cause === 'api') await askForPushes(ctx, repository_id, 'on push')
    }),
    consumer('imported-authors', 'identity.linked', trustLinked),
  ],
  jobs: [
    { name: IMPORT_JOB, concurrency: importing, run: runImport },
    { name: MIRROR_JOB, concurrency: mirroring, run: runSync },
    { name: PUSH_MIRROR_JOB, concurrency: mirroring, run: runPush },
    ...authorJobs,
  ],
  tasks,
  settings: SETTINGS,
})
