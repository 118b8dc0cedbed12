/** Drafts: unsent text by account and place, stored on the server so that neither a node nor a browser can lose it. */
import { defineSlice } from '#slices'
import { draftRoutes } from './draft-routes.ts'
import { sweepDrafts } from './drafts.ts'
import { draftOperations } from './internal-operations.ts'

export const slice = defineSlice({
  name: 'drafts',
  tables: ['draft'],
  rawRoutes: draftRoutes,
  internalOperations: draftOperations,
  tasks: [{ name: 'sweep_drafts', schedule: '@every 24h', run: sweepDrafts }],
})
