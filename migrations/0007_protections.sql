-- phase: expand
-- Which branches and tags are protected, from what, and who is excepted.

-- Who is on a list is kept as ids: an id is never given twice, so one that is left over lets nobody in.
create table branch_protection (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  -- The name of a branch, or a pattern of names.
  rule_name text not null,
  -- The lowest is asked first.
  priority bigint not null,
  enable_push boolean not null,
  enable_push_whitelist boolean not null,
  push_whitelist_user_ids bigint[] not null,
  push_whitelist_team_ids bigint[] not null,
  push_whitelist_deploy_keys boolean not null,
  enable_force_push boolean not null,
  enable_force_push_allowlist boolean not null,
  force_push_allowlist_user_ids bigint[] not null,
  force_push_allowlist_team_ids bigint[] not null,
  force_push_allowlist_deploy_keys boolean not null,
  enable_merge_whitelist boolean not null,
  merge_whitelist_user_ids bigint[] not null,
  merge_whitelist_team_ids bigint[] not null,
  -- Who may merge what is not ready for it.
  enable_bypass_allowlist boolean not null,
  bypass_allowlist_user_ids bigint[] not null,
  bypass_allowlist_team_ids bigint[] not null,
  enable_status_check boolean not null,
  status_check_contexts text[] not null,
  required_approvals bigint not null,
  enable_approvals_whitelist boolean not null,
  approvals_whitelist_user_ids bigint[] not null,
  approvals_whitelist_team_ids bigint[] not null,
  block_on_rejected_reviews boolean not null,
  block_on_official_review_requests boolean not null,
  block_on_codeowner_reviews boolean not null,
  block_on_outdated_branch boolean not null,
  dismiss_stale_approvals boolean not null,
  ignore_stale_approvals boolean not null,
  require_signed_commits boolean not null,
  -- Patterns of paths, with semicolons between them.
  protected_file_patterns text not null,
  unprotected_file_patterns text not null,
  block_admin_merge_override boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (repository_id, rule_name)
);

create table tag_protection (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  -- A pattern of names, or a regular expression between slashes.
  name_pattern text not null,
  whitelist_user_ids bigint[] not null,
  whitelist_team_ids bigint[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (repository_id, name_pattern)
);
