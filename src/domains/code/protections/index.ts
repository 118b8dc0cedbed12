/**
 * Protections: which branches and tags only some may move, and what is asked of what they are moved to.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { branchProtectionRoutes } from './routes/branch-protections.ts'
import { tagProtectionRoutes } from './routes/tag-protections.ts'

export { assertSameRules, type Checked, checkRefUpdates, RULES_CHANGED } from './check-ref-updates.ts'
export type { Way } from './decide.ts'
export { expressionOf } from './expression.ts'
export {
  type Condition,
  conditionsOf,
  type MergeFacts,
  type RuledFacts,
  unmetConditions,
} from './merging/conditions.ts'
export { findMergeRule, type MergeRule, ruleAsked } from './merging/merge-rule.ts'
export { protectionOf, type ShownProtection } from './protection-of.ts'
export { findOfficialReviewers, findOfficialTeams, findRuleFor } from './reviewers.ts'

import { copyBranchRules } from './store.ts'

export { renameBranchRule } from './store.ts'
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
