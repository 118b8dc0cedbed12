/** Request bodies of protections and their bounds. */
import { type Static, Type } from 'typebox'

/** Users, teams or contexts listed by one rule. */
const LIST_MAX = 500
/** Rules of one repository: every push evaluates them. */
export const RULES_MAX = 500
const PATTERNS_MAX = 2048

const flag = Type.Optional(Type.Boolean())
const names = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: LIST_MAX }))
const patterns = Type.Optional(
  Type.String({ maxLength: PATTERNS_MAX, description: 'semicolon-separated glob patterns of file paths' }),
)
const count = Type.Optional(Type.Integer({ maximum: 1_000_000_000, minimum: -1_000_000_000 }))
const ruleName = Type.Optional(Type.String({ maxLength: 255 }))

const settings = {
  priority: count,
  enable_push: flag,
  enable_push_whitelist: flag,
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  push_whitelist_deploy_keys: flag,
  enable_force_push: flag,
  enable_force_push_allowlist: flag,
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names,
  force_push_allowlist_deploy_keys: flag,
  enable_merge_whitelist: flag,
  merge_whitelist_usernames: names,
  merge_whitelist_teams: names,
  enable_bypass_allowlist: flag,
  bypass_allowlist_usernames: names,
  bypass_allowlist_teams: names,
  enable_status_check: flag,
  status_check_contexts: names,
  required_approvals: count,
  enable_approvals_whitelist: flag,
  approvals_whitelist_username: names,
  approvals_whitelist_teams: names,
  block_on_rejected_reviews: flag,
  block_on_official_review_requests: flag,
  block_on_codeowner_reviews: flag,
  block_on_outdated_branch: flag,
  dismiss_stale_approvals: flag,
  ignore_stale_approvals: flag,
  require_signed_commits: flag,
  protected_file_patterns: patterns,
  unprotected_file_patterns: patterns,
  block_admin_merge_override: flag,
}

export type EditBranchProtection = Static<typeof EditBranchProtection>
export const EditBranchProtection = Type.Object(settings, { title: 'EditBranchProtectionOption' })

export type CreateBranchProtection = Static<typeof CreateBranchProtection>
export const CreateBranchProtection = Type.Object(
  {
    rule_name: ruleName,
    branch_name: Type.Optional(Type.String({ maxLength: 255, deprecated: true })),
    ...settings,
  },
  { title: 'CreateBranchProtectionOption' },
)

export const BranchPriorities = Type.Object(
  { ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: RULES_MAX })) },
  { title: 'UpdateBranchProtectionPriories' },
)

const tag = { name_pattern: ruleName, whitelist_usernames: names, whitelist_teams: names }

export type CreateTagProtection = Static<typeof CreateTagProtection>
export const CreateTagProtection = Type.Object(tag, { title: 'CreateTagProtectionOption' })

export type EditTagProtection = Static<typeof EditTagProtection>
export const EditTagProtection = Type.Object(tag, { title: 'EditTagProtectionOption' })
