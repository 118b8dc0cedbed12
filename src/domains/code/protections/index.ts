/**
 * Protections: rules on who may update which branches and tags, and on the commits that they are updated to.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { branchProtectionRoutes } from './branches/routes.ts'
import { tagProtectionRoutes } from './tags/routes.ts'

export { createBranchProtection } from './branches/branch-protections.ts'
export { protectionOf, type ShownProtection } from './branches/protection-of.ts'
export {
  type Condition,
  conditionsOf,
  type MergeFacts,
  type RuledFacts,
  unmetConditions,
} from './merging/conditions.ts'
export { findMergeRule, loadMergeRules, type MergeRule, ruleAsked } from './merging/merge-rule.ts'
export { findOfficialReviewers, findOfficialTeams, findRuleFor } from './merging/reviewers.ts'
export { assertSameRules, type Checked, checkRefUpdates, RULES_CHANGED } from './refs/check-ref-updates.ts'
export type { Way } from './refs/decide.ts'
export { expressionOf } from './rules/expression.ts'

import { copyBranchRules } from './rules/store.ts'

export { openToProtect } from './rules/open-repository.ts'
export { renameBranchRule } from './rules/store.ts'
export type { CreateBranchProtection } from './schemas.ts'
export type { BranchProtectionRow } from './tables.ts'

export const slice = defineSlice({
  name: 'protections',
  tables: ['branch_protection', 'tag_protection'],
  routes: [...branchProtectionRoutes, ...tagProtectionRoutes],
  handlers: [
    handler('repository.generated', async (ctx, { template_id, repository_id, wants_protections }) => {
      if (wants_protections) await copyBranchRules(ctx, template_id, repository_id)
    }),
  ],
})
