/** The tables of protections: rules for branches and for tags, with their allowlists. */
import type { Generated, Insertable, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    branch_protection: BranchProtectionTable
    tag_protection: TagProtectionTable
  }
}

interface BranchProtectionTable {
  id: Generated<number>
  repository_id: number
  /** The name of a branch, or a pattern of names. */
  rule_name: string
  /** The lowest is evaluated first. */
  priority: number
  enable_push: boolean
  enable_push_whitelist: boolean
  push_whitelist_user_ids: number[]
  push_whitelist_team_ids: number[]
  push_whitelist_deploy_keys: boolean
  enable_force_push: boolean
  enable_force_push_allowlist: boolean
  force_push_allowlist_user_ids: number[]
  force_push_allowlist_team_ids: number[]
  force_push_allowlist_deploy_keys: boolean
  enable_merge_whitelist: boolean
  merge_whitelist_user_ids: number[]
  merge_whitelist_team_ids: number[]
  /** Who may merge although conditions are unmet. */
  enable_bypass_allowlist: boolean
  bypass_allowlist_user_ids: number[]
  bypass_allowlist_team_ids: number[]
  enable_status_check: boolean
  status_check_contexts: string[]
  required_approvals: number
  enable_approvals_whitelist: boolean
  approvals_whitelist_user_ids: number[]
  approvals_whitelist_team_ids: number[]
  block_on_rejected_reviews: boolean
  block_on_official_review_requests: boolean
  block_on_codeowner_reviews: boolean
  block_on_outdated_branch: boolean
  dismiss_stale_approvals: boolean
  ignore_stale_approvals: boolean
  require_signed_commits: boolean
  /** Path patterns, separated by semicolons. */
  protected_file_patterns: string
  unprotected_file_patterns: string
  block_admin_merge_override: boolean
  created_at: Date
  updated_at: Date
}

interface TagProtectionTable {
  id: Generated<number>
  repository_id: number
  /** A glob, or a regular expression between slashes. */
  name_pattern: string
  whitelist_user_ids: number[]
  whitelist_team_ids: number[]
  created_at: Date
  updated_at: Date
}

export type BranchProtectionRow = Selectable<BranchProtectionTable>
export type NewBranchProtectionRow = Insertable<BranchProtectionTable>
/** The settable columns of a rule. */
export type BranchSettings = Omit<
  BranchProtectionRow,
  'id' | 'repository_id' | 'rule_name' | 'created_at' | 'updated_at'
>
export type TagProtectionRow = Selectable<TagProtectionTable>
export type NewTagProtectionRow = Insertable<TagProtectionTable>
