/**
 * Releases: what is said about a tag, and the files that come with it.
 *
 * Owns    tables `release`, `release_asset`
 * Serves  /repos/:owner/:repo/releases, /:owner/:repo/releases/download, /attachments
 * Tells   release.published, release.updated, release.deleted
 */
import type { CronTask } from '#platform/cron'
import type { Route } from '#platform/rest'
import { sweepAssets } from './assets.ts'
import { assetRoutes } from './routes/assets.ts'
import { releaseRoutes } from './routes/releases.ts'

export { type Fill, storeAsset } from './assets.ts'
export type { ReleaseEvent } from './events.ts'
export { type BroughtRelease, insertBrought } from './insert-brought.ts'
export { showRelease } from './show-releases.ts'
export { findByTag as findReleaseByTag } from './store.ts'

export const releasesRoutes: readonly Route[] = [...releaseRoutes, ...assetRoutes]

export const releasesTasks: readonly CronTask[] = [
  { name: 'sweep_release_files', schedule: '@every 1h', run: sweepAssets },
]
