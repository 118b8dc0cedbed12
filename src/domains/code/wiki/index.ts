/**
 * Wikis: pages of a repository, kept in a separate git storage.
 */

import { defineSlice } from '#slices'
import { wikiOperations } from './internal-operations.ts'
import { wikiRoutes } from './routes.ts'
import { wikiWebhooks } from './webhooks.ts'

export type { WikiEvent } from './events.ts'
export { makeWiki } from './make-wiki.ts'
export { wikiPolicy } from './ref-policy.ts'

export const slice = defineSlice({
  name: 'wiki',
  routes: wikiRoutes,
  internalOperations: wikiOperations,
  emits: ['wiki.changed'],
  webhooks: wikiWebhooks,
})
