/**
 * Where each table would be if the forge had several databases: docs/beyond-one-postgresql.md. Every table is named once;
 * `tables.test.ts` compares the list with the schema.
 */

/**
 * `network`: rows of one fork network (a repository, its forks and their pull requests), in one shard.
 * `either`: rows of a repository go with its network, rows of an account are those of the instance.
 * `account`: rows that one account reads, and that no decision about rights reads.
 * `instance`: rows that decide who may do what, in one database.
 * `local`: each database has its own rows, and what they count is summed.
 */
export type Place = 'network' | 'either' | 'account' | 'instance' | 'local'

export const TABLES: Readonly<Record<Place, string>> = {
  network: `
    action_artifact action_artifact_part action_attempt action_job action_log_piece action_run action_run_number
    action_schedule action_step action_task action_workflow_off job_token
    attachment branch_protection tag_protection collaboration team_repository commit_status deleted_branch
    code_owner code_owner_check merge_queue_entry pull_auto_merge pull_merge pull_request pull_version
    review review_comment review_look viewed_change
    git_branch_count git_generation git_kept_tip git_pack git_pack_doomed git_pack_unnamed git_ref git_storage
    git_storage_pack lfs_link lfs_lock lfs_object lfs_walk
    import import_page mirror push_mirror
    issue issue_assignee issue_closing_commit issue_comment issue_content_history issue_dependency issue_label
    issue_number issue_reviewer issue_subscription reaction stopwatch tracked_time milestone milestone_count
    release repository repository_count repository_deleted repository_language repository_transfer star watch`,
  either: `
    action_runner action_runner_token action_secret action_variable label label_count
    project project_card project_column project_count project_rule webhook webhook_delivery webhook_payload`,
  account: `
    activity activity_feed notification notification_mail draft saved_view undo pinned_repository
    package package_blob package_file package_object package_upload package_version`,
  instance: `
    account account_badge account_block account_email account_password account_redirect account_suspension account_totp
    badge follow known_address membership organization team team_member team_unit
    access_token token_use public_key deploy_key gpg_key signing_key
    web_session sign_in_failure sign_in_step recovery_code passkey invitation letter_count
    oauth2_application oauth2_code oauth2_grant oauth2_refresh_token oauth2_signing_key oauth2_token_family
    authentication_source external_identity source_mapping source_step provisioned_member scim_group scim_token scim_user
    abuse_report anonymous_git_use client_use forge_identity import_host imported_author move_in move_in_step
    repository_redirect`,
  local: `
    account_count account_usage repository_tally topic
    audit_chain audit_record audit_refusal audit_seal backup cron_task discarded_object event job job_worker
    schema_migration webhook_circuit`,
}

/** All names of a place. */
export function tablesOf(place: Place): readonly string[] {
  return TABLES[place].trim().split(/\s+/)
}

export function placeOf(table: string): Place | undefined {
  return PLACES.get(table)
}

const PLACES = new Map(
  (Object.keys(TABLES) as Place[]).flatMap((place) => tablesOf(place).map((it) => [it, place] as const)),
)
