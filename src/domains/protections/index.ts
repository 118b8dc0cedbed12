/**
 * Protections: which branches and tags only some may move, and what is asked of what they are moved to.
 *
 * Owns    tables `branch_protection`, `tag_protection`
 * Serves  /repos/:owner/:repo/branch_protections, /repos/:owner/:repo/tag_protections
 * Tells   nothing yet
 */
import type { Route } from '#platform/rest'
import { branchProtectionRoutes } from './routes/branch-protections.ts'
import { tagProtectionRoutes } from './routes/tag-protections.ts'

export { guardRefs } from './guard.ts'
export { protectionOf, type ShownProtection } from './protection-of.ts'
export { renameBranchRule } from './store.ts'

export const protectionsRoutes: readonly Route[] = [...branchProtectionRoutes, ...tagProtectionRoutes]
