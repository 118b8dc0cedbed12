/** The tables of a Gitea and their columns; SQLite needs no types. */
export const TABLES: Readonly<Record<string, string>> = {
  access_token: 'id uid name token_hash token_salt token_last_eight scope created_unix updated_unix',
  action_runner:
    'id uuid name version owner_id repo_id description base repo_range token_hash token_salt ' +
    'last_online last_active agent_labels ephemeral is_disabled has_cancelling_support ' +
    'created updated deleted',
  action_runner_token: 'id token owner_id repo_id is_active created updated deleted',
  action_variable: 'id owner_id repo_id name data description created_unix updated_unix',
  attachment:
    'id uuid repo_id issue_id release_id uploader_id comment_id name download_count size ' + 'created_unix',
  badge: 'id slug description image_url',
  branch:
    'id repo_id name commit_id commit_message pusher_id is_deleted deleted_by_id deleted_unix ' +
    'commit_time created_unix updated_unix',
  collaboration: 'id repo_id user_id mode created_unix updated_unix',
  comment:
    'id type poster_id original_author original_author_id issue_id label_id old_project_id ' +
    'project_id old_milestone_id milestone_id time_id assignee_id removed_assignee ' +
    'assignee_team_id resolve_doer_id old_title new_title old_ref new_ref dependent_issue_id ' +
    'commit_id line tree_path content content_version patch created_unix updated_unix ' +
    'commit_sha review_id invalidated ref_repo_id ref_issue_id ref_comment_id ref_action ' +
    'ref_is_pull comment_meta_data',
  commit_status:
    'id index repo_id state sha target_url description context_hash context creator_id ' +
    'created_unix updated_unix',
  deploy_key: 'id key_id repo_id name fingerprint mode created_unix updated_unix',
  email_address: 'id uid email lower_email is_activated is_primary',
  follow: 'id user_id follow_id created_unix',
  gpg_key:
    'id owner_id key_id primary_key_id content created_unix expired_unix added_unix emails ' +
    'verified can_sign can_encrypt_comms can_encrypt_storage can_certify',
  gpg_key_import: 'key_id content',
  issue:
    'id repo_id index poster_id original_author original_author_id name content ' +
    'content_version milestone_id priority is_closed is_pull num_comments ref deadline_unix ' +
    'created_unix updated_unix closed_unix is_locked time_estimate',
  issue_assignees: 'id assignee_id issue_id',
  issue_content_history:
    'id poster_id issue_id comment_id edited_unix content_text is_first_created is_deleted',
  issue_dependency: 'id user_id issue_id dependency_id created_unix updated_unix',
  issue_label: 'id issue_id label_id',
  issue_pin: 'id repo_id issue_id is_pull pin_order',
  issue_watch: 'id user_id issue_id is_watching created_unix updated_unix',
  label:
    'id repo_id org_id name exclusive exclusive_order description color num_issues ' +
    'num_closed_issues created_unix updated_unix archived_unix',
  language_stat: 'id repo_id commit_id is_primary language size created_unix',
  lfs_lock: 'id repo_id owner_id path created',
  lfs_meta_object: 'id oid size repository_id created_unix updated_unix',
  milestone:
    'id repo_id name content is_closed num_issues num_closed_issues completeness created_unix ' +
    'updated_unix deadline_unix closed_date_unix',
  mirror:
    'id repo_id interval enable_prune updated_unix next_update_unix last_sync_unix ' +
    'lfs_enabled lfs_endpoint remote_address',
  notification:
    'id user_id repo_id status source issue_id commit_id comment_id updated_by created_unix ' +
    'updated_unix',
  oauth2_application:
    'id uid name client_id client_secret confidential_client skip_secondary_authorization ' +
    'redirect_uris created_unix updated_unix',
  oauth2_grant: 'id user_id application_id counter scope nonce created_unix updated_unix',
  org_user: 'id uid org_id is_public',
  package: 'id owner_id repo_id type name lower_name semver_compatible is_internal',
  package_blob: 'id size hash_md5 hash_sha1 hash_sha256 hash_sha512 created_unix',
  package_cleanup_rule:
    'id enabled owner_id type keep_count keep_pattern remove_days remove_pattern ' +
    'match_full_name created_unix updated_unix',
  package_file: 'id version_id blob_id name lower_name composite_key is_lead created_unix',
  package_property: 'id ref_type ref_id name value',
  package_version:
    'id package_id creator_id version lower_version created_unix is_internal metadata_json ' +
    'download_count',
  project:
    'id title description owner_id repo_id creator_id is_closed board_type card_type type ' +
    'created_unix updated_unix closed_date_unix',
  project_board: 'id title default sorting color project_id creator_id created_unix updated_unix',
  project_issue: 'id issue_id project_id project_board_id sorting',
  protected_branch:
    'id repo_id branch_name priority can_push enable_whitelist whitelist_user_i_ds ' +
    'whitelist_team_i_ds enable_merge_whitelist whitelist_deploy_keys ' +
    'merge_whitelist_user_i_ds merge_whitelist_team_i_ds enable_bypass_allowlist ' +
    'bypass_allowlist_user_i_ds bypass_allowlist_team_i_ds can_force_push ' +
    'enable_force_push_allowlist force_push_allowlist_user_i_ds ' +
    'force_push_allowlist_team_i_ds force_push_allowlist_deploy_keys enable_status_check ' +
    'status_check_contexts enable_approvals_whitelist approvals_whitelist_user_i_ds ' +
    'approvals_whitelist_team_i_ds required_approvals block_on_rejected_reviews ' +
    'block_on_official_review_requests block_on_codeowner_reviews block_on_outdated_branch ' +
    'dismiss_stale_approvals ignore_stale_approvals require_signed_commits ' +
    'protected_file_patterns unprotected_file_patterns block_admin_merge_override ' +
    'created_unix updated_unix',
  protected_tag:
    'id repo_id name_pattern allowlist_user_i_ds allowlist_team_i_ds created_unix ' + 'updated_unix',
  public_key:
    'id owner_id name fingerprint content mode type login_source_id created_unix updated_unix ' + 'verified',
  pull_auto_merge: 'id pull_id doer_id merge_style message delete_branch_after_merge created_unix',
  pull_request:
    'id type status conflicted_files commits_ahead commits_behind changed_protected_files ' +
    'issue_id index head_repo_id base_repo_id head_branch base_branch merge_base ' +
    'allow_maintainer_edit has_merged merged_commit_id merger_id merged_unix flow',
  push_mirror:
    'id repo_id remote_name remote_address sync_on_commit interval created_unix last_update ' + 'last_error',
  reaction: 'id type issue_id comment_id user_id original_author_id original_author created_unix',
  release:
    'id repo_id publisher_id tag_name original_author original_author_id lower_tag_name ' +
    'target title sha1 num_commits note is_draft is_prerelease is_tag created_unix ' +
    'published_unix',
  repo_redirect: 'id owner_id lower_name redirect_repo_id',
  repo_transfer:
    'id doer_id recipient_id repo_id team_i_ds recipient_access_granted created_unix ' + 'updated_unix',
  repo_unit: 'id repo_id type config created_unix anonymous_access_mode everyone_access_mode',
  repository:
    'id owner_id owner_name lower_name name description website original_service_type ' +
    'original_url default_branch default_wiki_branch num_watches num_stars num_forks ' +
    'num_issues num_closed_issues num_pulls num_closed_pulls num_milestones ' +
    'num_closed_milestones num_projects num_closed_projects num_action_runs ' +
    'num_closed_action_runs is_private is_empty is_archived is_mirror status is_fork fork_id ' +
    'is_template template_id size git_size lfs_size is_fsck_enabled ' +
    'close_issues_via_commit_in_any_branch topics object_format_name trust_model avatar ' +
    'created_unix updated_unix archived_unix',
  review:
    'id type reviewer_id reviewer_team_id original_author original_author_id issue_id content ' +
    'official commit_id stale dismissed created_unix updated_unix',
  secret: 'id owner_id repo_id name data description created_unix',
  star: 'id uid repo_id created_unix',
  stopwatch: 'id issue_id user_id created_unix',
  team:
    'id org_id lower_name name description authorize num_repos num_members ' +
    'includes_all_repositories can_create_org_repo visibility',
  team_repo: 'id org_id team_id repo_id',
  team_unit: 'id org_id team_id type access_mode',
  team_user: 'id org_id team_id uid',
  tracked_time: 'id issue_id user_id created_unix time deleted',
  two_factor: 'id uid secret scratch_salt scratch_hash last_used_passcode created_unix updated_unix',
  user:
    'id lower_name name full_name email keep_email_private email_notifications_preference ' +
    'passwd passwd_hash_algo must_change_password login_type login_source login_name type ' +
    'location website rands salt language description created_unix updated_unix ' +
    'last_login_unix last_repo_visibility max_repo_creation is_active is_admin is_restricted ' +
    'allow_git_hook allow_import_local allow_create_organization prohibit_login avatar ' +
    'avatar_email use_custom_avatar num_followers num_following num_stars num_repos num_teams ' +
    'num_members visibility repo_admin_change_team_access diff_view_style theme ' +
    'keep_activity_private',
  user_badge: 'id badge_id user_id',
  user_blocking: 'id blocker_id blockee_id note created_unix',
  user_redirect: 'id lower_name redirect_user_id',
  version: 'id version',
  watch:
    'id user_id repo_id mode created_unix updated_unix include_pull_requests include_issues ' +
    'include_releases',
  webauthn_credential:
    'id name lower_name user_id credential_id public_key attestation_type aaguid sign_count ' +
    'clone_warning created_unix updated_unix',
  webhook:
    'id repo_id owner_id is_system_webhook url name http_method content_type secret events ' +
    'is_active type meta last_status header_authorization_encrypted created_unix updated_unix',
}
