/**
 * Package registries: generic, npm, container and PyPI, with content in the object store. Each type is a folder in
 * `types`; the rest is shared.
 */
import { handler } from '#events/handler'
import { invalid } from '#platform/problem'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { deletePackagesOf } from './records/delete.ts'
import { packageRoutes } from './records/routes.ts'
import { ownsPackages, unlinkAll } from './records/store.ts'
import { cleanupPackages } from './sweep.ts'
import { TYPES } from './types/index.ts'
import { packagesWebhooks } from './webhooks.ts'

export { objectKey as packageKey } from './blobs/take-bytes.ts'
export { lockUsage } from './blobs/usage.ts'
export { readManifest } from './types/container/manifest.ts'
export { findType } from './types/index.ts'

export const slice = defineSlice({
  name: 'packages',
  tables: ['package', 'package_version', 'package_blob', 'package_file', 'package_upload', 'package_object'],
  routes: packageRoutes,
  // Jobs may publish what they build.
  rawRoutes: TYPES.flatMap(({ rawRoutes }) => rawRoutes.map((it) => ({ ...it, admitsRestricted: true }))),
  emits: ['package.created', 'package.deleted'],
  handlers: [
    handler('account.purging', (ctx, { account_id, actor_id }) =>
      deletePackagesOf(ctx, account_id, actor_id),
    ),
    handler('account.forgotten', async ({ db }, { account_id }) => {
      if (await ownsPackages(db, account_id)) throw invalid('account still owns packages')
    }),
    // Compat: packages stay with their owner, and can only be linked to repositories of that owner.
    handler('repository.transferred', ({ db }, { repository_id }) => unlinkAll(db, repository_id)),
  ],
  webhooks: packagesWebhooks,
  tasks: [{ name: 'cleanup_packages', schedule: '@midnight', run: cleanupPackages }],
  settings: SETTINGS,
})
