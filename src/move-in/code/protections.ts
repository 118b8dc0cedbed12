/** Rules for branches and tags. Ids of people and teams are the same here. */
import { carry } from '../carry/carry.ts'
import type { Value } from '../source/driver.ts'
import { flag, list, number, text, timesOf } from '../source/fields.ts'

const ids = (value: Value | undefined) => list(value).filter((it) => Number.isSafeInteger(it))

/** A rule of Forgejo that applies to administrators has a name of its own. */
const branches = carry({
  from: 'protected_branch',
  into: 'branch_protection',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    rule_name: text(row.branch_name),
    priority: number(row.priority),
    enable_push: flag(row.can_push),
    enable_push_whitelist: flag(row.enable_whitelist),
    push_whitelist_user_ids: ids(row.whitelist_user_i_ds),
    push_whitelist_team_ids: ids(row.whitelist_team_i_ds),
    push_whitelist_deploy_keys: flag(row.whitelist_deploy_keys),
    enable_force_push: flag(row.can_force_push),
    enable_force_push_allowlist: flag(row.enable_force_push_allowlist),
    force_push_allowlist_user_ids: ids(row.force_push_allowlist_user_i_ds),
    force_push_allowlist_team_ids: ids(row.force_push_allowlist_team_i_ds),
    force_push_allowlist_deploy_keys: flag(row.force_push_allowlist_deploy_keys),
    enable_merge_whitelist: flag(row.enable_merge_whitelist),
    merge_whitelist_user_ids: ids(row.merge_whitelist_user_i_ds),
    merge_whitelist_team_ids: ids(row.merge_whitelist_team_i_ds),
    enable_bypass_allowlist: flag(row.enable_bypass_allowlist),
    bypass_allowlist_user_ids: ids(row.bypass_allowlist_user_i_ds),
    bypass_allowlist_team_ids: ids(row.bypass_allowlist_team_i_ds),
    enable_status_check: flag(row.enable_status_check),
    status_check_contexts: list(row.status_check_contexts).map(String),
    required_approvals: number(row.required_approvals),
    enable_approvals_whitelist: flag(row.enable_approvals_whitelist),
    approvals_whitelist_user_ids: ids(row.approvals_whitelist_user_i_ds),
    approvals_whitelist_team_ids: ids(row.approvals_whitelist_team_i_ds),
    block_on_rejected_reviews: flag(row.block_on_rejected_reviews),
    block_on_official_review_requests: flag(row.block_on_official_review_requests),
    block_on_codeowner_reviews: flag(row.block_on_codeowner_reviews),
    block_on_outdated_branch: flag(row.block_on_outdated_branch),
    dismiss_stale_approvals: flag(row.dismiss_stale_approvals),
    ignore_stale_approvals: flag(row.ignore_stale_approvals),
    require_signed_commits: flag(row.require_signed_commits),
    protected_file_patterns: text(row.protected_file_patterns),
    unprotected_file_patterns: text(row.unprotected_file_patterns),
    block_admin_merge_override: flag(row.block_admin_merge_override) || flag(row.apply_to_admins),
    ...timesOf(row),
  }),
})

const tags = carry({
  from: 'protected_tag',
  into: 'tag_protection',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    name_pattern: text(row.name_pattern),
    whitelist_user_ids: ids(row.allowlist_user_i_ds),
    whitelist_team_ids: ids(row.allowlist_team_i_ds),
    ...timesOf(row),
  }),
})

export const protections = [branches, tags]
