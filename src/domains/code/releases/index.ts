/**
 * Releases: notes and files for a tag.
 */
import { handler } from '#events/handler'
import { Problem } from '#platform/problem'
import { defineSlice } from '#slices'
import { releasesActivities } from './activities.ts'
import { assetRoutes } from './assets/routes.ts'
import { releaseOperations } from './internal-operations.ts'
import { openById } from './record/open-release.ts'
import { releaseRoutes } from './record/routes.ts'
import { findByTag } from './record/store.ts'
import { releasesWebhooks } from './webhooks.ts'

export type { ReleaseEvent } from './events.ts'
export { type ImportedRelease, insertImportedReleases } from './record/insert-imported.ts'
export { findOriginalAuthors } from './record/store.ts'

export const slice = defineSlice({
  name: 'releases',
  tables: ['release'],
  routes: [...releaseRoutes, ...assetRoutes],
  internalOperations: releaseOperations,
  emits: ['release.published', 'release.updated', 'release.deleted'],
  handlers: [
    // Compat: the tag of a release cannot be deleted before its release.
    handler('tag.deleted', async (ctx, { repository_id, tag }) => {
      if (await findByTag(ctx.db, repository_id, tag))
        throw new Problem('conflict', 'tag belongs to a release')
    }),
  ],
  webhooks: releasesWebhooks,
  activities: releasesActivities,
  attachables: [{ kind: 'release', open: openById }],
})
