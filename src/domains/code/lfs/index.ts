/**
 * Git LFS: large files outside git. An object is stored once for all repositories; a link says which repositories may serve
 * it to their readers.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { collectJobs, collectObjects } from './collection/order.ts'
import { SETTINGS } from './config.ts'
import { lockRoutes } from './locks/routes.ts'
import { linkConsumers } from './objects/follow.ts'
import { linkFork } from './objects/link.ts'
import { objectRoutes } from './objects/routes.ts'

export { authenticateSsh, type ProvenKey } from './access/authenticate-ssh.ts'
export type { Operation as LfsOperation } from './access/ssh-bearer.ts'
export { countLfsBytes } from './metrics.ts'
export { findObjectsOfHead, linkMerged } from './objects/follow.ts'
export { lfsPointerOf } from './objects/pointers.ts'
export { openLfsObject } from './objects/read.ts'
export { listLinkedSince } from './objects/store.ts'
export { lfsKey } from './objects/take.ts'
export {
  countImported,
  importObjects,
  importStoredObjects,
  mirrorObjects,
  syncObjects,
} from './remote/import.ts'
export { serveTransfer } from './transfer/serve.ts'

export const slice = defineSlice({
  name: 'lfs',
  tables: ['lfs_object', 'lfs_link', 'lfs_lock', 'lfs_walk'],
  rawRoutes: [...objectRoutes, ...lockRoutes],
  handlers: [
    handler('repository.forked', (ctx, { parent_id, repository_id }) =>
      linkFork(ctx, parent_id, repository_id),
    ),
  ],
  consumers: linkConsumers,
  jobs: collectJobs,
  tasks: [{ name: 'gc_lfs', schedule: '@every 24h', run: collectObjects }],
  settings: SETTINGS,
})
