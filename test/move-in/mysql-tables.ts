/** The tables of a Gitea with the types that it gives its columns on MySQL, and their rows from its SQLite file. */
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from 'mysql2/promise'
import { TABLES } from './tables.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** By the name of a column, or of a table and a column where other tables use the name for a text. */
const FLAGS = words(
  'allow_create_organization allow_git_hook allow_import_local allow_maintainer_edit ' +
    'block_admin_merge_override block_on_codeowner_reviews block_on_official_review_requests ' +
    'block_on_outdated_branch block_on_rejected_reviews can_certify can_create_org_repo ' +
    'can_encrypt_comms can_encrypt_storage can_force_push can_push can_sign clone_warning ' +
    'close_issues_via_commit_in_any_branch confidential_client default delete_branch_after_merge ' +
    'dismiss_stale_approvals dismissed enable_approvals_whitelist enable_bypass_allowlist ' +
    'enable_force_push_allowlist enable_merge_whitelist enable_prune enable_status_check ' +
    'enable_whitelist enabled ephemeral exclusive force_push_allowlist_deploy_keys ' +
    'has_cancelling_support has_merged ignore_stale_approvals include_issues include_pull_requests ' +
    'include_releases includes_all_repositories invalidated is_activated is_active is_admin is_archived ' +
    'is_closed is_deleted is_disabled is_draft is_empty is_first_created is_fork is_fsck_enabled ' +
    'is_internal is_lead is_locked is_mirror is_prerelease is_primary is_private is_public is_pull ' +
    'is_restricted is_system_webhook is_tag is_template is_watching keep_activity_private ' +
    'keep_email_private last_repo_visibility lfs_enabled match_full_name must_change_password official ' +
    'prohibit_login recipient_access_granted ref_is_pull removed_assignee repo_admin_change_team_access ' +
    'require_signed_commits semver_compatible skip_secondary_authorization stale sync_on_commit ' +
    'use_custom_avatar verified whitelist_deploy_keys tracked_time.deleted',
)
const NUMBERS = words(
  'access_mode added_unix anonymous_access_mode application_id archived_unix assignee_id ' +
    'assignee_team_id authorize badge_id base base_repo_id blob_id blockee_id blocker_id board_type ' +
    'card_type closed_date_unix closed_unix comment_id commit_time commits_ahead commits_behind ' +
    'completeness content_type content_version counter created_unix creator_id deadline_unix ' +
    'deleted_by_id deleted_unix dependency_id dependent_issue_id doer_id download_count edited_unix ' +
    'everyone_access_mode exclusive_order expired_unix flow follow_id fork_id git_size head_repo_id ' +
    'index interval issue_id keep_count label_id last_active last_login_unix last_online last_status ' +
    'last_sync_unix last_update lfs_size line login_source login_source_id login_type max_repo_creation ' +
    'merged_unix merger_id milestone_id mode next_update_unix num_action_runs num_closed_action_runs ' +
    'num_closed_issues num_closed_milestones num_closed_projects num_closed_pulls num_comments ' +
    'num_commits num_followers num_following num_forks num_issues num_members num_milestones ' +
    'num_projects num_pulls num_repos num_stars num_teams num_watches old_milestone_id old_project_id ' +
    'org_id original_author_id original_service_type owner_id package_id pin_order poster_id priority ' +
    'project_board_id project_id published_unix publisher_id pull_id pusher_id recipient_id ' +
    'redirect_repo_id redirect_user_id ref_action ref_comment_id ref_id ref_issue_id ref_repo_id ' +
    'ref_type release_id remove_days repo_id repository_id required_approvals resolve_doer_id review_id ' +
    'reviewer_id reviewer_team_id sign_count size sorting source status team_id template_id time ' +
    'time_estimate time_id trust_model uid updated updated_by updated_unix uploader_id user_id ' +
    'version_id visibility action_runner.created action_runner.deleted action_runner_token.created ' +
    'action_runner_token.deleted comment.commit_id comment.type deploy_key.key_id project.type ' +
    'public_key.type pull_request.type repo_unit.type review.type team_unit.type user.type ' +
    'version.version',
)
const LONG_TEXTS = words(
  'agent_labels allowlist_team_i_ds allowlist_user_i_ds approvals_whitelist_team_i_ds ' +
    'approvals_whitelist_user_i_ds bypass_allowlist_team_i_ds bypass_allowlist_user_i_ds ' +
    'changed_protected_files comment_meta_data commit_message config conflicted_files content ' +
    'content_text context data emails events force_push_allowlist_team_i_ds ' +
    'force_push_allowlist_user_i_ds header_authorization_encrypted last_error lfs_endpoint ' +
    'merge_whitelist_team_i_ds merge_whitelist_user_i_ds message meta metadata_json nonce patch path ' +
    'protected_file_patterns redirect_uris status_check_contexts target_url team_i_ds topics ' +
    'unprotected_file_patterns url value whitelist_team_i_ds whitelist_user_i_ds ' +
    'action_runner.description action_variable.description commit_status.description oauth2_grant.scope ' +
    'project.description release.note repository.description secret.description webhook.secret',
)
const BLOBS = words('aaguid public_key')
const TYPES: Readonly<Record<string, string>> = {
  'attachment.uuid': 'char(36)',
  'lfs_lock.created': 'datetime',
  'public_key.content': 'mediumtext',
  'webauthn_credential.credential_id': 'varbinary(1024)',
}

export async function copyTables(database: DatabaseSync, connection: Connection): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    const typed = columns.split(' ').map((name) => `\`${name}\` ${typeOf(table, name)}`)
    await connection.query(`create table \`${table}\` (${typed.join(', ')}) engine = InnoDB`)
    for (const row of database.prepare(`select * from "${table}"`).all()) {
      // Gitea writes 0 for a number or flag that is not set, which is the default of these columns.
      const given = Object.entries(row).flatMap(([name, value]) =>
        value === null ? [] : [[name, value instanceof Uint8Array ? Buffer.from(value) : value]],
      )
      await connection.query(`insert into \`${table}\` set ?`, [Object.fromEntries(given)])
    }
  }
}

function typeOf(table: string, column: string): string {
  const name = `${table}.${column}`
  const isOne = (names: ReadonlySet<string>) => names.has(column) || names.has(name)
  if (TYPES[name] !== undefined) return TYPES[name]
  if (column === 'id') return 'bigint auto_increment primary key'
  if (isOne(FLAGS)) return 'tinyint(1) not null default 0'
  if (isOne(NUMBERS)) return 'bigint not null default 0'
  if (isOne(BLOBS)) return 'blob'
  return isOne(LONG_TEXTS) ? 'longtext' : 'varchar(255)'
}
