/** REST records of protections. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { isPattern } from '#platform/patterns'
import { Time, time } from '#platform/rest'
import type { Names } from './rules/people.ts'
import type { BranchProtectionRow, TagProtectionRow } from './tables.ts'

const texts = Type.Array(Type.String())

export type BranchProtection = Static<typeof BranchProtection>
export const BranchProtection = Type.Object(
  {
    branch_name: Type.String({ deprecated: true }),
    rule_name: Type.String(),
    priority: Type.Integer({ description: 'the rule with the lowest number is evaluated first' }),
    enable_push: Type.Boolean(),
    enable_push_whitelist: Type.Boolean(),
    push_whitelist_usernames: texts,
    push_whitelist_teams: texts,
    push_whitelist_deploy_keys: Type.Boolean(),
    enable_force_push: Type.Boolean(),
    enable_force_push_allowlist: Type.Boolean(),
    force_push_allowlist_usernames: texts,
    force_push_allowlist_teams: texts,
    force_push_allowlist_deploy_keys: Type.Boolean(),
    enable_merge_whitelist: Type.Boolean(),
    merge_whitelist_usernames: texts,
    merge_whitelist_teams: texts,
    enable_bypass_allowlist: Type.Boolean(),
    bypass_allowlist_usernames: texts,
    bypass_allowlist_teams: texts,
    enable_status_check: Type.Boolean(),
    status_check_contexts: texts,
    required_approvals: Type.Integer(),
    enable_approvals_whitelist: Type.Boolean(),
    approvals_whitelist_username: texts,
    approvals_whitelist_teams: texts,
    block_on_rejected_reviews: Type.Boolean(),
    block_on_official_review_requests: Type.Boolean(),
    block_on_codeowner_reviews: Type.Boolean(),
    block_on_outdated_branch: Type.Boolean(),
    dismiss_stale_approvals: Type.Boolean(),
    ignore_stale_approvals: Type.Boolean(),
    require_signed_commits: Type.Boolean(),
    protected_file_patterns: Type.String(),
    unprotected_file_patterns: Type.String(),
    block_admin_merge_override: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'BranchProtection' },
)

export function presentBranchProtection(row: BranchProtectionRow, names: Names): BranchProtection {
  const users = (ids: readonly number[]) => named(names.users, ids)
  const teams = (ids: readonly number[]) => named(names.teams, ids)
  return {
    // Compat: the older name of the field, set only for rules without a pattern.
    branch_name: isPattern(row.rule_name) ? '' : row.rule_name,
    rule_name: row.rule_name,
    priority: row.priority,
    enable_push: row.enable_push,
    enable_push_whitelist: row.enable_push_whitelist,
    push_whitelist_usernames: users(row.push_whitelist_user_ids),
    push_whitelist_teams: teams(row.push_whitelist_team_ids),
    push_whitelist_deploy_keys: row.push_whitelist_deploy_keys,
    enable_force_push: row.enable_force_push,
    enable_force_push_allowlist: row.enable_force_push_allowlist,
    force_push_allowlist_usernames: users(row.force_push_allowlist_user_ids),
    force_push_allowlist_teams: teams(row.force_push_allowlist_team_ids),
    force_push_allowlist_deploy_keys: row.force_push_allowlist_deploy_keys,
    enable_merge_whitelist: row.enable_merge_whitelist,
    merge_whitelist_usernames: users(row.merge_whitelist_user_ids),
    merge_whitelist_teams: teams(row.merge_whitelist_team_ids),
    enable_bypass_allowlist: row.enable_bypass_allowlist,
    bypass_allowlist_usernames: users(row.bypass_allowlist_user_ids),
    bypass_allowlist_teams: teams(row.bypass_allowlist_team_ids),
    enable_status_check: row.enable_status_check,
    status_check_contexts: row.status_check_contexts,
    required_approvals: row.required_approvals,
    enable_approvals_whitelist: row.enable_approvals_whitelist,
    approvals_whitelist_username: users(row.approvals_whitelist_user_ids),
    approvals_whitelist_teams: teams(row.approvals_whitelist_team_ids),
    block_on_rejected_reviews: row.block_on_rejected_reviews,
    block_on_official_review_requests: row.block_on_official_review_requests,
    block_on_codeowner_reviews: row.block_on_codeowner_reviews,
    block_on_outdated_branch: row.block_on_outdated_branch,
    dismiss_stale_approvals: row.dismiss_stale_approvals,
    ignore_stale_approvals: row.ignore_stale_approvals,
    require_signed_commits: row.require_signed_commits,
    protected_file_patterns: row.protected_file_patterns,
    unprotected_file_patterns: row.unprotected_file_patterns,
    block_admin_merge_override: row.block_admin_merge_override,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  }
}

export type TagProtection = Static<typeof TagProtection>
export const TagProtection = Type.Object(
  {
    id: Type.Integer(),
    name_pattern: Type.String(),
    whitelist_usernames: texts,
    whitelist_teams: texts,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'TagProtection' },
)

export function presentTagProtection(row: TagProtectionRow, names: Names): TagProtection {
  return {
    id: row.id,
    name_pattern: row.name_pattern,
    whitelist_usernames: named(names.users, row.whitelist_user_ids),
    whitelist_teams: named(names.teams, row.whitelist_team_ids),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  }
}

/** Ordered by name. */
function named(names: ReadonlyMap<number, string>, ids: readonly number[]): string[] {
  const wanted = new Set(ids)
  return [...names].filter(([id]) => wanted.has(id)).map(([, name]) => name)
}
