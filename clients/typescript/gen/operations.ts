/** Written by `npm run contract` from the routes; never by hand. */
export type AbuseReport = { readonly "id": number; readonly "reporter": string; readonly "path": string; readonly "account": string | null; readonly "repository": string | null; readonly "category": "spam" | "malware" | "harassment" | "illegal" | "other"; readonly "body": string; readonly "created_at": string; readonly "outcome": "dismissed" | "acted" | null }
export type AccessToken = { readonly "id": number; readonly "name": string; readonly "sha1": string; readonly "token_last_eight": string; readonly "scopes": readonly (string)[]; readonly "created_at": string | null; readonly "last_used_at": string | null; readonly "last_used_from"?: string | undefined; readonly "expires_at"?: string | undefined; readonly "restriction"?: AccessTokenRestriction | undefined }
export type AccessTokenProposal = { readonly "repository_ids": readonly (number)[]; readonly "units_map": { readonly [name: string]: "read" | "write" } }
export type AccessTokenRestriction = { readonly "places": readonly ({ readonly "repository_ids": readonly (number)[]; readonly "owner_ids": readonly (number)[] })[]; readonly "units_map": { readonly [name: string]: string } | null; readonly "refs": readonly (readonly (string)[])[]; readonly "addresses": readonly (readonly (string)[])[] }
export type AccessTokenUse = { readonly "token": AccessToken; readonly "days": number; readonly "uses": readonly (AccessTokenUseEntry)[]; readonly "proposal": AccessTokenProposal | null }
export type AccessTokenUseEntry = { readonly "repository": AccessTokenUseRepository | null; readonly "unit": string | null; readonly "level": "read" | "write" | "admin"; readonly "last_day": string; readonly "is_lost": boolean }
export type AccessTokenUseRepository = { readonly "id": number; readonly "full_name": string }
export type ActionArtifact = { readonly "id": number; readonly "name": string; readonly "size_in_bytes": number; readonly "url": string; readonly "archive_download_url": string; readonly "digest"?: string | undefined; readonly "expired": boolean; readonly "workflow_run": { readonly "id": number; readonly "repository_id": number; readonly "head_sha": string; readonly "head_branch"?: string | undefined }; readonly "created_at": string; readonly "updated_at": string; readonly "expires_at": string }
export type ActionArtifactsResponse = { readonly "artifacts": readonly (ActionArtifact)[]; readonly "total_count": number }
export type ActionRunner = { readonly "id": number; readonly "name": string; readonly "status": string; readonly "busy": boolean; readonly "disabled": boolean; readonly "ephemeral": boolean; readonly "labels": readonly (ActionRunnerLabel)[] }
export type ActionRunnerLabel = { readonly "id": number; readonly "name": string; readonly "type": string }
export type ActionRunnersResponse = { readonly "runners": readonly (ActionRunner)[]; readonly "total_count": number }
export type ActionTask = { readonly "id": number; readonly "name": string; readonly "head_branch": string; readonly "head_sha": string; readonly "run_number": number; readonly "event": string; readonly "display_title": string; readonly "status": string; readonly "workflow_id": string; readonly "url": string; readonly "created_at": string; readonly "updated_at": string; readonly "run_started_at": string | null }
export type ActionTaskResponse = { readonly "workflow_runs": readonly (ActionTask)[]; readonly "total_count": number }
export type ActionWorkflow = { readonly "id": string; readonly "name": string; readonly "path": string; readonly "state": string; readonly "created_at": string; readonly "updated_at": string; readonly "url": string; readonly "html_url": string; readonly "badge_url": string; readonly "deleted_at": null }
export type ActionWorkflowJob = { readonly "id": number; readonly "url": string; readonly "html_url": string; readonly "run_id": number; readonly "run_url": string; readonly "name": string; readonly "labels": readonly (string)[]; readonly "run_attempt": number; readonly "head_sha": string; readonly "head_branch"?: string | undefined; readonly "status": string; readonly "conclusion"?: string | undefined; readonly "runner_id"?: number | undefined; readonly "runner_name"?: string | undefined; readonly "steps": readonly (ActionWorkflowStep)[]; readonly "created_at": string; readonly "started_at": string | null; readonly "completed_at": string | null }
export type ActionWorkflowJobsResponse = { readonly "jobs": readonly (ActionWorkflowJob)[]; readonly "total_count": number }
export type ActionWorkflowResponse = { readonly "workflows": readonly (ActionWorkflow)[]; readonly "total_count": number }
export type ActionWorkflowRun = { readonly "id": number; readonly "url": string; readonly "previous_attempt_url": string | null; readonly "html_url": string; readonly "jobs_url": string; readonly "logs_url": string; readonly "artifacts_url": string; readonly "cancel_url": string; readonly "rerun_url": string; readonly "display_title": string; readonly "path": string; readonly "event": string; readonly "run_attempt": number; readonly "run_number": number; readonly "head_sha": string; readonly "head_branch"?: string | undefined; readonly "status": string; readonly "conclusion"?: string | undefined; readonly "actor": User | null; readonly "trigger_actor": User | null; readonly "repository": Repository; readonly "head_repository": Repository | null; readonly "pull_requests": readonly (PullRequestMinimal)[]; readonly "created_at": string; readonly "updated_at": string; readonly "started_at": string | null; readonly "completed_at": string | null }
export type ActionWorkflowRunsResponse = { readonly "workflow_runs": readonly (ActionWorkflowRun)[]; readonly "total_count": number }
export type ActionWorkflowStep = { readonly "name": string; readonly "number": number; readonly "status": string; readonly "conclusion"?: string | undefined; readonly "started_at": string | null; readonly "completed_at": string | null }
export type Activity = { readonly "id": number; readonly "user_id": number; readonly "op_type": "create_repo" | "rename_repo" | "star_repo" | "watch_repo" | "commit_repo" | "create_issue" | "create_pull_request" | "transfer_repo" | "push_tag" | "comment_issue" | "merge_pull_request" | "close_issue" | "reopen_issue" | "close_pull_request" | "reopen_pull_request" | "delete_tag" | "delete_branch" | "mirror_sync_push" | "mirror_sync_create" | "mirror_sync_delete" | "approve_pull_request" | "reject_pull_request" | "comment_pull" | "publish_release" | "pull_review_dismissed" | "pull_request_ready_for_review" | "auto_merge_pull_request"; readonly "act_user_id": number; readonly "act_user": User; readonly "repo_id": number; readonly "repo": Repository; readonly "comment_id": number; readonly "comment": ActivityComment | null; readonly "ref_name": string; readonly "is_private": boolean; readonly "content": string; readonly "created": string }
export type ActivityComment = { readonly "id": number; readonly "html_url": string; readonly "pull_request_url": string; readonly "issue_url": string; readonly "user": null; readonly "original_author": string; readonly "original_author_id": number; readonly "body": string; readonly "assets": readonly (Attachment)[]; readonly "created_at": string; readonly "updated_at": string }
export type AddCollaboratorOption = { readonly "permission"?: "read" | "write" | "admin" | undefined }
export type AddTimeOption = { readonly "time": number; readonly "created"?: string | undefined; readonly "user_name"?: string | undefined }
export type AnnotatedTag = { readonly "tag": string; readonly "sha": string; readonly "url": string; readonly "message": string; readonly "tagger": CommitUser; readonly "object": AnnotatedTagObject; readonly "verification": PayloadCommitVerification }
export type AnnotatedTagObject = { readonly "type": string; readonly "sha": string; readonly "url": string }
export type ApplyDiffPatchFileOptions = { readonly "branch"?: string | undefined; readonly "new_branch"?: string | undefined; readonly "message"?: string | undefined; readonly "author"?: Identity | undefined; readonly "committer"?: Identity | undefined; readonly "dates"?: CommitDateOptions | undefined; readonly "signoff"?: boolean | undefined; readonly "content": string }
export type AssignImportedAuthorOption = { readonly "username": string }
export type Attachment = { readonly "id": number; readonly "name": string; readonly "size": number; readonly "download_count": number; readonly "created_at": string; readonly "uuid": string; readonly "browser_download_url": string }
export type AuditRecord = { readonly "id": number; readonly "at": string; readonly "operation": string; readonly "outcome": "done" | "unchanged" | "refused" | "failed"; readonly "problem": string | null; readonly "account_id": number | null; readonly "account": string | null; readonly "as_id": number | null; readonly "as_account": string | null; readonly "via": string; readonly "repository_id": number | null; readonly "owner_id": number | null; readonly "target": string; readonly "times": number; readonly "credential": string | null; readonly "address": string | null; readonly "request_id": string | null; readonly "node": string }
export type AuthenticationSource = { readonly "id": number; readonly "type": "oidc" | "ldap" | "saml"; readonly "name": string; readonly "is_enabled": boolean; readonly "is_only_way": boolean; readonly "may_register": boolean; readonly "has_secret": boolean; readonly "callback_url"?: string | undefined; readonly "metadata_url"?: string | undefined; readonly "oidc"?: OpenIDConnectSettings | undefined; readonly "ldap"?: LdapSettings | undefined; readonly "saml"?: SamlSettings | undefined; readonly "halted_check"?: AuthenticationSourceHaltedCheck | undefined; readonly "created_at": string; readonly "updated_at": string }
export type AuthenticationSourceHaltedCheck = { readonly "at": string; readonly "missing": number; readonly "people": number }
export type AuthenticationSourceMapping = { readonly "group": string; readonly "organization"?: string | undefined; readonly "team"?: string | undefined; readonly "admin"?: boolean | undefined }
export type AuthenticationSourceMappings = { readonly "mappings": readonly (AuthenticationSourceMapping)[] }
export type Badge = { readonly "id": number; readonly "slug": string; readonly "description": string; readonly "image_url": string }
export type Branch = { readonly "name": string; readonly "commit": PayloadCommit; readonly "protected": boolean; readonly "required_approvals": number; readonly "enable_status_check": boolean; readonly "status_check_contexts": readonly (string)[]; readonly "user_can_push": boolean; readonly "user_can_merge": boolean; readonly "effective_branch_protection_name": string }
export type BranchProtection = { readonly "branch_name": string; readonly "rule_name": string; readonly "priority": number; readonly "enable_push": boolean; readonly "enable_push_whitelist": boolean; readonly "push_whitelist_usernames": readonly (string)[]; readonly "push_whitelist_teams": readonly (string)[]; readonly "push_whitelist_deploy_keys": boolean; readonly "enable_force_push": boolean; readonly "enable_force_push_allowlist": boolean; readonly "force_push_allowlist_usernames": readonly (string)[]; readonly "force_push_allowlist_teams": readonly (string)[]; readonly "force_push_allowlist_deploy_keys": boolean; readonly "enable_merge_whitelist": boolean; readonly "merge_whitelist_usernames": readonly (string)[]; readonly "merge_whitelist_teams": readonly (string)[]; readonly "enable_bypass_allowlist": boolean; readonly "bypass_allowlist_usernames": readonly (string)[]; readonly "bypass_allowlist_teams": readonly (string)[]; readonly "enable_status_check": boolean; readonly "status_check_contexts": readonly (string)[]; readonly "required_approvals": number; readonly "enable_approvals_whitelist": boolean; readonly "approvals_whitelist_username": readonly (string)[]; readonly "approvals_whitelist_teams": readonly (string)[]; readonly "block_on_rejected_reviews": boolean; readonly "block_on_official_review_requests": boolean; readonly "block_on_codeowner_reviews": boolean; readonly "block_on_outdated_branch": boolean; readonly "dismiss_stale_approvals": boolean; readonly "ignore_stale_approvals": boolean; readonly "require_signed_commits": boolean; readonly "protected_file_patterns": string; readonly "unprotected_file_patterns": string; readonly "block_admin_merge_override": boolean; readonly "created_at": string; readonly "updated_at": string }
export type ChangeFileOperation = { readonly "operation": "create" | "update" | "upload" | "rename" | "delete"; readonly "path": string; readonly "content"?: string | undefined; readonly "sha"?: string | undefined; readonly "from_path"?: string | undefined }
export type ChangeFilesOptions = { readonly "branch"?: string | undefined; readonly "new_branch"?: string | undefined; readonly "message"?: string | undefined; readonly "author"?: Identity | undefined; readonly "committer"?: Identity | undefined; readonly "dates"?: CommitDateOptions | undefined; readonly "signoff"?: boolean | undefined; readonly "files": readonly (ChangeFileOperation)[] }
export type ChangedFile = { readonly "filename": string; readonly "previous_filename"?: string | undefined; readonly "status": string; readonly "additions": number; readonly "deletions": number; readonly "changes": number; readonly "html_url"?: string | undefined; readonly "contents_url"?: string | undefined; readonly "raw_url"?: string | undefined }
export type CombinedStatus = { readonly "state": "pending" | "success" | "error" | "failure" | "warning" | "skipped"; readonly "sha": string; readonly "total_count": number; readonly "statuses": readonly (CommitStatus)[]; readonly "repository": Repository; readonly "commit_url": string; readonly "url": string }
export type Comment = { readonly "id": number; readonly "html_url": string; readonly "pull_request_url": string; readonly "issue_url": string; readonly "user": User; readonly "original_author": string; readonly "original_author_id": number; readonly "body": string; readonly "assets": readonly (Attachment)[]; readonly "created_at": string; readonly "updated_at": string }
export type Commit = { readonly "url": string; readonly "sha": string; readonly "created": string; readonly "html_url": string; readonly "commit": RepoCommit; readonly "author": User | null; readonly "committer": User | null; readonly "parents": readonly (CommitMeta)[]; readonly "files": readonly (CommitAffectedFiles)[] | null; readonly "stats": CommitStats | null }
export type CommitAffectedFiles = { readonly "filename": string; readonly "status": "added" | "modified" | "deleted" }
export type CommitDateOptions = { readonly "author"?: string | undefined; readonly "committer"?: string | undefined }
export type CommitMeta = { readonly "url": string; readonly "sha": string; readonly "created": string | null }
export type CommitStats = { readonly "total": number; readonly "additions": number; readonly "deletions": number }
export type CommitStatus = { readonly "id": number; readonly "status": "pending" | "success" | "error" | "failure" | "warning" | "skipped"; readonly "target_url": string; readonly "description": string; readonly "url": string; readonly "context": string; readonly "creator": User | null; readonly "created_at": string; readonly "updated_at": string }
export type CommitUser = { readonly "name": string; readonly "email": string; readonly "date": string }
export type Compare = { readonly "total_commits": number; readonly "commits": readonly (Commit)[] }
export type ContentsExtResponse = { readonly "file_contents"?: ContentsResponse | undefined; readonly "dir_contents"?: readonly (ContentsResponse)[] | undefined }
export type ContentsResponse = { readonly "name": string; readonly "path": string; readonly "sha": string; readonly "last_commit_sha"?: string | undefined; readonly "last_committer_date"?: string | undefined; readonly "last_author_date"?: string | undefined; readonly "last_commit_message"?: string | undefined; readonly "type": "file" | "dir" | "symlink" | "submodule"; readonly "mode": string; readonly "size": number; readonly "encoding": string | null; readonly "content": string | null; readonly "target": string | null; readonly "url": string | null; readonly "html_url": string | null; readonly "git_url": string | null; readonly "download_url": string | null; readonly "submodule_git_url": string | null; readonly "_links": FileLinksResponse; readonly "lfs_oid"?: string | undefined; readonly "lfs_size"?: number | undefined }
export type CreateAccessTokenOption = { readonly "name": string; readonly "repository_ids"?: readonly (number)[] | undefined; readonly "owner_ids"?: readonly (number)[] | undefined; readonly "units_map"?: { readonly [name: string]: "read" | "write" } | undefined; readonly "refs"?: readonly (string)[] | undefined; readonly "addresses"?: readonly (string)[] | undefined; readonly "expires_at"?: string | undefined; readonly "scopes"?: readonly (string)[] | undefined }
export type CreateActionWorkflowDispatch = { readonly "ref": string; readonly "inputs"?: { readonly [name: string]: string } | undefined }
export type CreateAuthenticationSourceOption = { readonly "name": string; readonly "is_enabled"?: boolean | undefined; readonly "is_only_way"?: boolean | undefined; readonly "may_register"?: boolean | undefined; readonly "secret"?: string | undefined; readonly "oidc"?: CreateOpenIDConnectSettings | undefined; readonly "ldap"?: CreateLdapSettings | undefined; readonly "saml"?: CreateSamlSettings | undefined }
export type CreateBranchProtectionOption = { readonly "rule_name"?: string | undefined; readonly "branch_name"?: string | undefined; readonly "priority"?: number | undefined; readonly "enable_push"?: boolean | undefined; readonly "enable_push_whitelist"?: boolean | undefined; readonly "push_whitelist_usernames"?: readonly (string)[] | undefined; readonly "push_whitelist_teams"?: readonly (string)[] | undefined; readonly "push_whitelist_deploy_keys"?: boolean | undefined; readonly "enable_force_push"?: boolean | undefined; readonly "enable_force_push_allowlist"?: boolean | undefined; readonly "force_push_allowlist_usernames"?: readonly (string)[] | undefined; readonly "force_push_allowlist_teams"?: readonly (string)[] | undefined; readonly "force_push_allowlist_deploy_keys"?: boolean | undefined; readonly "enable_merge_whitelist"?: boolean | undefined; readonly "merge_whitelist_usernames"?: readonly (string)[] | undefined; readonly "merge_whitelist_teams"?: readonly (string)[] | undefined; readonly "enable_bypass_allowlist"?: boolean | undefined; readonly "bypass_allowlist_usernames"?: readonly (string)[] | undefined; readonly "bypass_allowlist_teams"?: readonly (string)[] | undefined; readonly "enable_status_check"?: boolean | undefined; readonly "status_check_contexts"?: readonly (string)[] | undefined; readonly "required_approvals"?: number | undefined; readonly "enable_approvals_whitelist"?: boolean | undefined; readonly "approvals_whitelist_username"?: readonly (string)[] | undefined; readonly "approvals_whitelist_teams"?: readonly (string)[] | undefined; readonly "block_on_rejected_reviews"?: boolean | undefined; readonly "block_on_official_review_requests"?: boolean | undefined; readonly "block_on_codeowner_reviews"?: boolean | undefined; readonly "block_on_outdated_branch"?: boolean | undefined; readonly "dismiss_stale_approvals"?: boolean | undefined; readonly "ignore_stale_approvals"?: boolean | undefined; readonly "require_signed_commits"?: boolean | undefined; readonly "protected_file_patterns"?: string | undefined; readonly "unprotected_file_patterns"?: string | undefined; readonly "block_admin_merge_override"?: boolean | undefined }
export type CreateBranchRepoOption = { readonly "new_branch_name": string; readonly "old_ref_name"?: string | undefined; readonly "old_branch_name"?: string | undefined }
export type CreateDeployTokenOption = { readonly "title": string; readonly "read_only"?: boolean | undefined }
export type CreateEmailOption = { readonly "emails"?: readonly (string)[] | undefined }
export type CreateFileOptions = { readonly "branch"?: string | undefined; readonly "new_branch"?: string | undefined; readonly "message"?: string | undefined; readonly "author"?: Identity | undefined; readonly "committer"?: Identity | undefined; readonly "dates"?: CommitDateOptions | undefined; readonly "signoff"?: boolean | undefined; readonly "content"?: string | undefined }
export type CreateForkOption = { readonly "name"?: string | undefined; readonly "organization"?: string | undefined }
export type CreateGPGKeyOption = { readonly "armored_public_key": string; readonly "armored_signature"?: string | undefined }
export type CreateHookOption = { readonly "type": string; readonly "config": CreateHookOptionConfig; readonly "name"?: string | undefined; readonly "active"?: boolean | undefined; readonly "branch_filter"?: string | undefined; readonly "authorization_header"?: string | undefined; readonly "events"?: readonly (string)[] | undefined }
export type CreateHookOptionConfig = { readonly [name: string]: string }
export type CreateIssueCommentOption = { readonly "body": string }
export type CreateIssueOption = { readonly "title": string; readonly "body"?: string | undefined; readonly "ref"?: string | undefined; readonly "assignee"?: string | undefined; readonly "assignees"?: readonly (string)[] | undefined; readonly "due_date"?: string | undefined; readonly "milestone"?: number | undefined; readonly "labels"?: readonly (number)[] | undefined; readonly "projects"?: readonly (number)[] | undefined; readonly "closed"?: boolean | undefined }
export type CreateKeyOption = { readonly "title": string; readonly "key": string; readonly "read_only"?: boolean | undefined }
export type CreateLabelOption = { readonly "name": string; readonly "color": string; readonly "description"?: string | undefined; readonly "exclusive"?: boolean | undefined; readonly "is_archived"?: boolean | undefined }
export type CreateLdapSettings = { readonly "host": string; readonly "base_dn": string; readonly "user_filter": string; readonly "port"?: number | undefined; readonly "security"?: "ldaps" | "starttls" | undefined; readonly "ca_certificate"?: string | undefined; readonly "bind_dn"?: string | undefined; readonly "subject_attribute"?: string | undefined; readonly "username_attribute"?: string | undefined; readonly "name_attribute"?: string | undefined; readonly "email_attribute"?: string | undefined; readonly "group_base_dn"?: string | undefined; readonly "group_filter"?: string | undefined; readonly "group_name_attribute"?: string | undefined }
export type CreateMilestoneOption = { readonly "title": string; readonly "description"?: string | undefined; readonly "due_on"?: string | undefined; readonly "state"?: string | undefined }
export type CreateNarrowedTokenOption = { readonly "repository_ids"?: readonly (number)[] | undefined; readonly "owner_ids"?: readonly (number)[] | undefined; readonly "units_map"?: { readonly [name: string]: "read" | "write" } | undefined; readonly "refs"?: readonly (string)[] | undefined; readonly "addresses"?: readonly (string)[] | undefined; readonly "scopes"?: readonly (string)[] | undefined; readonly "seconds": number }
export type CreateOpenIDConnectSettings = { readonly "issuer": string; readonly "client_id": string; readonly "scopes"?: readonly (string)[] | undefined; readonly "username_claim"?: string | undefined; readonly "groups_claim"?: string | undefined }
export type CreateOrgOption = { readonly "username": string; readonly "full_name"?: string | undefined; readonly "email"?: string | undefined; readonly "description"?: string | undefined; readonly "website"?: string | undefined; readonly "location"?: string | undefined; readonly "visibility"?: "public" | "limited" | "private" | "" | undefined; readonly "repo_admin_change_team_access"?: boolean | undefined }
export type CreateProjectColumnOption = { readonly "title": string; readonly "color"?: string | undefined }
export type CreateProjectOption = { readonly "title": string; readonly "description"?: string | undefined; readonly "template_type"?: "none" | "basic_kanban" | "bug_triage" | "" | undefined; readonly "card_type"?: "text_only" | "images_and_text" | "" | undefined }
export type CreatePullRequestOption = { readonly "title": string; readonly "head": string; readonly "base": string; readonly "body"?: string | undefined; readonly "assignee"?: string | undefined; readonly "assignees"?: readonly (string)[] | undefined; readonly "labels"?: readonly (number)[] | undefined; readonly "milestone"?: number | undefined; readonly "due_date"?: string | undefined; readonly "reviewers"?: readonly (string)[] | undefined; readonly "team_reviewers"?: readonly (string)[] | undefined; readonly "allow_maintainer_edit"?: boolean | undefined }
export type CreatePullReviewComment = { readonly "path": string; readonly "body": string; readonly "new_position"?: number | undefined; readonly "old_position"?: number | undefined; readonly "start_line"?: number | undefined }
export type CreatePullReviewCommentReplyOptions = { readonly "body": string }
export type CreatePullReviewOptions = { readonly "event"?: string | undefined; readonly "body"?: string | undefined; readonly "commit_id"?: string | undefined; readonly "comments"?: readonly (CreatePullReviewComment)[] | undefined }
export type CreatePushMirrorOption = { readonly "remote_address"?: string | undefined; readonly "remote_username"?: string | undefined; readonly "remote_password"?: string | undefined; readonly "interval"?: string | undefined; readonly "sync_on_commit"?: boolean | undefined }
export type CreateReleaseOption = { readonly "tag_name": string; readonly "tag_message"?: string | undefined; readonly "target_commitish"?: string | undefined; readonly "name"?: string | undefined; readonly "body"?: string | undefined; readonly "draft"?: boolean | undefined; readonly "prerelease"?: boolean | undefined }
export type CreateRepoOption = { readonly "name": string; readonly "description"?: string | undefined; readonly "private"?: boolean | undefined; readonly "template"?: boolean | undefined; readonly "auto_init"?: boolean | undefined; readonly "default_branch"?: string | undefined; readonly "gitignores"?: string | undefined; readonly "issue_labels"?: string | undefined; readonly "license"?: string | undefined; readonly "readme"?: string | undefined; readonly "trust_model"?: string | undefined; readonly "object_format_name"?: string | undefined }
export type CreateSamlSettings = { readonly "entity_id": string; readonly "sso_url": string; readonly "certificates": string; readonly "name_id_format"?: "persistent" | "emailAddress" | "unspecified" | undefined; readonly "subject_attribute"?: string | undefined; readonly "username_attribute"?: string | undefined; readonly "name_attribute"?: string | undefined; readonly "email_attribute"?: string | undefined; readonly "groups_attribute"?: string | undefined }
export type CreateScimTokenOption = { readonly "name": string }
export type CreateServiceAccountOption = { readonly "username": string; readonly "full_name"?: string | undefined }
export type CreateStatusOption = { readonly "state": "pending" | "success" | "error" | "failure" | "warning" | "skipped"; readonly "context"?: string | undefined; readonly "description"?: string | undefined; readonly "target_url"?: string | undefined }
export type CreateTagOption = { readonly "tag_name": string; readonly "target"?: string | undefined; readonly "message"?: string | undefined }
export type CreateTagProtectionOption = { readonly "name_pattern"?: string | undefined; readonly "whitelist_usernames"?: readonly (string)[] | undefined; readonly "whitelist_teams"?: readonly (string)[] | undefined }
export type CreateTeamOption = { readonly "name": string; readonly "description"?: string | undefined; readonly "includes_all_repositories"?: boolean | undefined; readonly "can_create_org_repo"?: boolean | undefined; readonly "visibility"?: "public" | "limited" | "private" | undefined; readonly "permission"?: string | undefined; readonly "units"?: readonly (string)[] | undefined; readonly "units_map"?: { readonly [name: string]: string } | undefined }
export type CreateUserOption = { readonly "username": string; readonly "email": string; readonly "password"?: string | undefined; readonly "full_name"?: string | undefined; readonly "login_name"?: string | undefined; readonly "source_id"?: number | undefined; readonly "must_change_password"?: boolean | undefined; readonly "restricted"?: boolean | undefined; readonly "visibility"?: "public" | "limited" | "private" | "" | undefined; readonly "created_at"?: string | undefined; readonly "send_notify"?: boolean | undefined }
export type CreateWikiPageOptions = { readonly "title"?: string | undefined; readonly "content_base64"?: string | undefined; readonly "message"?: string | undefined }
export type Cron = { readonly "name": string; readonly "schedule": string; readonly "next": string | null; readonly "prev": string | null; readonly "exec_times": number }
export type CurrentAccessToken = { readonly "id": number; readonly "name": string; readonly "scopes": readonly (string)[]; readonly "created_at": string; readonly "last_used_at": string; readonly "expires_at"?: string | undefined; readonly "restriction"?: AccessTokenRestriction | undefined; readonly "user": UserMeta }
export type DeleteEmailOption = { readonly "emails"?: readonly (string)[] | undefined }
export type DeleteFileOptions = { readonly "branch"?: string | undefined; readonly "new_branch"?: string | undefined; readonly "message"?: string | undefined; readonly "author"?: Identity | undefined; readonly "committer"?: Identity | undefined; readonly "dates"?: CommitDateOptions | undefined; readonly "signoff"?: boolean | undefined; readonly "sha": string }
export type DeletedRepository = { readonly "id": number; readonly "owner": User; readonly "name": string; readonly "full_name": string; readonly "description": string; readonly "private": boolean; readonly "size": number; readonly "deleted_at": string; readonly "kept_until": string }
export type DeployKey = { readonly "id": number; readonly "key_id": number; readonly "key_type": "ssh" | "token"; readonly "key": string; readonly "url": string; readonly "title": string; readonly "fingerprint": string; readonly "created_at": string; readonly "read_only": boolean; readonly "token"?: string | undefined; readonly "repository": Repository | null }
export type DismissPullReviewOptions = { readonly "message"?: string | undefined; readonly "priors"?: boolean | undefined }
export type EditActionRunnerOption = { readonly "disabled": boolean }
export type EditAttachmentOptions = { readonly "name"?: string | undefined }
export type EditAuthenticationSourceOption = { readonly "name"?: string | undefined; readonly "is_enabled"?: boolean | undefined; readonly "is_only_way"?: boolean | undefined; readonly "may_register"?: boolean | undefined; readonly "secret"?: string | undefined; readonly "oidc"?: EditOpenIDConnectSettings | undefined; readonly "ldap"?: EditLdapSettings | undefined; readonly "saml"?: EditSamlSettings | undefined }
export type EditBranchProtectionOption = { readonly "priority"?: number | undefined; readonly "enable_push"?: boolean | undefined; readonly "enable_push_whitelist"?: boolean | undefined; readonly "push_whitelist_usernames"?: readonly (string)[] | undefined; readonly "push_whitelist_teams"?: readonly (string)[] | undefined; readonly "push_whitelist_deploy_keys"?: boolean | undefined; readonly "enable_force_push"?: boolean | undefined; readonly "enable_force_push_allowlist"?: boolean | undefined; readonly "force_push_allowlist_usernames"?: readonly (string)[] | undefined; readonly "force_push_allowlist_teams"?: readonly (string)[] | undefined; readonly "force_push_allowlist_deploy_keys"?: boolean | undefined; readonly "enable_merge_whitelist"?: boolean | undefined; readonly "merge_whitelist_usernames"?: readonly (string)[] | undefined; readonly "merge_whitelist_teams"?: readonly (string)[] | undefined; readonly "enable_bypass_allowlist"?: boolean | undefined; readonly "bypass_allowlist_usernames"?: readonly (string)[] | undefined; readonly "bypass_allowlist_teams"?: readonly (string)[] | undefined; readonly "enable_status_check"?: boolean | undefined; readonly "status_check_contexts"?: readonly (string)[] | undefined; readonly "required_approvals"?: number | undefined; readonly "enable_approvals_whitelist"?: boolean | undefined; readonly "approvals_whitelist_username"?: readonly (string)[] | undefined; readonly "approvals_whitelist_teams"?: readonly (string)[] | undefined; readonly "block_on_rejected_reviews"?: boolean | undefined; readonly "block_on_official_review_requests"?: boolean | undefined; readonly "block_on_codeowner_reviews"?: boolean | undefined; readonly "block_on_outdated_branch"?: boolean | undefined; readonly "dismiss_stale_approvals"?: boolean | undefined; readonly "ignore_stale_approvals"?: boolean | undefined; readonly "require_signed_commits"?: boolean | undefined; readonly "protected_file_patterns"?: string | undefined; readonly "unprotected_file_patterns"?: string | undefined; readonly "block_admin_merge_override"?: boolean | undefined }
export type EditDeadlineOption = { readonly "due_date"?: string | undefined }
export type EditGitHookOption = { readonly "content"?: string | undefined }
export type EditHookOption = { readonly "config"?: { readonly [name: string]: string } | undefined; readonly "name"?: string | undefined; readonly "active"?: boolean | undefined; readonly "branch_filter"?: string | undefined; readonly "authorization_header"?: string | undefined; readonly "events"?: readonly (string)[] | undefined }
export type EditIssueCommentOption = { readonly "body": string }
export type EditIssueOption = { readonly "title"?: string | undefined; readonly "body"?: string | undefined; readonly "content_version"?: number | undefined; readonly "ref"?: string | undefined; readonly "assignee"?: string | undefined; readonly "assignees"?: readonly (string)[] | undefined; readonly "milestone"?: number | undefined; readonly "projects"?: readonly (number)[] | undefined; readonly "state"?: string | undefined; readonly "due_date"?: string | undefined; readonly "unset_due_date"?: boolean | undefined }
export type EditLabelOption = { readonly "name"?: string | undefined; readonly "color"?: string | undefined; readonly "description"?: string | undefined; readonly "exclusive"?: boolean | undefined; readonly "is_archived"?: boolean | undefined }
export type EditLdapSettings = { readonly "host"?: string | undefined; readonly "port"?: number | undefined; readonly "security"?: "ldaps" | "starttls" | undefined; readonly "ca_certificate"?: string | undefined; readonly "bind_dn"?: string | undefined; readonly "base_dn"?: string | undefined; readonly "user_filter"?: string | undefined; readonly "subject_attribute"?: string | undefined; readonly "username_attribute"?: string | undefined; readonly "name_attribute"?: string | undefined; readonly "email_attribute"?: string | undefined; readonly "group_base_dn"?: string | undefined; readonly "group_filter"?: string | undefined; readonly "group_name_attribute"?: string | undefined }
export type EditMilestoneOption = { readonly "title"?: string | undefined; readonly "description"?: string | undefined; readonly "due_on"?: string | undefined; readonly "state"?: string | undefined }
export type EditOpenIDConnectSettings = { readonly "issuer"?: string | undefined; readonly "client_id"?: string | undefined; readonly "scopes"?: readonly (string)[] | undefined; readonly "username_claim"?: string | undefined; readonly "groups_claim"?: string | undefined }
export type EditOrgOption = { readonly "full_name"?: string | undefined; readonly "email"?: string | undefined; readonly "description"?: string | undefined; readonly "website"?: string | undefined; readonly "location"?: string | undefined; readonly "visibility"?: "public" | "limited" | "private" | undefined; readonly "repo_admin_change_team_access"?: boolean | undefined; readonly "requires_second_factor"?: boolean | undefined }
export type EditProjectColumnOption = { readonly "title"?: string | undefined; readonly "color"?: string | undefined; readonly "sorting"?: number | undefined }
export type EditProjectOption = { readonly "title"?: string | undefined; readonly "description"?: string | undefined; readonly "card_type"?: "text_only" | "images_and_text" | "" | undefined; readonly "state"?: "open" | "closed" | undefined }
export type EditPullRequestOption = { readonly "title"?: string | undefined; readonly "body"?: string | undefined; readonly "base"?: string | undefined; readonly "assignee"?: string | undefined; readonly "assignees"?: readonly (string)[] | undefined; readonly "milestone"?: number | undefined; readonly "labels"?: readonly (number)[] | undefined; readonly "state"?: string | undefined; readonly "due_date"?: string | undefined; readonly "unset_due_date"?: boolean | undefined; readonly "allow_maintainer_edit"?: boolean | undefined; readonly "content_version"?: number | undefined }
export type EditReactionOption = { readonly "content": string }
export type EditReleaseOption = { readonly "tag_name"?: string | undefined; readonly "target_commitish"?: string | undefined; readonly "name"?: string | undefined; readonly "body"?: string | undefined; readonly "draft"?: boolean | undefined; readonly "prerelease"?: boolean | undefined }
export type EditRepoOption = { readonly "name"?: string | undefined; readonly "description"?: string | undefined; readonly "website"?: string | undefined; readonly "private"?: boolean | undefined; readonly "template"?: boolean | undefined; readonly "archived"?: boolean | undefined; readonly "default_branch"?: string | undefined; readonly "mirror_interval"?: string | undefined; readonly "has_code"?: boolean | undefined; readonly "has_issues"?: boolean | undefined; readonly "internal_tracker"?: { readonly "enable_time_tracker"?: boolean | undefined; readonly "allow_only_contributors_to_track_time"?: boolean | undefined; readonly "enable_issue_dependencies"?: boolean | undefined } | undefined; readonly "external_tracker"?: { readonly "external_tracker_url"?: string | undefined; readonly "external_tracker_format"?: string | undefined; readonly "external_tracker_style"?: string | undefined; readonly "external_tracker_regexp_pattern"?: string | undefined } | undefined; readonly "has_wiki"?: boolean | undefined; readonly "external_wiki"?: { readonly "external_wiki_url"?: string | undefined } | undefined; readonly "has_pull_requests"?: boolean | undefined; readonly "has_projects"?: boolean | undefined; readonly "projects_mode"?: "repo" | "owner" | "all" | undefined; readonly "has_releases"?: boolean | undefined; readonly "has_packages"?: boolean | undefined; readonly "has_actions"?: boolean | undefined; readonly "ignore_whitespace_conflicts"?: boolean | undefined; readonly "allow_merge_commits"?: boolean | undefined; readonly "allow_rebase"?: boolean | undefined; readonly "allow_rebase_explicit"?: boolean | undefined; readonly "allow_squash_merge"?: boolean | undefined; readonly "allow_fast_forward_only_merge"?: boolean | undefined; readonly "allow_merge_update"?: boolean | undefined; readonly "allow_rebase_update"?: boolean | undefined; readonly "allow_manual_merge"?: boolean | undefined; readonly "autodetect_manual_merge"?: boolean | undefined; readonly "default_delete_branch_after_merge"?: boolean | undefined; readonly "default_merge_style"?: string | undefined; readonly "default_update_style"?: string | undefined; readonly "default_allow_maintainer_edit"?: boolean | undefined }
export type EditSamlSettings = { readonly "entity_id"?: string | undefined; readonly "sso_url"?: string | undefined; readonly "certificates"?: string | undefined; readonly "name_id_format"?: "persistent" | "emailAddress" | "unspecified" | undefined; readonly "subject_attribute"?: string | undefined; readonly "username_attribute"?: string | undefined; readonly "name_attribute"?: string | undefined; readonly "email_attribute"?: string | undefined; readonly "groups_attribute"?: string | undefined }
export type EditTagProtectionOption = { readonly "name_pattern"?: string | undefined; readonly "whitelist_usernames"?: readonly (string)[] | undefined; readonly "whitelist_teams"?: readonly (string)[] | undefined }
export type EditTeamOption = { readonly "name"?: string | undefined; readonly "description"?: string | undefined; readonly "includes_all_repositories"?: boolean | undefined; readonly "can_create_org_repo"?: boolean | undefined; readonly "visibility"?: "public" | "limited" | "private" | undefined; readonly "permission"?: string | undefined; readonly "units"?: readonly (string)[] | undefined; readonly "units_map"?: { readonly [name: string]: string } | undefined }
export type EditUserOption = { readonly "full_name"?: string | undefined; readonly "website"?: string | undefined; readonly "location"?: string | undefined; readonly "description"?: string | undefined; readonly "email"?: string | undefined; readonly "password"?: string | undefined; readonly "login_name"?: string | undefined; readonly "source_id"?: number | undefined; readonly "visibility"?: "public" | "limited" | "private" | "" | undefined; readonly "active"?: boolean | undefined; readonly "admin"?: boolean | undefined; readonly "restricted"?: boolean | undefined; readonly "prohibit_login"?: boolean | undefined; readonly "must_change_password"?: boolean | undefined; readonly "allow_create_organization"?: boolean | undefined; readonly "allow_git_hook"?: boolean | undefined; readonly "allow_import_local"?: boolean | undefined; readonly "max_repo_creation"?: number | undefined }
export type Email = { readonly "email": string; readonly "verified": boolean; readonly "primary": boolean; readonly "user_id": number; readonly "username": string }
export type ExternalTracker = { readonly "external_tracker_url": string; readonly "external_tracker_format": string; readonly "external_tracker_style": string; readonly "external_tracker_regexp_pattern": string }
export type ExternalWiki = { readonly "external_wiki_url": string }
export type FileCommitResponse = { readonly "url": string; readonly "sha": string; readonly "created": string | null; readonly "html_url": string; readonly "author": CommitUser; readonly "committer": CommitUser; readonly "parents": readonly (CommitMeta)[]; readonly "message": string; readonly "tree": CommitMeta }
export type FileDeleteResponse = { readonly "content": null; readonly "commit": FileCommitResponse; readonly "verification": PayloadCommitVerification }
export type FileLinksResponse = { readonly "self": string | null; readonly "git": string | null; readonly "html": string | null }
export type FileResponse = { readonly "content": ContentsResponse | null; readonly "commit": FileCommitResponse; readonly "verification": PayloadCommitVerification }
export type FilesResponse = { readonly "files": readonly (ContentsResponse | null)[]; readonly "commit": FileCommitResponse; readonly "verification": PayloadCommitVerification }
export type GPGKey = { readonly "id": number; readonly "primary_key_id": string; readonly "key_id": string; readonly "public_key": string; readonly "emails": readonly (GPGKeyEmail)[]; readonly "can_sign": boolean; readonly "can_encrypt_comms": boolean; readonly "can_encrypt_storage": boolean; readonly "can_certify": boolean; readonly "verified": boolean; readonly "created_at": string | null; readonly "expires_at": string | null; readonly "subkeys": readonly (GPGKey)[] }
export type GPGKeyEmail = { readonly "email": string; readonly "verified": boolean }
export type GeneralAPISettings = { readonly "max_response_items": number; readonly "default_paging_num": number; readonly "default_git_trees_per_page": number; readonly "default_max_blob_size": number; readonly "default_max_response_size": number }
export type GeneralAttachmentSettings = { readonly "enabled": boolean; readonly "allowed_types": string; readonly "max_size": number; readonly "max_files": number }
export type GeneralRepoSettings = { readonly "mirrors_disabled": boolean; readonly "http_git_disabled": boolean; readonly "migrations_disabled": boolean; readonly "stars_disabled": boolean; readonly "time_tracking_disabled": boolean; readonly "lfs_disabled": boolean }
export type GeneralUISettings = { readonly "default_theme": string; readonly "allowed_reactions": readonly (string)[]; readonly "custom_emojis": readonly (string)[] }
export type GenerateRepoOption = { readonly "owner": string; readonly "name": string; readonly "default_branch"?: string | undefined; readonly "description"?: string | undefined; readonly "private"?: boolean | undefined; readonly "git_content"?: boolean | undefined; readonly "topics"?: boolean | undefined; readonly "labels"?: boolean | undefined; readonly "avatar"?: boolean | undefined; readonly "webhooks"?: boolean | undefined; readonly "git_hooks"?: boolean | undefined; readonly "protected_branch"?: boolean | undefined }
export type GetFilesOptions = { readonly "files": readonly (string)[] }
export type GitBlobResponse = { readonly "content": string | null; readonly "encoding": string | null; readonly "url": string; readonly "sha": string; readonly "size": number; readonly "lfs_oid"?: string | undefined; readonly "lfs_size"?: number | undefined }
export type GitEntry = { readonly "path": string; readonly "mode": string; readonly "type": string; readonly "size": number; readonly "sha": string; readonly "url": string }
export type GitHook = { readonly "name": string; readonly "is_active": boolean; readonly "content": string }
export type GitObject = { readonly "type": string; readonly "sha": string; readonly "url": string }
export type GitTreeResponse = { readonly "sha": string; readonly "url": string; readonly "tree": readonly (GitEntry)[]; readonly "truncated": boolean; readonly "page": number; readonly "total_count": number }
export type GitignoreTemplateInfo = { readonly "name": string; readonly "source": string }
export type HiddenIssue = { readonly "id": number; readonly "url": string; readonly "html_url": string; readonly "number": number; readonly "user": User | null; readonly "original_author": string; readonly "original_author_id": number; readonly "title": string; readonly "body": string; readonly "ref": string; readonly "assets": readonly (Attachment)[]; readonly "labels": readonly (Label)[]; readonly "milestone": Milestone | null; readonly "projects": readonly (Project)[]; readonly "assignee": User | null; readonly "assignees": readonly (User)[]; readonly "state": "open" | ""; readonly "is_locked": boolean; readonly "comments": number; readonly "created_at": string | null; readonly "updated_at": string | null; readonly "closed_at": string | null; readonly "due_date": string | null; readonly "time_estimate": number; readonly "pull_request": PullRequestMeta | null; readonly "repository": null; readonly "pin_order": number; readonly "content_version": number }
export type Hook = { readonly "id": number; readonly "name": string; readonly "type": string; readonly "branch_filter": string; readonly "config": { readonly [name: string]: string }; readonly "events": readonly (string)[]; readonly "authorization_header": string; readonly "active": boolean; readonly "updated_at": string; readonly "created_at": string }
export type HookDelivery = { readonly "id": number; readonly "uuid": string; readonly "event": string; readonly "event_type": string; readonly "state": "waiting" | "delivered" | "failed"; readonly "redelivery": boolean; readonly "attempts": number; readonly "status_code": number | null; readonly "duration_ms": number | null; readonly "error": string; readonly "created_at": string; readonly "attempted_at": string | null; readonly "next_attempt_at": string | null; readonly "finished_at": string | null }
export type HookDeliveryDetail = { readonly "id": number; readonly "uuid": string; readonly "event": string; readonly "event_type": string; readonly "state": "waiting" | "delivered" | "failed"; readonly "redelivery": boolean; readonly "attempts": number; readonly "status_code": number | null; readonly "duration_ms": number | null; readonly "error": string; readonly "created_at": string; readonly "attempted_at": string | null; readonly "next_attempt_at": string | null; readonly "finished_at": string | null; readonly "request": { readonly "method": string; readonly "url": string; readonly "headers": { readonly [name: string]: string }; readonly "body": string } | null; readonly "response": { readonly "status_code": number; readonly "headers": { readonly [name: string]: string }; readonly "body": string } | null }
export type Identity = { readonly "name"?: string | undefined; readonly "email"?: string | undefined }
export type ImportHost = { readonly "id": number; readonly "service": "github" | "gitlab" | "gitea" | "export"; readonly "url": string }
export type ImportedAuthor = { readonly "id": number; readonly "name": string; readonly "host": ImportHost; readonly "username": string; readonly "decided_by": "" | "identity" | "administrator"; readonly "decided_at": string | null }
export type InternalTracker = { readonly "enable_time_tracker": boolean; readonly "allow_only_contributors_to_track_time": boolean; readonly "enable_issue_dependencies": boolean }
export type Issue = { readonly "id": number; readonly "url": string; readonly "html_url": string; readonly "number": number; readonly "user": User; readonly "original_author": string; readonly "original_author_id": number; readonly "title": string; readonly "body": string; readonly "ref": string; readonly "assets": readonly (Attachment)[]; readonly "labels": readonly (Label)[]; readonly "milestone": Milestone | null; readonly "projects": readonly (Project)[]; readonly "assignee": User | null; readonly "assignees": readonly (User)[]; readonly "state": "open" | "closed"; readonly "is_locked": boolean; readonly "comments": number; readonly "created_at": string; readonly "updated_at": string; readonly "closed_at": string | null; readonly "due_date": string | null; readonly "time_estimate": number; readonly "pull_request": PullRequestMeta | null; readonly "repository": RepositoryMeta; readonly "pin_order": number; readonly "content_version": number }
export type IssueAssigneesOption = { readonly "assignees"?: readonly (string)[] | undefined }
export type IssueConfig = { readonly "blank_issues_enabled": boolean; readonly "contact_links": readonly (IssueConfigContactLink)[] }
export type IssueConfigContactLink = { readonly "name": string; readonly "url": string; readonly "about": string }
export type IssueConfigValidation = { readonly "valid": boolean; readonly "message": string }
export type IssueDeadline = { readonly "due_date": string | null }
export type IssueFormField = { readonly "type": string; readonly "id": string; readonly "attributes": { readonly [name: string]: unknown }; readonly "validations": { readonly [name: string]: unknown } | null; readonly "visible": readonly (string)[] }
export type IssueLabelsOption = { readonly "labels"?: readonly (number | string)[] | undefined }
export type IssueMeta = { readonly "index"?: number | undefined; readonly "owner"?: string | undefined; readonly "repo"?: string | undefined }
export type IssueTemplate = { readonly "name": string; readonly "title": string; readonly "about": string; readonly "labels": readonly (string)[]; readonly "assignees": readonly (string)[]; readonly "ref": string; readonly "content": string; readonly "body": readonly (IssueFormField)[]; readonly "file_name": string }
export type Label = { readonly "id": number; readonly "name": string; readonly "exclusive": boolean; readonly "is_archived": boolean; readonly "color": string; readonly "description": string; readonly "url": string }
export type LabelTemplate = { readonly "name": string; readonly "exclusive": boolean; readonly "color": string; readonly "description": string }
export type LdapSettings = { readonly "host": string; readonly "port": number; readonly "security": "ldaps" | "starttls"; readonly "ca_certificate": string; readonly "bind_dn": string; readonly "base_dn": string; readonly "user_filter": string; readonly "subject_attribute": string; readonly "username_attribute": string; readonly "name_attribute": string; readonly "email_attribute": string; readonly "group_base_dn": string; readonly "group_filter": string; readonly "group_name_attribute": string }
export type LicenseTemplateInfo = { readonly "key": string; readonly "name": string; readonly "url": string; readonly "implementation": string; readonly "body": string }
export type LicensesTemplateListEntry = { readonly "key": string; readonly "name": string; readonly "url": string }
export type LockIssueOption = { readonly "lock_reason"?: string | undefined }
export type MarkdownOption = { readonly "Text"?: string | undefined; readonly "Mode"?: string | undefined; readonly "Context"?: string | undefined; readonly "Wiki"?: boolean | undefined }
export type MarkupOption = { readonly "Text"?: string | undefined; readonly "Mode"?: string | undefined; readonly "Context"?: string | undefined; readonly "Wiki"?: boolean | undefined; readonly "FilePath"?: string | undefined }
export type MergePullRequestOption = { readonly "do"?: "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged" | undefined; readonly "Do"?: "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged" | undefined; readonly "merge_title_field"?: string | undefined; readonly "MergeTitleField"?: string | undefined; readonly "merge_message_field"?: string | undefined; readonly "MergeMessageField"?: string | undefined; readonly "merge_commit_id"?: string | undefined; readonly "MergeCommitID"?: string | undefined; readonly "head_commit_id"?: string | undefined; readonly "force_merge"?: boolean | undefined; readonly "merge_when_checks_succeed"?: boolean | undefined; readonly "delete_branch_after_merge"?: boolean | undefined }
export type MergeQueueEntry = { readonly "number": number; readonly "title": string; readonly "base_branch": string; readonly "position": number; readonly "state": "waiting" | "testing"; readonly "style": string; readonly "head_sha": string; readonly "sha": string | null; readonly "parent_sha": string | null; readonly "ref": string | null; readonly "queued_by": User | null; readonly "created_at": string }
export type MergeUpstreamRequest = { readonly "branch"?: string | undefined; readonly "ff_only"?: boolean | undefined }
export type MergeUpstreamResponse = { readonly "merge_type": string }
export type MigrateRepoOptions = { readonly "clone_addr": string; readonly "repo_name": string; readonly "repo_owner"?: string | undefined; readonly "uid"?: number | undefined; readonly "service"?: string | undefined; readonly "auth_username"?: string | undefined; readonly "auth_password"?: string | undefined; readonly "auth_token"?: string | undefined; readonly "auth_tokens"?: readonly (string)[] | undefined; readonly "api_url"?: string | undefined; readonly "cloud_access_key_id"?: string | undefined; readonly "cloud_secret_access_key"?: string | undefined; readonly "aws_access_key_id"?: string | undefined; readonly "aws_secret_access_key"?: string | undefined; readonly "description"?: string | undefined; readonly "private"?: boolean | undefined; readonly "mirror"?: boolean | undefined; readonly "mirror_interval"?: string | undefined; readonly "lfs"?: boolean | undefined; readonly "lfs_endpoint"?: string | undefined; readonly "wiki"?: boolean | undefined; readonly "issues"?: boolean | undefined; readonly "labels"?: boolean | undefined; readonly "milestones"?: boolean | undefined; readonly "pull_requests"?: boolean | undefined; readonly "releases"?: boolean | undefined }
export type Milestone = { readonly "id": number; readonly "title": string; readonly "description": string; readonly "state": "open" | "closed"; readonly "open_issues": number; readonly "closed_issues": number; readonly "created_at": string; readonly "updated_at": string | null; readonly "closed_at": string | null; readonly "due_on": string | null }
export type MoveProjectColumnsOption = { readonly "column_ids": readonly (number)[] }
export type MoveProjectIssueOption = { readonly "column_id": number; readonly "sorting"?: number | undefined }
export type NarrowAccessTokenOption = { readonly "repository_ids"?: readonly (number)[] | undefined; readonly "owner_ids"?: readonly (number)[] | undefined; readonly "units_map"?: { readonly [name: string]: "read" | "write" } | undefined; readonly "refs"?: readonly (string)[] | undefined; readonly "addresses"?: readonly (string)[] | undefined }
export type NewIssuePinsAllowed = { readonly "issues": boolean; readonly "pull_requests": boolean }
export type Note = { readonly "message": string; readonly "commit": Commit }
export type NotificationCount = { readonly "new": number }
export type NotificationSettings = { readonly "email": "enabled" | "onmention" | "disabled" | "andyourown" }
export type NotificationSubject = { readonly "title": string; readonly "url": string; readonly "latest_comment_url": string; readonly "html_url": string; readonly "latest_comment_html_url": string; readonly "type": "Issue" | "Pull" | "Commit" | "Repository"; readonly "state": "open" | "closed" | "merged" | "" }
export type NotificationThread = { readonly "id": number; readonly "repository": Repository | null; readonly "subject": NotificationSubject | null; readonly "unread": boolean; readonly "pinned": boolean; readonly "updated_at": string; readonly "url": string }
export type OpenIDConnectSettings = { readonly "issuer": string; readonly "client_id": string; readonly "scopes": readonly (string)[]; readonly "username_claim": string; readonly "groups_claim": string }
export type Organization = { readonly "id": number; readonly "name": string; readonly "full_name": string; readonly "email": string; readonly "avatar_url": string; readonly "description": string; readonly "website": string; readonly "location": string; readonly "visibility": "public" | "limited" | "private"; readonly "requires_second_factor"?: boolean | undefined; readonly "repo_admin_change_team_access": boolean; readonly "username": string }
export type OrganizationAuditRecord = { readonly "id": number; readonly "at": string; readonly "operation": string; readonly "outcome": "done" | "unchanged" | "refused" | "failed"; readonly "problem": string | null; readonly "account_id": number | null; readonly "account": string | null; readonly "as_id": number | null; readonly "as_account": string | null; readonly "via": string; readonly "repository_id": number | null; readonly "owner_id": number | null; readonly "target": string; readonly "times": number }
export type OrganizationPermissions = { readonly "is_owner": boolean; readonly "is_admin": boolean; readonly "can_write": boolean; readonly "can_read": boolean; readonly "can_create_repository": boolean }
export type PRBranchInfo = { readonly "label": string; readonly "ref": string; readonly "sha": string; readonly "repo_id": number; readonly "repo": Repository | null }
export type Package = { readonly "id": number; readonly "owner": User; readonly "repository": Repository | null; readonly "creator": User | null; readonly "type": string; readonly "name": string; readonly "version": string; readonly "html_url": string; readonly "created_at": string }
export type PackageFile = { readonly "id": number; readonly "size": number; readonly "name": string; readonly "md5": string; readonly "sha1": string; readonly "sha256": string; readonly "sha512": string }
export type PayloadCommit = { readonly "id": string; readonly "message": string; readonly "url": string; readonly "author": PayloadUser; readonly "committer": PayloadUser; readonly "verification": PayloadCommitVerification | null; readonly "timestamp": string; readonly "added": readonly (string)[]; readonly "removed": readonly (string)[]; readonly "modified": readonly (string)[] }
export type PayloadCommitVerification = { readonly "verified": boolean; readonly "reason": string; readonly "signature": string; readonly "signer": PayloadUser | null; readonly "payload": string }
export type PayloadUser = { readonly "name": string; readonly "email": string; readonly "username": string }
export type Permission = { readonly "admin": boolean; readonly "push": boolean; readonly "pull": boolean }
export type Project = { readonly "id": number; readonly "title": string; readonly "description": string; readonly "owner_id": number; readonly "repo_id": number; readonly "creator"?: User | undefined; readonly "creator_id": number; readonly "state": "open" | "closed"; readonly "is_closed": boolean; readonly "template_type": "none" | "basic_kanban" | "bug_triage"; readonly "card_type": "text_only" | "images_and_text"; readonly "type": "individual" | "repository" | "organization"; readonly "num_open_issues": number; readonly "num_closed_issues": number; readonly "num_issues": number; readonly "created_at": string; readonly "updated_at": string; readonly "closed_at": string | null; readonly "html_url": string }
export type ProjectColumn = { readonly "id": number; readonly "title": string; readonly "default": boolean; readonly "sorting": number; readonly "color": string; readonly "project_id": number; readonly "creator"?: User | undefined; readonly "created_at": string; readonly "updated_at": string }
export type PublicKey = { readonly "id": number; readonly "key": string; readonly "url": string; readonly "title": string; readonly "fingerprint": string; readonly "created_at": string; readonly "updated_at": string; readonly "last_used_at": string; readonly "read_only": boolean; readonly "key_type"?: string | undefined; readonly "user"?: User | undefined }
export type PullRequest = { readonly "id": number; readonly "url": string; readonly "number": number; readonly "user": User; readonly "title": string; readonly "body": string; readonly "labels": readonly (Label)[]; readonly "milestone": Milestone | null; readonly "assignee": User | null; readonly "assignees": readonly (User)[]; readonly "requested_reviewers": readonly (User)[]; readonly "requested_reviewers_teams": readonly (Team)[]; readonly "state": "open" | "closed"; readonly "draft": boolean; readonly "is_locked": boolean; readonly "comments": number; readonly "review_comments"?: number | undefined; readonly "additions"?: number | undefined; readonly "deletions"?: number | undefined; readonly "changed_files"?: number | undefined; readonly "html_url": string; readonly "diff_url": string; readonly "patch_url": string; readonly "mergeable": boolean; readonly "merged": boolean; readonly "merged_at": string | null; readonly "merge_commit_sha": string | null; readonly "merged_by": User | null; readonly "allow_maintainer_edit": boolean; readonly "base": PRBranchInfo; readonly "head": PRBranchInfo; readonly "merge_base": string; readonly "due_date": string | null; readonly "created_at": string; readonly "updated_at": string; readonly "closed_at": string | null; readonly "pin_order": number; readonly "content_version": number }
export type PullRequestMeta = { readonly "draft": boolean; readonly "html_url": string; readonly "merged": boolean; readonly "merged_at": string | null }
export type PullRequestMinimal = { readonly "id": number; readonly "number": number; readonly "url": string; readonly "head": { readonly "ref": string; readonly "sha": string; readonly "repo": { readonly "id": number; readonly "url": string; readonly "name": string } | null }; readonly "base": { readonly "ref": string; readonly "sha": string; readonly "repo": { readonly "id": number; readonly "url": string; readonly "name": string } | null } }
export type PullReview = { readonly "id": number; readonly "user": User | null; readonly "team": Team | null; readonly "state": "PENDING" | "APPROVED" | "COMMENT" | "REQUEST_CHANGES" | "REQUEST_REVIEW"; readonly "body": string; readonly "commit_id": string; readonly "stale": boolean; readonly "official": boolean; readonly "dismissed": boolean; readonly "comments_count": number; readonly "submitted_at": string; readonly "updated_at": string; readonly "html_url": string; readonly "pull_request_url": string }
export type PullReviewComment = { readonly "id": number; readonly "body": string; readonly "user": User; readonly "resolver": User | null; readonly "pull_request_review_id": number; readonly "created_at": string; readonly "updated_at": string; readonly "path": string; readonly "commit_id": string; readonly "original_commit_id": string; readonly "diff_hunk": string; readonly "position": number; readonly "original_position": number; readonly "start_line"?: number | undefined; readonly "outdated": boolean; readonly "html_url": string; readonly "pull_request_url": string }
export type PullReviewRequestOptions = { readonly "reviewers"?: readonly (string)[] | undefined; readonly "team_reviewers"?: readonly (string)[] | undefined }
export type PullVersion = { readonly "version": number; readonly "ref": string; readonly "sha": string; readonly "merge_base": string; readonly "forced": boolean; readonly "additions"?: number | undefined; readonly "deletions"?: number | undefined; readonly "changed_files"?: number | undefined; readonly "pusher": User | null; readonly "created_at": string }
export type PullVersionDiff = { readonly "base": number; readonly "head": number; readonly "plain": boolean; readonly "diff": string }
export type PushMirror = { readonly "repo_name": string; readonly "remote_name": string; readonly "remote_address": string; readonly "created": string; readonly "last_update": string | null; readonly "last_error": string; readonly "interval": string; readonly "sync_on_commit": boolean }
export type QuarantinedRepository = { readonly "id": number; readonly "owner": string; readonly "name": string; readonly "reason": string }
export type QueuePullRequestOption = { readonly "do"?: "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged" | undefined; readonly "Do"?: "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged" | undefined; readonly "merge_title_field"?: string | undefined; readonly "MergeTitleField"?: string | undefined; readonly "merge_message_field"?: string | undefined; readonly "MergeMessageField"?: string | undefined; readonly "head_commit_id"?: string | undefined; readonly "delete_branch_after_merge"?: boolean | undefined }
export type Reaction = { readonly "user": User; readonly "content": string; readonly "created_at": string }
export type Reference = { readonly "ref": string; readonly "url": string; readonly "object": GitObject }
export type Refusal = { readonly "message": string; readonly "url": string }
export type RegistrationToken = { readonly "token": string }
export type Release = { readonly "id": number; readonly "tag_name": string; readonly "target_commitish": string; readonly "name": string; readonly "body": string; readonly "url": string; readonly "html_url": string; readonly "tarball_url": string; readonly "zipball_url": string; readonly "upload_url": string; readonly "draft": boolean; readonly "prerelease": boolean; readonly "created_at": string; readonly "published_at": string | null; readonly "author": User | null; readonly "assets": readonly (Attachment)[] }
export type RenameBranchRepoOption = { readonly "name": string }
export type RenameOrgOption = { readonly "new_name": string }
export type RenameUserOption = { readonly "new_username": string }
export type RepoCollaboratorPermission = { readonly "permission": "none" | "read" | "write" | "admin" | "owner"; readonly "role_name": string; readonly "user": User }
export type RepoCommit = { readonly "url": string; readonly "author": CommitUser; readonly "committer": CommitUser; readonly "message": string; readonly "tree": CommitMeta; readonly "verification": PayloadCommitVerification | null }
export type RepoTopicOptions = { readonly "topics"?: readonly (string)[] | undefined }
export type RepoTransfer = { readonly "doer": User; readonly "recipient": User; readonly "teams": readonly (Team)[] }
export type Repository = { readonly "id": number; readonly "owner": User; readonly "name": string; readonly "full_name": string; readonly "description": string; readonly "empty": boolean; readonly "private": boolean; readonly "fork": boolean; readonly "template": boolean; readonly "mirror": boolean; readonly "archived": boolean; readonly "internal": boolean; readonly "has_code": boolean; readonly "has_issues": boolean; readonly "has_wiki": boolean; readonly "has_pull_requests": boolean; readonly "has_projects": boolean; readonly "has_releases": boolean; readonly "has_packages": boolean; readonly "has_actions": boolean; readonly "size": number; readonly "stars_count": number; readonly "forks_count": number; readonly "watchers_count": number; readonly "branch_count": number; readonly "open_issues_count": number; readonly "open_pr_counter": number; readonly "release_counter": number; readonly "projects_mode": string; readonly "ignore_whitespace_conflicts": boolean; readonly "allow_merge_commits": boolean; readonly "allow_rebase": boolean; readonly "allow_rebase_explicit": boolean; readonly "allow_squash_merge": boolean; readonly "allow_fast_forward_only_merge": boolean; readonly "allow_merge_update": boolean; readonly "allow_rebase_update": boolean; readonly "allow_manual_merge": boolean; readonly "autodetect_manual_merge": boolean; readonly "default_delete_branch_after_merge": boolean; readonly "default_merge_style": string; readonly "default_update_style": string; readonly "default_allow_maintainer_edit": boolean; readonly "languages_url": string; readonly "html_url": string; readonly "url": string; readonly "link": string; readonly "ssh_url": string; readonly "clone_url": string; readonly "original_url": string; readonly "website": string; readonly "avatar_url": string; readonly "language": string; readonly "default_branch": string; readonly "default_target_branch": string; readonly "created_at": string; readonly "updated_at": string; readonly "archived_at": string | null; readonly "permissions": Permission; readonly "internal_tracker": InternalTracker | null; readonly "external_tracker": ExternalTracker | null; readonly "external_wiki": ExternalWiki | null; readonly "mirror_interval": string; readonly "mirror_updated": string | null; readonly "mirror_last_sync_at": string | null; readonly "object_format_name": "sha1" | "sha256"; readonly "topics": readonly (string)[]; readonly "licenses": readonly (string)[]; readonly "parent": Repository | null; readonly "repo_transfer": RepoTransfer | null }
export type RepositoryMeta = { readonly "id": number; readonly "name": string; readonly "owner": string; readonly "full_name": string }
export type RunDetails = { readonly "workflow_run_id": number; readonly "run_url": string; readonly "html_url": string }
export type SamlSettings = { readonly "entity_id": string; readonly "sso_url": string; readonly "certificates": string; readonly "name_id_format": "persistent" | "emailAddress" | "unspecified"; readonly "subject_attribute": string; readonly "username_attribute": string; readonly "name_attribute": string; readonly "email_attribute": string; readonly "groups_attribute": string }
export type ScimToken = { readonly "id": number; readonly "name": string; readonly "token"?: string | undefined; readonly "token_last_eight": string; readonly "created_at": string; readonly "last_used_at": string | null; readonly "last_used_from": string | null }
export type SearchResults = { readonly "ok": boolean; readonly "data": readonly (Repository)[] }
export type ServerVersion = { readonly "version": string }
export type StopWatch = { readonly "created": string; readonly "seconds": number; readonly "duration": string; readonly "issue_index": number; readonly "issue_title": string; readonly "repo_owner_name": string; readonly "repo_name": string }
export type SubmitPullReviewOptions = { readonly "event"?: string | undefined; readonly "body"?: string | undefined }
export type Suspension = { readonly "username": string; readonly "type": "user" | "organization" | "bot"; readonly "reason": string; readonly "created_at": string; readonly "appeal": string | null; readonly "appealed_at": string | null }
export type Tag = { readonly "name": string; readonly "message": string; readonly "id": string; readonly "commit": CommitMeta; readonly "zipball_url": string; readonly "tarball_url": string }
export type TagProtection = { readonly "id": number; readonly "name_pattern": string; readonly "whitelist_usernames": readonly (string)[]; readonly "whitelist_teams": readonly (string)[]; readonly "created_at": string; readonly "updated_at": string }
export type Team = { readonly "id": number; readonly "name": string; readonly "description": string; readonly "organization": Organization | null; readonly "includes_all_repositories": boolean; readonly "permission": "none" | "read" | "write" | "admin" | "owner"; readonly "units": readonly (string)[]; readonly "units_map": { readonly [name: string]: string } | null; readonly "can_create_org_repo": boolean; readonly "visibility": "public" | "limited" | "private" }
export type TimelineComment = { readonly "id": number; readonly "type": string; readonly "html_url": string; readonly "pull_request_url": string; readonly "issue_url": string; readonly "user": User; readonly "body": string; readonly "created_at": string; readonly "updated_at": string; readonly "old_project_id": number; readonly "project_id": number; readonly "old_milestone": Milestone | null; readonly "milestone": Milestone | null; readonly "tracked_time": TrackedTime | null; readonly "old_title": string; readonly "new_title": string; readonly "old_ref": string; readonly "new_ref": string; readonly "ref_issue": Issue | null; readonly "ref_comment": Comment | null; readonly "ref_action": string; readonly "ref_commit_sha": string; readonly "review_id": number; readonly "label": Label | null; readonly "assignee": User | null; readonly "assignee_team": Team | null; readonly "removed_assignee": boolean; readonly "resolve_doer": User | null; readonly "dependent_issue": Issue | null }
export type TopicListResponse = { readonly "topics": readonly (TopicResponse)[] }
export type TopicName = { readonly "topics": readonly (string)[] }
export type TopicResponse = { readonly "id": number; readonly "topic_name": string; readonly "repo_count": number; readonly "created": string; readonly "updated": string }
export type TrackedTime = { readonly "id": number; readonly "created": string; readonly "time": number; readonly "user_id": number; readonly "user_name": string; readonly "issue_id": number; readonly "issue": Issue | null }
export type TransferRepoOption = { readonly "new_owner"?: string | undefined; readonly "team_ids"?: readonly (number)[] | undefined }
export type UndeleteRepoOption = { readonly "name"?: string | undefined }
export type UpdateBranchProtectionPriories = { readonly "ids"?: readonly (number)[] | undefined }
export type UpdateBranchRepoOption = { readonly "new_commit_id": string; readonly "old_commit_id"?: string | undefined; readonly "force"?: boolean | undefined }
export type UpdateFileOptions = { readonly "branch"?: string | undefined; readonly "new_branch"?: string | undefined; readonly "message"?: string | undefined; readonly "author"?: Identity | undefined; readonly "committer"?: Identity | undefined; readonly "dates"?: CommitDateOptions | undefined; readonly "signoff"?: boolean | undefined; readonly "content"?: string | undefined; readonly "sha"?: string | undefined; readonly "from_path"?: string | undefined }
export type UpdateRepoAvatarOption = { readonly "image": string }
export type UpdateUserAvatarOption = { readonly "image": string }
export type User = { readonly "id": number; readonly "login": string; readonly "username": string; readonly "login_name": string; readonly "source_id": number; readonly "full_name": string; readonly "email": string; readonly "avatar_url": string; readonly "html_url": string; readonly "language": string; readonly "type": "User" | "Organization" | "Bot"; readonly "is_admin": boolean; readonly "last_login": string | null; readonly "created": string; readonly "restricted": boolean; readonly "active": boolean; readonly "prohibit_login": boolean; readonly "location": string; readonly "website": string; readonly "description": string; readonly "visibility": "public" | "limited" | "private"; readonly "followers_count": number; readonly "following_count": number; readonly "starred_repos_count": number }
export type UserBadgeOption = { readonly "badge_slugs"?: readonly (string)[] | undefined }
export type UserHeatmapData = { readonly "timestamp": number; readonly "contributions": number }
export type UserMeta = { readonly "id": number; readonly "login": string }
export type UserSettings = { readonly "full_name": string; readonly "website": string; readonly "description": string; readonly "location": string; readonly "language": string; readonly "theme": string; readonly "diff_view_style": string; readonly "hide_email": boolean; readonly "hide_activity": boolean }
export type UserSettingsOptions = { readonly "full_name"?: string | undefined; readonly "website"?: string | undefined; readonly "location"?: string | undefined; readonly "description"?: string | undefined; readonly "language"?: string | undefined; readonly "theme"?: string | undefined; readonly "diff_view_style"?: string | undefined; readonly "hide_email"?: boolean | undefined; readonly "hide_activity"?: boolean | undefined }
export type VerifyGPGKeyOption = { readonly "key_id": string; readonly "armored_signature": string }
export type WatchInfo = { readonly "subscribed": boolean; readonly "ignored": boolean; readonly "reason": null; readonly "created_at": string; readonly "url": string; readonly "repository_url": string }
export type WikiCommit = { readonly "sha": string; readonly "author": CommitUser; readonly "commiter": CommitUser; readonly "message": string }
export type WikiCommitList = { readonly "commits": readonly (WikiCommit)[]; readonly "count": number }
export type WikiPage = { readonly "title": string; readonly "html_url": string; readonly "sub_url": string; readonly "last_commit": WikiCommit | null; readonly "content_base64": string; readonly "commit_count": number; readonly "sidebar": string; readonly "footer": string }
export type WikiPageMetaData = { readonly "title": string; readonly "html_url": string; readonly "sub_url": string; readonly "last_commit": WikiCommit | null }

export interface Operations {
  ActionsDisableWorkflow: { given: { "owner": string; "repo": string; "workflow_id": string }; body: undefined; answer: undefined }
  ActionsDispatchWorkflow: { given: { "owner": string; "repo": string; "workflow_id": string; "return_run_details"?: boolean | undefined }; body: CreateActionWorkflowDispatch; answer: RunDetails | undefined }
  ActionsEnableWorkflow: { given: { "owner": string; "repo": string; "workflow_id": string }; body: undefined; answer: undefined }
  ActionsGetWorkflow: { given: { "owner": string; "repo": string; "workflow_id": string }; body: undefined; answer: ActionWorkflow }
  ActionsListRepositoryWorkflows: { given: { "owner": string; "repo": string }; body: undefined; answer: ActionWorkflowResponse }
  ActionsListWorkflowRuns: { given: { "owner": string; "repo": string; "workflow_id": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "event"?: string | undefined; "branch"?: string | undefined; "status"?: readonly (string)[] | undefined; "actor"?: string | undefined; "head_sha"?: string | undefined; "exclude_pull_requests"?: boolean | undefined }; body: undefined; answer: ActionWorkflowRunsResponse }
  GetAnnotatedTag: { given: { "owner": string; "repo": string; "sha": string }; body: undefined; answer: AnnotatedTag }
  GetBlob: { given: { "owner": string; "repo": string; "sha": string }; body: undefined; answer: GitBlobResponse }
  GetTree: { given: { "owner": string; "repo": string; "sha": string; "recursive"?: boolean | undefined; "page"?: number | string | undefined; "per_page"?: number | string | undefined }; body: undefined; answer: GitTreeResponse }
  GetWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: ActionWorkflowRun }
  ListActionTasks: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: ActionTaskResponse }
  acceptRepoTransfer: { given: { "owner": string; "repo": string }; body: undefined; answer: Repository }
  adminAddUserBadges: { given: { "username": string }; body: UserBadgeOption; answer: undefined }
  adminAdoptRepository: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  adminAssignImportedAuthor: { given: { "host_id": number | string; "author_id": number | string }; body: AssignImportedAuthorOption; answer: undefined }
  adminCloseReport: { given: { "id": number | string }; body: { readonly "outcome": "dismissed" | "acted" }; answer: undefined }
  adminConfirmAuthenticationSourceCheck: { given: { "id": number | string }; body: undefined; answer: undefined }
  adminCreateAuthenticationSource: { given: {  }; body: CreateAuthenticationSourceOption; answer: AuthenticationSource }
  adminCreateHook: { given: {  }; body: CreateHookOption; answer: Hook }
  adminCreateOrg: { given: { "username": string }; body: CreateOrgOption; answer: Organization }
  adminCreatePublicKey: { given: { "username": string }; body: CreateKeyOption; answer: PublicKey }
  adminCreateRepo: { given: { "username": string }; body: CreateRepoOption; answer: Repository }
  adminCreateRunnerRegistrationToken: { given: {  }; body: undefined; answer: RegistrationToken }
  adminCreateScimToken: { given: { "id": number | string }; body: CreateScimTokenOption; answer: ScimToken }
  adminCreateUser: { given: {  }; body: CreateUserOption; answer: User }
  adminCronList: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Cron)[] }
  adminCronRun: { given: { "task": string }; body: undefined; answer: undefined }
  adminDeleteAuthenticationSource: { given: { "id": number | string }; body: undefined; answer: undefined }
  adminDeleteHook: { given: { "id": number | string }; body: undefined; answer: undefined }
  adminDeleteScimToken: { given: { "id": number | string; "token": number | string }; body: undefined; answer: undefined }
  adminDeleteUnadoptedRepository: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  adminDeleteUser: { given: { "username": string; "purge"?: boolean | undefined }; body: undefined; answer: undefined }
  adminDeleteUserBadges: { given: { "username": string }; body: UserBadgeOption; answer: undefined }
  adminDeleteUserPublicKey: { given: { "username": string; "id": number | string }; body: undefined; answer: undefined }
  adminEditAuthenticationSource: { given: { "id": number | string }; body: EditAuthenticationSourceOption; answer: AuthenticationSource }
  adminEditHook: { given: { "id": number | string }; body: EditHookOption; answer: Hook }
  adminEditUser: { given: { "username": string }; body: EditUserOption; answer: User }
  adminEndQuarantine: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  adminEndUserSessions: { given: { "username": string }; body: undefined; answer: undefined }
  adminGetAllEmails: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Email)[] }
  adminGetAllOrgs: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Organization)[] }
  adminGetAuthenticationSource: { given: { "id": number | string }; body: undefined; answer: AuthenticationSource }
  adminGetHook: { given: { "id": number | string }; body: undefined; answer: Hook }
  adminGetHookDelivery: { given: { "id": number | string; "delivery": number | string }; body: undefined; answer: HookDeliveryDetail }
  adminLiftSuspension: { given: { "username": string }; body: undefined; answer: undefined }
  adminListAudit: { given: { "operation"?: string | undefined; "outcome"?: "done" | "unchanged" | "refused" | "failed" | undefined; "account_id"?: number | string | undefined; "repository_id"?: number | string | undefined; "since"?: string | undefined; "until"?: string | undefined; "before_id"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (AuditRecord)[] }
  adminListAuthenticationSourceMappings: { given: { "id": number | string }; body: undefined; answer: AuthenticationSourceMappings }
  adminListAuthenticationSources: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (AuthenticationSource)[] }
  adminListDeletedRepositories: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (DeletedRepository)[] }
  adminListHookDeliveries: { given: { "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (HookDelivery)[] }
  adminListHooks: { given: { "type"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Hook)[] }
  adminListImportedAuthors: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "host"?: string | undefined; "name"?: string | undefined; "assigned"?: boolean | undefined }; body: undefined; answer: readonly (ImportedAuthor)[] }
  adminListPackages: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "type"?: string | undefined; "q"?: string | undefined }; body: undefined; answer: readonly (Package)[] }
  adminListQuarantined: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (QuarantinedRepository)[] }
  adminListReports: { given: { "closed"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (AbuseReport)[] }
  adminListScimTokens: { given: { "id": number | string }; body: undefined; answer: readonly (ScimToken)[] }
  adminListSuspensions: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Suspension)[] }
  adminListUserBadges: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Badge)[] }
  adminQuarantineRepository: { given: { "owner": string; "repo": string }; body: { readonly "reason": string }; answer: undefined }
  adminRedeliverHook: { given: { "id": number | string; "delivery": number | string }; body: undefined; answer: HookDelivery }
  adminReleaseImportedAuthor: { given: { "host_id": number | string; "author_id": number | string }; body: undefined; answer: undefined }
  adminRenameUser: { given: { "username": string }; body: RenameUserOption; answer: undefined }
  adminReplaceAuthenticationSourceMappings: { given: { "id": number | string }; body: AuthenticationSourceMappings; answer: undefined }
  adminSearchEmails: { given: { "q"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Email)[] }
  adminSearchUsers: { given: { "q"?: string | undefined; "source_id"?: number | string | undefined; "login_name"?: string | undefined; "visibility"?: string | undefined; "is_active"?: boolean | undefined; "is_admin"?: boolean | undefined; "is_restricted"?: boolean | undefined; "is_2fa_enabled"?: boolean | undefined; "is_prohibit_login"?: boolean | undefined; "sort"?: string | undefined; "order"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  adminSuspendAccount: { given: { "username": string }; body: { readonly "reason": string }; answer: undefined }
  adminUnadoptedList: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "pattern"?: string | undefined }; body: undefined; answer: readonly (string)[] }
  adminUndeleteRepository: { given: { "id": number | string }; body: UndeleteRepoOption; answer: Repository }
  approveWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: ActionWorkflowRun }
  cancelWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: ActionWorkflowRun }
  createCurrentUserRepo: { given: {  }; body: CreateRepoOption; answer: Repository }
  createFork: { given: { "owner": string; "repo": string }; body: CreateForkOption; answer: Repository }
  createNarrowedToken: { given: {  }; body: CreateNarrowedTokenOption; answer: AccessToken }
  createOrgRepo: { given: { "org": string }; body: CreateRepoOption; answer: Repository }
  createOrgRepoDeprecated: { given: { "org": string }; body: CreateRepoOption; answer: Repository }
  createOrgVariable: { given: { "org": string; "variablename": string }; body: { readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  createRepoVariable: { given: { "owner": string; "repo": string; "variablename": string }; body: { readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  createUserVariable: { given: { "variablename": string }; body: { readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  deleteActionRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: undefined }
  deleteAdminRunner: { given: { "runner_id": number | string }; body: undefined; answer: undefined }
  deleteArtifact: { given: { "owner": string; "repo": string; "artifact_id": number | string }; body: undefined; answer: undefined }
  deleteCurrentToken: { given: {  }; body: undefined; answer: undefined }
  deleteOrgRunner: { given: { "org": string; "runner_id": number | string }; body: undefined; answer: undefined }
  deleteOrgSecret: { given: { "org": string; "secretname": string }; body: undefined; answer: undefined }
  deleteOrgVariable: { given: { "org": string; "variablename": string }; body: undefined; answer: undefined }
  deletePackage: { given: { "owner": string; "type": string; "name": string }; body: undefined; answer: undefined }
  deletePackageVersion: { given: { "owner": string; "type": string; "name": string; "version": string }; body: undefined; answer: undefined }
  deleteRepoRunner: { given: { "owner": string; "repo": string; "runner_id": number | string }; body: undefined; answer: undefined }
  deleteRepoSecret: { given: { "owner": string; "repo": string; "secretname": string }; body: undefined; answer: undefined }
  deleteRepoVariable: { given: { "owner": string; "repo": string; "variablename": string }; body: undefined; answer: undefined }
  deleteUserRunner: { given: { "runner_id": number | string }; body: undefined; answer: undefined }
  deleteUserSecret: { given: { "secretname": string }; body: undefined; answer: undefined }
  deleteUserVariable: { given: { "variablename": string }; body: undefined; answer: undefined }
  downloadActionsRunJobLogs: { given: { "owner": string; "repo": string; "job_id": number | string }; body: undefined; answer: Blob }
  downloadArtifact: { given: { "owner": string; "repo": string; "artifact_id": number | string }; body: undefined; answer: undefined }
  forceCancelWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: ActionWorkflowRun }
  generateRepo: { given: { "template_owner": string; "template_repo": string }; body: GenerateRepoOption; answer: Repository }
  getAdminRunner: { given: { "runner_id": number | string }; body: undefined; answer: ActionRunner }
  getAdminRunners: { given: { "disabled"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (ActionRunner)[] }
  getArtifact: { given: { "owner": string; "repo": string; "artifact_id": number | string }; body: undefined; answer: ActionArtifact }
  getArtifacts: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "name"?: string | undefined }; body: undefined; answer: ActionArtifactsResponse }
  getArtifactsOfRun: { given: { "owner": string; "repo": string; "run": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "name"?: string | undefined }; body: undefined; answer: ActionArtifactsResponse }
  getCurrentToken: { given: {  }; body: undefined; answer: CurrentAccessToken }
  getGeneralAPISettings: { given: {  }; body: undefined; answer: GeneralAPISettings }
  getGeneralAttachmentSettings: { given: {  }; body: undefined; answer: GeneralAttachmentSettings }
  getGeneralRepositorySettings: { given: {  }; body: undefined; answer: GeneralRepoSettings }
  getGeneralUISettings: { given: {  }; body: undefined; answer: GeneralUISettings }
  getGitignoreTemplateInfo: { given: { "name": string }; body: undefined; answer: GitignoreTemplateInfo }
  getLabelTemplateInfo: { given: { "name": string }; body: undefined; answer: readonly (LabelTemplate)[] }
  getLatestPackageVersion: { given: { "owner": string; "type": string; "name": string }; body: undefined; answer: Package }
  getLicenseTemplateInfo: { given: { "name": string }; body: undefined; answer: LicenseTemplateInfo }
  getNotificationSettings: { given: {  }; body: undefined; answer: NotificationSettings }
  getOrgRunner: { given: { "org": string; "runner_id": number | string }; body: undefined; answer: ActionRunner }
  getOrgRunners: { given: { "org": string; "disabled"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: ActionRunnersResponse }
  getOrgVariable: { given: { "org": string; "variablename": string }; body: undefined; answer: { readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string } }
  getOrgVariablesList: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string })[] }
  getOrgWorkflowJobs: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: ActionWorkflowJobsResponse }
  getOrgWorkflowRuns: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "event"?: string | undefined; "branch"?: string | undefined; "status"?: readonly (string)[] | undefined; "actor"?: string | undefined; "head_sha"?: string | undefined; "exclude_pull_requests"?: boolean | undefined }; body: undefined; answer: ActionWorkflowRunsResponse }
  getPackage: { given: { "owner": string; "type": string; "name": string; "version": string }; body: undefined; answer: Package }
  getRepoRunner: { given: { "owner": string; "repo": string; "runner_id": number | string }; body: undefined; answer: ActionRunner }
  getRepoRunners: { given: { "owner": string; "repo": string; "disabled"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: ActionRunnersResponse }
  getRepoVariable: { given: { "owner": string; "repo": string; "variablename": string }; body: undefined; answer: { readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string } }
  getRepoVariablesList: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string })[] }
  getSigningKey: { given: {  }; body: undefined; answer: string }
  getSigningKeySSH: { given: {  }; body: undefined; answer: string }
  getUserRunner: { given: { "runner_id": number | string }; body: undefined; answer: ActionRunner }
  getUserRunners: { given: { "disabled"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: ActionRunnersResponse }
  getUserSettings: { given: {  }; body: undefined; answer: UserSettings }
  getUserVariable: { given: { "variablename": string }; body: undefined; answer: { readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string } }
  getUserVariablesList: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "owner_id": number; readonly "repo_id": number; readonly "name": string; readonly "data": string; readonly "description": string })[] }
  getUserWorkflowJobs: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: ActionWorkflowJobsResponse }
  getUserWorkflowRuns: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "event"?: string | undefined; "branch"?: string | undefined; "status"?: readonly (string)[] | undefined; "actor"?: string | undefined; "head_sha"?: string | undefined; "exclude_pull_requests"?: boolean | undefined }; body: undefined; answer: ActionWorkflowRunsResponse }
  getVerificationToken: { given: {  }; body: undefined; answer: string }
  getVersion: { given: {  }; body: undefined; answer: ServerVersion }
  getWorkflowJob: { given: { "owner": string; "repo": string; "job_id": number | string }; body: undefined; answer: ActionWorkflowJob }
  getWorkflowRunAttempt: { given: { "owner": string; "repo": string; "run": number | string; "attempt": number | string }; body: undefined; answer: ActionWorkflowRun }
  getWorkflowRunLogs: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: Blob }
  getWorkflowRuns: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "event"?: string | undefined; "branch"?: string | undefined; "status"?: readonly (string)[] | undefined; "actor"?: string | undefined; "head_sha"?: string | undefined; "exclude_pull_requests"?: boolean | undefined }; body: undefined; answer: ActionWorkflowRunsResponse }
  issueAddAssignees: { given: { "owner": string; "repo": string; "index": number | string }; body: IssueAssigneesOption; answer: Issue }
  issueAddLabel: { given: { "owner": string; "repo": string; "index": number | string }; body: IssueLabelsOption; answer: readonly (Label)[] }
  issueAddSubscription: { given: { "owner": string; "repo": string; "index": number | string; "user": string }; body: undefined; answer: undefined }
  issueAddTime: { given: { "owner": string; "repo": string; "index": number | string }; body: AddTimeOption; answer: TrackedTime }
  issueCheckAssignee: { given: { "owner": string; "repo": string; "index": number | string; "assignee": string }; body: undefined; answer: undefined }
  issueCheckSubscription: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: WatchInfo }
  issueClearLabels: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueCreateComment: { given: { "owner": string; "repo": string; "index": number | string }; body: CreateIssueCommentOption; answer: Comment }
  issueCreateIssue: { given: { "owner": string; "repo": string }; body: CreateIssueOption; answer: Issue }
  issueCreateIssueAttachment: { given: { "owner": string; "repo": string; "index": number | string; "name"?: string | undefined }; body: FormData | Blob; answer: Attachment }
  issueCreateIssueBlocking: { given: { "owner": string; "repo": string; "index": string }; body: IssueMeta; answer: Issue }
  issueCreateIssueCommentAttachment: { given: { "owner": string; "repo": string; "id": number | string; "name"?: string | undefined }; body: FormData | Blob; answer: Attachment }
  issueCreateIssueDependencies: { given: { "owner": string; "repo": string; "index": string }; body: IssueMeta; answer: Issue }
  issueCreateLabel: { given: { "owner": string; "repo": string }; body: CreateLabelOption; answer: Label }
  issueCreateMilestone: { given: { "owner": string; "repo": string }; body: CreateMilestoneOption; answer: Milestone }
  issueDelete: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueDeleteComment: { given: { "owner": string; "repo": string; "id": number | string; "index": number | string }; body: undefined; answer: undefined }
  issueDeleteCommentDeprecated: { given: { "owner": string; "repo": string; "id": number | string; "index": number | string }; body: undefined; answer: undefined }
  issueDeleteCommentReaction: { given: { "owner": string; "repo": string; "id": number | string }; body: EditReactionOption; answer: undefined }
  issueDeleteIssueAttachment: { given: { "owner": string; "repo": string; "index": number | string; "attachment_id": number | string }; body: undefined; answer: undefined }
  issueDeleteIssueCommentAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: undefined; answer: undefined }
  issueDeleteIssueReaction: { given: { "owner": string; "repo": string; "index": number | string }; body: EditReactionOption; answer: undefined }
  issueDeleteLabel: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: undefined }
  issueDeleteMilestone: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: undefined }
  issueDeleteStopWatch: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueDeleteSubscription: { given: { "owner": string; "repo": string; "index": number | string; "user": string }; body: undefined; answer: undefined }
  issueDeleteTime: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: undefined }
  issueEditComment: { given: { "owner": string; "repo": string; "id": number | string; "index": number | string }; body: EditIssueCommentOption; answer: Comment | undefined }
  issueEditCommentDeprecated: { given: { "owner": string; "repo": string; "id": number | string; "index": number | string }; body: EditIssueCommentOption; answer: Comment | undefined }
  issueEditIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: EditIssueOption; answer: Issue }
  issueEditIssueAttachment: { given: { "owner": string; "repo": string; "index": number | string; "attachment_id": number | string }; body: EditAttachmentOptions; answer: Attachment }
  issueEditIssueCommentAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: EditAttachmentOptions; answer: Attachment }
  issueEditIssueDeadline: { given: { "owner": string; "repo": string; "index": number | string }; body: EditDeadlineOption; answer: IssueDeadline }
  issueEditLabel: { given: { "owner": string; "repo": string; "id": string }; body: EditLabelOption; answer: Label }
  issueEditMilestone: { given: { "owner": string; "repo": string; "id": string }; body: EditMilestoneOption; answer: Milestone }
  issueGetComment: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: Comment | undefined }
  issueGetCommentReactions: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: readonly (Reaction)[] }
  issueGetComments: { given: { "owner": string; "repo": string; "index": number | string; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (Comment)[] }
  issueGetCommentsAndTimeline: { given: { "owner": string; "repo": string; "index": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (TimelineComment)[] }
  issueGetIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: Issue }
  issueGetIssueAttachment: { given: { "owner": string; "repo": string; "index": number | string; "attachment_id": number | string }; body: undefined; answer: Attachment }
  issueGetIssueCommentAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: undefined; answer: Attachment }
  issueGetIssueReactions: { given: { "owner": string; "repo": string; "index": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Reaction)[] }
  issueGetLabel: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: Label }
  issueGetLabels: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: readonly (Label)[] }
  issueGetMilestone: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: Milestone }
  issueGetMilestonesList: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined; "name"?: string | undefined }; body: undefined; answer: readonly (Milestone)[] }
  issueGetRepoComments: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (Comment)[] }
  issueListBlocks: { given: { "owner": string; "repo": string; "index": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Issue)[] }
  issueListIssueAttachments: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: readonly (Attachment)[] }
  issueListIssueCommentAttachments: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: readonly (Attachment)[] }
  issueListIssueDependencies: { given: { "owner": string; "repo": string; "index": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Issue | HiddenIssue)[] }
  issueListIssues: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined; "type"?: string | undefined; "labels"?: string | undefined; "milestones"?: string | undefined; "q"?: string | undefined; "since"?: string | undefined; "before"?: string | undefined; "created_by"?: string | undefined; "assigned_by"?: string | undefined; "mentioned_by"?: string | undefined }; body: undefined; answer: readonly (Issue)[] }
  issueListLabels: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "sort"?: string | undefined }; body: undefined; answer: readonly (Label)[] }
  issueLockIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: LockIssueOption; answer: undefined }
  issuePostCommentReaction: { given: { "owner": string; "repo": string; "id": number | string }; body: EditReactionOption; answer: Reaction }
  issuePostIssueReaction: { given: { "owner": string; "repo": string; "index": number | string }; body: EditReactionOption; answer: Reaction }
  issueRemoveAssignees: { given: { "owner": string; "repo": string; "index": number | string }; body: IssueAssigneesOption; answer: Issue }
  issueRemoveIssueBlocking: { given: { "owner": string; "repo": string; "index": string }; body: IssueMeta; answer: Issue }
  issueRemoveIssueDependencies: { given: { "owner": string; "repo": string; "index": string }; body: IssueMeta; answer: Issue }
  issueRemoveLabel: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: undefined }
  issueReplaceLabels: { given: { "owner": string; "repo": string; "index": number | string }; body: IssueLabelsOption; answer: readonly (Label)[] }
  issueResetTime: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueSearchIssues: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined; "type"?: string | undefined; "labels"?: string | undefined; "milestones"?: string | undefined; "q"?: string | undefined; "since"?: string | undefined; "before"?: string | undefined; "assigned"?: boolean | undefined; "created"?: boolean | undefined; "mentioned"?: boolean | undefined; "review_requested"?: boolean | undefined; "reviewed"?: boolean | undefined; "owner"?: string | undefined; "created_by"?: string | undefined; "team"?: string | undefined }; body: undefined; answer: readonly (Issue)[] }
  issueStartStopWatch: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueStopStopWatch: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  issueSubscriptions: { given: { "owner": string; "repo": string; "index": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  issueTrackedTimes: { given: { "owner": string; "repo": string; "index": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "since"?: string | undefined; "before"?: string | undefined; "user"?: string | undefined }; body: undefined; answer: readonly (TrackedTime)[] }
  issueUnlockIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  linkPackage: { given: { "owner": string; "type": string; "name": string; "repo_name": string }; body: undefined; answer: undefined }
  listAdminWorkflowJobs: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: readonly (ActionWorkflowJob)[] }
  listAdminWorkflowRuns: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "event"?: string | undefined; "branch"?: string | undefined; "status"?: readonly (string)[] | undefined; "actor"?: string | undefined; "head_sha"?: string | undefined; "exclude_pull_requests"?: boolean | undefined }; body: undefined; answer: readonly (ActionWorkflowRun)[] }
  listForks: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  listGitignoresTemplates: { given: {  }; body: undefined; answer: readonly (string)[] }
  listLabelTemplates: { given: {  }; body: undefined; answer: readonly (string)[] }
  listLicenseTemplates: { given: {  }; body: undefined; answer: readonly (LicensesTemplateListEntry)[] }
  listPackageFiles: { given: { "owner": string; "type": string; "name": string; "version": string }; body: undefined; answer: readonly (PackageFile)[] }
  listPackageVersions: { given: { "owner": string; "type": string; "name": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Package)[] }
  listPackages: { given: { "owner": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "type"?: string | undefined; "q"?: string | undefined }; body: undefined; answer: readonly (Package)[] }
  listWorkflowJobs: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: ActionWorkflowJobsResponse }
  listWorkflowRunAttemptJobs: { given: { "owner": string; "repo": string; "run": number | string; "attempt": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: ActionWorkflowJobsResponse }
  listWorkflowRunJobs: { given: { "owner": string; "repo": string; "run": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "status"?: readonly (string)[] | undefined; "sort"?: string | undefined; "order"?: string | undefined }; body: undefined; answer: ActionWorkflowJobsResponse }
  moveIssuePin: { given: { "owner": string; "repo": string; "index": number | string; "position": number | string }; body: undefined; answer: undefined }
  notifyGetList: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "all"?: boolean | undefined; "status-types"?: readonly (string)[] | undefined; "subject-type"?: readonly (string)[] | undefined; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (NotificationThread)[] }
  notifyGetRepoList: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "all"?: boolean | undefined; "status-types"?: readonly (string)[] | undefined; "subject-type"?: readonly (string)[] | undefined; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (NotificationThread)[] }
  notifyGetThread: { given: { "id": number | string }; body: undefined; answer: NotificationThread }
  notifyNewAvailable: { given: {  }; body: undefined; answer: NotificationCount }
  notifyReadList: { given: { "last_read_at"?: string | undefined; "all"?: boolean | undefined; "status-types"?: readonly (string)[] | undefined; "to-status"?: string | undefined }; body: undefined; answer: readonly (NotificationThread)[] }
  notifyReadRepoList: { given: { "owner": string; "repo": string; "last_read_at"?: string | undefined; "all"?: boolean | undefined; "status-types"?: readonly (string)[] | undefined; "to-status"?: string | undefined }; body: undefined; answer: readonly (NotificationThread)[] }
  notifyReadThread: { given: { "id": number | string; "to-status"?: string | undefined }; body: undefined; answer: NotificationThread }
  orgAddIssueToProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  orgAddTeamMember: { given: { "id": number | string; "username": string }; body: undefined; answer: undefined }
  orgAddTeamRepository: { given: { "id": number | string; "org": string; "repo": string }; body: undefined; answer: undefined }
  orgConcealMember: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgCreate: { given: {  }; body: CreateOrgOption; answer: Organization }
  orgCreateHook: { given: { "org": string }; body: CreateHookOption; answer: Hook }
  orgCreateLabel: { given: { "org": string }; body: CreateLabelOption; answer: Label }
  orgCreateProject: { given: { "org": string }; body: CreateProjectOption; answer: Project }
  orgCreateProjectColumn: { given: { "org": string; "id": number | string }; body: CreateProjectColumnOption; answer: ProjectColumn }
  orgCreateRunnerRegistrationToken: { given: { "org": string }; body: undefined; answer: RegistrationToken }
  orgCreateServiceAccount: { given: { "org": string }; body: CreateServiceAccountOption; answer: User }
  orgCreateTeam: { given: { "org": string }; body: CreateTeamOption; answer: Team }
  orgDelete: { given: { "org": string }; body: undefined; answer: undefined }
  orgDeleteAvatar: { given: { "org": string }; body: undefined; answer: undefined }
  orgDeleteHook: { given: { "org": string; "id": number | string }; body: undefined; answer: undefined }
  orgDeleteLabel: { given: { "org": string; "id": string }; body: undefined; answer: undefined }
  orgDeleteMember: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgDeleteProject: { given: { "org": string; "id": number | string }; body: undefined; answer: undefined }
  orgDeleteProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  orgDeleteRepos: { given: { "org": string }; body: undefined; answer: undefined }
  orgDeleteServiceAccount: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgDeleteTeam: { given: { "id": number | string }; body: undefined; answer: undefined }
  orgEdit: { given: { "org": string }; body: EditOrgOption; answer: Organization }
  orgEditHook: { given: { "org": string; "id": number | string }; body: EditHookOption; answer: Hook }
  orgEditLabel: { given: { "org": string; "id": string }; body: EditLabelOption; answer: Label }
  orgEditProject: { given: { "org": string; "id": number | string }; body: EditProjectOption; answer: Project }
  orgEditProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string }; body: EditProjectColumnOption; answer: ProjectColumn }
  orgEditTeam: { given: { "id": number | string }; body: EditTeamOption; answer: Team }
  orgGet: { given: { "org": string }; body: undefined; answer: Organization }
  orgGetAll: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Organization)[] }
  orgGetHook: { given: { "org": string; "id": number | string }; body: undefined; answer: Hook }
  orgGetHookDelivery: { given: { "org": string; "id": number | string; "delivery": number | string }; body: undefined; answer: HookDeliveryDetail }
  orgGetLabel: { given: { "org": string; "id": string }; body: undefined; answer: Label }
  orgGetProject: { given: { "org": string; "id": number | string }; body: undefined; answer: Project }
  orgGetProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string }; body: undefined; answer: ProjectColumn }
  orgGetTeam: { given: { "id": number | string }; body: undefined; answer: Team }
  orgGetUserPermissions: { given: { "username": string; "org": string }; body: undefined; answer: OrganizationPermissions }
  orgIsMember: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgIsPublicMember: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgListActionsSecrets: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "name": string; readonly "description": string; readonly "created_at": string })[] }
  orgListActivityFeeds: { given: { "org": string; "date"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Activity)[] }
  orgListAudit: { given: { "org": string; "operation"?: string | undefined; "outcome"?: "done" | "unchanged" | "refused" | "failed" | undefined; "account_id"?: number | string | undefined; "repository_id"?: number | string | undefined; "since"?: string | undefined; "until"?: string | undefined; "before_id"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (OrganizationAuditRecord)[] }
  orgListCurrentUserOrgs: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Organization)[] }
  orgListHookDeliveries: { given: { "org": string; "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (HookDelivery)[] }
  orgListHooks: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Hook)[] }
  orgListLabels: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "sort"?: string | undefined }; body: undefined; answer: readonly (Label)[] }
  orgListMembers: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  orgListProjectColumnIssues: { given: { "org": string; "id": number | string; "column_id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Issue)[] }
  orgListProjectColumns: { given: { "org": string; "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (ProjectColumn)[] }
  orgListProjects: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (Project)[] }
  orgListPublicMembers: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  orgListRepos: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  orgListServiceAccounts: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  orgListTeamActivityFeeds: { given: { "id": number | string; "date"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Activity)[] }
  orgListTeamMember: { given: { "id": number | string; "username": string }; body: undefined; answer: User }
  orgListTeamMembers: { given: { "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  orgListTeamRepo: { given: { "id": number | string; "org": string; "repo": string }; body: undefined; answer: Repository }
  orgListTeamRepos: { given: { "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  orgListTeams: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Team)[] }
  orgListUserOrgs: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Organization)[] }
  orgMoveProjectColumns: { given: { "org": string; "id": number | string }; body: MoveProjectColumnsOption; answer: undefined }
  orgMoveProjectIssue: { given: { "org": string; "id": number | string; "issue_id": number | string }; body: MoveProjectIssueOption; answer: undefined }
  orgPublicizeMember: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  orgRedeliverHook: { given: { "org": string; "id": number | string; "delivery": number | string }; body: undefined; answer: HookDelivery }
  orgRemoveIssueFromProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  orgRemoveTeamMember: { given: { "id": number | string; "username": string }; body: undefined; answer: undefined }
  orgRemoveTeamRepository: { given: { "id": number | string; "org": string; "repo": string }; body: undefined; answer: undefined }
  orgSetDefaultProjectColumn: { given: { "org": string; "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  orgUpdateAvatar: { given: { "org": string }; body: UpdateUserAvatarOption; answer: undefined }
  organizationBlockUser: { given: { "org": string; "username": string; "note"?: string | undefined }; body: undefined; answer: undefined }
  organizationCheckUserBlock: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  organizationListBlocks: { given: { "org": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  organizationUnblockUser: { given: { "org": string; "username": string }; body: undefined; answer: undefined }
  pinIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  rejectRepoTransfer: { given: { "owner": string; "repo": string }; body: undefined; answer: Repository }
  renameOrg: { given: { "org": string }; body: RenameOrgOption; answer: undefined }
  renderMarkdown: { given: {  }; body: MarkdownOption; answer: string }
  renderMarkdownRaw: { given: {  }; body: FormData | Blob; answer: string }
  renderMarkup: { given: {  }; body: MarkupOption; answer: string }
  repoAddCollaborator: { given: { "owner": string; "repo": string; "collaborator": string }; body: AddCollaboratorOption; answer: undefined }
  repoAddIssueToProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  repoAddPushMirror: { given: { "owner": string; "repo": string }; body: CreatePushMirrorOption; answer: PushMirror }
  repoAddTeam: { given: { "owner": string; "repo": string; "team": string }; body: undefined; answer: undefined }
  repoAddTopic: { given: { "owner": string; "repo": string; "topic": string }; body: undefined; answer: undefined }
  repoApplyDiffPatch: { given: { "owner": string; "repo": string }; body: ApplyDiffPatchFileOptions; answer: FileResponse }
  repoCancelScheduledAutoMerge: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  repoChangeFiles: { given: { "owner": string; "repo": string }; body: ChangeFilesOptions; answer: FilesResponse }
  repoCheckAssignee: { given: { "owner": string; "repo": string; "assignee": string }; body: undefined; answer: undefined }
  repoCheckCollaborator: { given: { "owner": string; "repo": string; "collaborator": string }; body: undefined; answer: undefined }
  repoCheckTeam: { given: { "owner": string; "repo": string; "team": string }; body: undefined; answer: Team }
  repoCompareDiff: { given: { "owner": string; "repo": string; "basehead": string; "output"?: string | undefined }; body: undefined; answer: Compare }
  repoComparePullVersions: { given: { "owner": string; "repo": string; "index": number | string; "base": number | string; "head": number | string }; body: undefined; answer: PullVersionDiff }
  repoCreateBranch: { given: { "owner": string; "repo": string }; body: CreateBranchRepoOption; answer: Branch }
  repoCreateBranchProtection: { given: { "owner": string; "repo": string }; body: CreateBranchProtectionOption; answer: BranchProtection }
  repoCreateDeployToken: { given: { "owner": string; "repo": string }; body: CreateDeployTokenOption; answer: DeployKey }
  repoCreateFile: { given: { "owner": string; "repo": string; "filepath": string }; body: CreateFileOptions; answer: FileResponse }
  repoCreateHook: { given: { "owner": string; "repo": string }; body: CreateHookOption; answer: Hook }
  repoCreateKey: { given: { "owner": string; "repo": string }; body: CreateKeyOption; answer: DeployKey }
  repoCreateProject: { given: { "owner": string; "repo": string }; body: CreateProjectOption; answer: Project }
  repoCreateProjectColumn: { given: { "owner": string; "repo": string; "id": number | string }; body: CreateProjectColumnOption; answer: ProjectColumn }
  repoCreatePullRequest: { given: { "owner": string; "repo": string }; body: CreatePullRequestOption; answer: PullRequest }
  repoCreatePullReview: { given: { "owner": string; "repo": string; "index": number | string }; body: CreatePullReviewOptions; answer: PullReview }
  repoCreatePullReviewCommentReply: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: CreatePullReviewCommentReplyOptions; answer: PullReviewComment }
  repoCreatePullReviewRequests: { given: { "owner": string; "repo": string; "index": number | string }; body: PullReviewRequestOptions; answer: readonly (PullReview)[] }
  repoCreateRelease: { given: { "owner": string; "repo": string }; body: CreateReleaseOption; answer: Release }
  repoCreateReleaseAttachment: { given: { "owner": string; "repo": string; "id": number | string; "name"?: string | undefined }; body: FormData | Blob; answer: Attachment }
  repoCreateRunnerRegistrationToken: { given: { "owner": string; "repo": string }; body: undefined; answer: RegistrationToken }
  repoCreateStatus: { given: { "owner": string; "repo": string; "sha": string }; body: CreateStatusOption; answer: CommitStatus }
  repoCreateTag: { given: { "owner": string; "repo": string }; body: CreateTagOption; answer: Tag }
  repoCreateTagProtection: { given: { "owner": string; "repo": string }; body: CreateTagProtectionOption; answer: TagProtection }
  repoCreateWikiPage: { given: { "owner": string; "repo": string }; body: CreateWikiPageOptions; answer: WikiPage }
  repoDelete: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  repoDeleteAvatar: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  repoDeleteBranch: { given: { "owner": string; "repo": string; "branch": string }; body: undefined; answer: undefined }
  repoDeleteBranchProtection: { given: { "owner": string; "repo": string; "name": string }; body: undefined; answer: undefined }
  repoDeleteCollaborator: { given: { "owner": string; "repo": string; "collaborator": string }; body: undefined; answer: undefined }
  repoDeleteFile: { given: { "owner": string; "repo": string; "filepath": string }; body: DeleteFileOptions; answer: FileDeleteResponse }
  repoDeleteGitHook: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: undefined }
  repoDeleteHook: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoDeleteKey: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoDeleteProject: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoDeleteProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  repoDeletePullReview: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: undefined }
  repoDeletePullReviewRequests: { given: { "owner": string; "repo": string; "index": number | string }; body: PullReviewRequestOptions; answer: undefined }
  repoDeletePushMirror: { given: { "owner": string; "repo": string; "name": string }; body: undefined; answer: undefined }
  repoDeleteRelease: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoDeleteReleaseAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: undefined; answer: undefined }
  repoDeleteReleaseByTag: { given: { "owner": string; "repo": string; "tag": string }; body: undefined; answer: undefined }
  repoDeleteTag: { given: { "owner": string; "repo": string; "tag": string }; body: undefined; answer: undefined }
  repoDeleteTagProtection: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoDeleteTeam: { given: { "owner": string; "repo": string; "team": string }; body: undefined; answer: undefined }
  repoDeleteTopic: { given: { "owner": string; "repo": string; "topic": string }; body: undefined; answer: undefined }
  repoDeleteWikiPage: { given: { "owner": string; "repo": string; "pageName": string }; body: undefined; answer: undefined }
  repoDismissPullReview: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: DismissPullReviewOptions; answer: PullReview }
  repoDownloadCommitDiffOrPatch: { given: { "owner": string; "repo": string; "sha": string; "diffType": "diff" | "patch" }; body: undefined; answer: Blob }
  repoDownloadPullDiffOrPatch: { given: { "owner": string; "repo": string; "index": number | string; "diffType": "diff" | "patch"; "binary"?: boolean | undefined }; body: undefined; answer: Blob }
  repoEdit: { given: { "owner": string; "repo": string }; body: EditRepoOption; answer: Repository }
  repoEditBranchProtection: { given: { "owner": string; "repo": string; "name": string }; body: EditBranchProtectionOption; answer: BranchProtection }
  repoEditGitHook: { given: { "owner": string; "repo": string; "id": string }; body: EditGitHookOption; answer: GitHook }
  repoEditHook: { given: { "owner": string; "repo": string; "id": number | string }; body: EditHookOption; answer: Hook }
  repoEditProject: { given: { "owner": string; "repo": string; "id": number | string }; body: EditProjectOption; answer: Project }
  repoEditProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string }; body: EditProjectColumnOption; answer: ProjectColumn }
  repoEditPullRequest: { given: { "owner": string; "repo": string; "index": number | string }; body: EditPullRequestOption; answer: PullRequest }
  repoEditRelease: { given: { "owner": string; "repo": string; "id": number | string }; body: EditReleaseOption; answer: Release }
  repoEditReleaseAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: EditAttachmentOptions; answer: Attachment }
  repoEditTagProtection: { given: { "owner": string; "repo": string; "id": number | string }; body: EditTagProtectionOption; answer: TagProtection }
  repoEditWikiPage: { given: { "owner": string; "repo": string; "pageName": string }; body: CreateWikiPageOptions; answer: WikiPage }
  repoGet: { given: { "owner": string; "repo": string }; body: undefined; answer: Repository }
  repoGetAllCommits: { given: { "owner": string; "repo": string; "sha"?: string | undefined; "path"?: string | undefined; "since"?: string | undefined; "until"?: string | undefined; "not"?: string | undefined; "stat"?: boolean | undefined; "verification"?: boolean | undefined; "files"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Commit)[] }
  repoGetArchive: { given: { "owner": string; "repo": string; "archive": string; "path"?: readonly (string)[] | undefined }; body: undefined; answer: Blob }
  repoGetAssignees: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (User)[] }
  repoGetBranch: { given: { "owner": string; "repo": string; "branch": string }; body: undefined; answer: Branch }
  repoGetBranchProtection: { given: { "owner": string; "repo": string; "name": string }; body: undefined; answer: BranchProtection }
  repoGetByID: { given: { "id": number | string }; body: undefined; answer: Repository }
  repoGetCombinedStatusByRef: { given: { "owner": string; "repo": string; "ref": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: CombinedStatus }
  repoGetCommitPullRequest: { given: { "owner": string; "repo": string; "sha": string }; body: undefined; answer: PullRequest }
  repoGetContents: { given: { "owner": string; "repo": string; "filepath": string; "ref"?: string | undefined }; body: undefined; answer: ContentsResponse | readonly (ContentsResponse)[] }
  repoGetContentsExt: { given: { "owner": string; "repo": string; "filepath": string; "ref"?: string | undefined; "includes"?: string | undefined }; body: undefined; answer: ContentsExtResponse }
  repoGetContentsList: { given: { "owner": string; "repo": string; "ref"?: string | undefined }; body: undefined; answer: readonly (ContentsResponse)[] }
  repoGetEditorConfig: { given: { "owner": string; "repo": string; "filepath": string; "ref"?: string | undefined }; body: undefined; answer: { readonly [name: string]: string } }
  repoGetFileContents: { given: { "owner": string; "repo": string; "ref"?: string | undefined; "body"?: string | undefined }; body: undefined; answer: readonly (ContentsResponse | null)[] }
  repoGetFileContentsPost: { given: { "owner": string; "repo": string; "ref"?: string | undefined }; body: GetFilesOptions; answer: readonly (ContentsResponse | null)[] }
  repoGetGitHook: { given: { "owner": string; "repo": string; "id": string }; body: undefined; answer: GitHook }
  repoGetHook: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: Hook }
  repoGetHookDelivery: { given: { "owner": string; "repo": string; "id": number | string; "delivery": number | string }; body: undefined; answer: HookDeliveryDetail }
  repoGetIssueConfig: { given: { "owner": string; "repo": string }; body: undefined; answer: IssueConfig }
  repoGetIssueTemplates: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (IssueTemplate)[] }
  repoGetKey: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: DeployKey }
  repoGetLanguages: { given: { "owner": string; "repo": string }; body: undefined; answer: { readonly [name: string]: number } }
  repoGetLatestRelease: { given: { "owner": string; "repo": string }; body: undefined; answer: Release }
  repoGetLicenses: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (string)[] }
  repoGetNote: { given: { "owner": string; "repo": string; "sha": string; "verification"?: boolean | undefined; "files"?: boolean | undefined }; body: undefined; answer: Note }
  repoGetProject: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: Project }
  repoGetProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string }; body: undefined; answer: ProjectColumn }
  repoGetPullRequest: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: PullRequest }
  repoGetPullRequestByBaseHead: { given: { "owner": string; "repo": string; "base": string; "head": string }; body: undefined; answer: PullRequest }
  repoGetPullRequestCommits: { given: { "owner": string; "repo": string; "index": number | string; "verification"?: boolean | undefined; "files"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Commit)[] }
  repoGetPullRequestFiles: { given: { "owner": string; "repo": string; "index": number | string; "skip-to"?: string | undefined; "whitespace"?: "ignore-all" | "ignore-change" | "ignore-eol" | "show-all" | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (ChangedFile)[] }
  repoGetPullReview: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: PullReview }
  repoGetPullReviewComments: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: readonly (PullReviewComment)[] }
  repoGetPushMirrorByRemoteName: { given: { "owner": string; "repo": string; "name": string }; body: undefined; answer: PushMirror }
  repoGetRawFile: { given: { "owner": string; "repo": string; "filepath": string; "ref"?: string | undefined }; body: undefined; answer: Blob }
  repoGetRawFileOrLFS: { given: { "owner": string; "repo": string; "filepath": string; "ref"?: string | undefined }; body: undefined; answer: Blob }
  repoGetRelease: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: Release }
  repoGetReleaseAttachment: { given: { "owner": string; "repo": string; "id": number | string; "attachment_id": number | string }; body: undefined; answer: Attachment }
  repoGetReleaseByTag: { given: { "owner": string; "repo": string; "tag": string }; body: undefined; answer: Release }
  repoGetRepoPermissions: { given: { "owner": string; "repo": string; "collaborator": string }; body: undefined; answer: RepoCollaboratorPermission }
  repoGetReviewers: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (User)[] }
  repoGetSingleCommit: { given: { "owner": string; "repo": string; "sha": string; "stat"?: boolean | undefined; "verification"?: boolean | undefined; "files"?: boolean | undefined }; body: undefined; answer: Commit }
  repoGetTag: { given: { "owner": string; "repo": string; "tag": string }; body: undefined; answer: Tag }
  repoGetTagProtection: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: TagProtection }
  repoGetWikiPage: { given: { "owner": string; "repo": string; "pageName": string }; body: undefined; answer: WikiPage }
  repoGetWikiPageRevisions: { given: { "owner": string; "repo": string; "pageName": string; "page"?: number | string | undefined }; body: undefined; answer: WikiCommitList }
  repoGetWikiPages: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (WikiPageMetaData)[] }
  repoListActionsSecrets: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "name": string; readonly "description": string; readonly "created_at": string })[] }
  repoListActivityFeeds: { given: { "owner": string; "repo": string; "date"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Activity)[] }
  repoListAllGitRefs: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (Reference)[] }
  repoListBranchProtection: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (BranchProtection)[] }
  repoListBranches: { given: { "owner": string; "repo": string; "q"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Branch)[] }
  repoListCollaborators: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  repoListGitHooks: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (GitHook)[] }
  repoListGitRefs: { given: { "owner": string; "repo": string; "ref": string }; body: undefined; answer: readonly (Reference)[] }
  repoListHookDeliveries: { given: { "owner": string; "repo": string; "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (HookDelivery)[] }
  repoListHooks: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Hook)[] }
  repoListKeys: { given: { "owner": string; "repo": string; "key_id"?: number | string | undefined; "fingerprint"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (DeployKey)[] }
  repoListMergeQueue: { given: { "owner": string; "repo": string; "branch"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (MergeQueueEntry)[] }
  repoListPinnedIssues: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (Issue)[] }
  repoListPinnedPullRequests: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (PullRequest)[] }
  repoListProjectColumnIssues: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Issue)[] }
  repoListProjectColumns: { given: { "owner": string; "repo": string; "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (ProjectColumn)[] }
  repoListProjects: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (Project)[] }
  repoListPullRequests: { given: { "owner": string; "repo": string; "state"?: string | undefined; "sort"?: string | undefined; "base_branch"?: string | undefined; "milestone"?: number | string | undefined; "labels"?: readonly (number)[] | undefined; "poster"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (PullRequest)[] }
  repoListPullReviews: { given: { "owner": string; "repo": string; "index": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (PullReview)[] }
  repoListPullVersions: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: readonly (PullVersion)[] }
  repoListPushMirrors: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (PushMirror)[] }
  repoListReleaseAttachments: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: readonly (Attachment)[] }
  repoListReleases: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "draft"?: boolean | undefined; "pre-release"?: boolean | undefined; "tag_filter"?: string | undefined }; body: undefined; answer: readonly (Release)[] }
  repoListStargazers: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  repoListStatuses: { given: { "owner": string; "repo": string; "sha": string; "ref": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "sort"?: string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (CommitStatus)[] }
  repoListStatusesByRef: { given: { "owner": string; "repo": string; "sha": string; "ref": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "sort"?: string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (CommitStatus)[] }
  repoListSubscribers: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  repoListTagProtection: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (TagProtection)[] }
  repoListTags: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Tag)[] }
  repoListTeams: { given: { "owner": string; "repo": string }; body: undefined; answer: readonly (Team)[] }
  repoListTopics: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: TopicName }
  repoMergePullRequest: { given: { "owner": string; "repo": string; "index": number | string }; body: MergePullRequestOption; answer: undefined }
  repoMergeUpstream: { given: { "owner": string; "repo": string }; body: MergeUpstreamRequest; answer: MergeUpstreamResponse }
  repoMigrate: { given: {  }; body: MigrateRepoOptions; answer: Repository }
  repoMirrorSync: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  repoMoveProjectColumns: { given: { "owner": string; "repo": string; "id": number | string }; body: MoveProjectColumnsOption; answer: undefined }
  repoMoveProjectIssue: { given: { "owner": string; "repo": string; "id": number | string; "issue_id": number | string }; body: MoveProjectIssueOption; answer: undefined }
  repoNewPinAllowed: { given: { "owner": string; "repo": string }; body: undefined; answer: NewIssuePinsAllowed }
  repoPullRequestIsMerged: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  repoPushMirrorSync: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  repoQueuePullRequest: { given: { "owner": string; "repo": string; "index": number | string }; body: QueuePullRequestOption; answer: MergeQueueEntry }
  repoRedeliverHook: { given: { "owner": string; "repo": string; "id": number | string; "delivery": number | string }; body: undefined; answer: HookDelivery }
  repoRemoveIssueFromProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  repoRenameBranch: { given: { "owner": string; "repo": string; "branch": string }; body: RenameBranchRepoOption; answer: undefined }
  repoResolvePullReviewComment: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoSearch: { given: { "q"?: string | undefined; "topic"?: boolean | undefined; "includeDesc"?: boolean | undefined; "uid"?: number | string | undefined; "priority_owner_id"?: number | string | undefined; "team_id"?: number | string | undefined; "starredBy"?: number | string | undefined; "private"?: boolean | undefined; "is_private"?: boolean | undefined; "template"?: boolean | undefined; "archived"?: boolean | undefined; "mode"?: string | undefined; "exclusive"?: boolean | undefined; "sort"?: string | undefined; "order"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: SearchResults }
  repoSetDefaultProjectColumn: { given: { "owner": string; "repo": string; "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  repoSigningKey: { given: { "owner": string; "repo": string }; body: undefined; answer: string }
  repoSigningKeySSH: { given: { "owner": string; "repo": string }; body: undefined; answer: string }
  repoSubmitPullReview: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: SubmitPullReviewOptions; answer: PullReview }
  repoTestHook: { given: { "owner": string; "repo": string; "id": number | string; "ref"?: string | undefined }; body: undefined; answer: undefined }
  repoTrackedTimes: { given: { "owner": string; "repo": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "since"?: string | undefined; "before"?: string | undefined; "user"?: string | undefined }; body: undefined; answer: readonly (TrackedTime)[] }
  repoTransfer: { given: { "owner": string; "repo": string }; body: TransferRepoOption; answer: Repository }
  repoUnDismissPullReview: { given: { "owner": string; "repo": string; "index": number | string; "id": number | string }; body: undefined; answer: PullReview }
  repoUnqueuePullRequest: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  repoUnresolvePullReviewComment: { given: { "owner": string; "repo": string; "id": number | string }; body: undefined; answer: undefined }
  repoUpdateAvatar: { given: { "owner": string; "repo": string }; body: UpdateRepoAvatarOption; answer: undefined }
  repoUpdateBranch: { given: { "owner": string; "repo": string; "branch": string }; body: UpdateBranchRepoOption; answer: undefined }
  repoUpdateBranchProtectionPriories: { given: { "owner": string; "repo": string }; body: UpdateBranchProtectionPriories; answer: undefined }
  repoUpdateFile: { given: { "owner": string; "repo": string; "filepath": string }; body: UpdateFileOptions; answer: FileResponse }
  repoUpdatePullRequest: { given: { "owner": string; "repo": string; "index": number | string; "style"?: string | undefined }; body: undefined; answer: undefined }
  repoUpdateTopics: { given: { "owner": string; "repo": string }; body: RepoTopicOptions; answer: undefined }
  repoValidateIssueConfig: { given: { "owner": string; "repo": string }; body: undefined; answer: IssueConfigValidation }
  rerunFailedWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: undefined }
  rerunWorkflowJob: { given: { "owner": string; "repo": string; "run": number | string; "job_id": number | string }; body: undefined; answer: ActionWorkflowJob }
  rerunWorkflowRun: { given: { "owner": string; "repo": string; "run": number | string }; body: undefined; answer: ActionWorkflowRun }
  teamSearch: { given: { "org": string; "q"?: string | undefined; "include_desc"?: boolean | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: { readonly "data": readonly (Team)[]; readonly "ok": boolean } }
  topicSearch: { given: { "q"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: TopicListResponse }
  unlinkPackage: { given: { "owner": string; "type": string; "name": string }; body: undefined; answer: undefined }
  unpinIssue: { given: { "owner": string; "repo": string; "index": number | string }; body: undefined; answer: undefined }
  updateAdminRunner: { given: { "runner_id": number | string }; body: EditActionRunnerOption; answer: ActionRunner }
  updateNotificationSettings: { given: {  }; body: NotificationSettings; answer: NotificationSettings }
  updateOrgRunner: { given: { "org": string; "runner_id": number | string }; body: EditActionRunnerOption; answer: ActionRunner }
  updateOrgSecret: { given: { "org": string; "secretname": string }; body: { readonly "data": string; readonly "description"?: string | undefined }; answer: undefined }
  updateOrgVariable: { given: { "org": string; "variablename": string }; body: { readonly "name"?: string | undefined; readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  updateRepoRunner: { given: { "owner": string; "repo": string; "runner_id": number | string }; body: EditActionRunnerOption; answer: ActionRunner }
  updateRepoSecret: { given: { "owner": string; "repo": string; "secretname": string }; body: { readonly "data": string; readonly "description"?: string | undefined }; answer: undefined }
  updateRepoVariable: { given: { "owner": string; "repo": string; "variablename": string }; body: { readonly "name"?: string | undefined; readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  updateUserRunner: { given: { "runner_id": number | string }; body: EditActionRunnerOption; answer: ActionRunner }
  updateUserSecret: { given: { "secretname": string }; body: { readonly "data": string; readonly "description"?: string | undefined }; answer: undefined }
  updateUserSettings: { given: {  }; body: UserSettingsOptions; answer: UserSettings }
  updateUserVariable: { given: { "variablename": string }; body: { readonly "name"?: string | undefined; readonly "value": string; readonly "description"?: string | undefined }; answer: undefined }
  userAddEmail: { given: {  }; body: CreateEmailOption; answer: readonly (Email)[] }
  userBlockUser: { given: { "username": string; "note"?: string | undefined }; body: undefined; answer: undefined }
  userCheckFollowing: { given: { "username": string; "target": string }; body: undefined; answer: undefined }
  userCheckUserBlock: { given: { "username": string }; body: undefined; answer: undefined }
  userCreateHook: { given: {  }; body: CreateHookOption; answer: Hook }
  userCreateOAuth2Application: { given: {  }; body: { readonly "name": string; readonly "redirect_uris": readonly (string)[]; readonly "confidential_client"?: boolean | undefined; readonly "skip_secondary_authorization"?: boolean | undefined }; answer: { readonly "id": number; readonly "name": string; readonly "client_id": string; readonly "client_secret": string; readonly "confidential_client": boolean; readonly "skip_secondary_authorization": boolean; readonly "redirect_uris": readonly (string)[]; readonly "created": string } }
  userCreateRunnerRegistrationToken: { given: {  }; body: undefined; answer: RegistrationToken }
  userCreateToken: { given: { "username": string }; body: CreateAccessTokenOption; answer: AccessToken }
  userCurrentAddIssueToProjectColumn: { given: { "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  userCurrentCheckFollowing: { given: { "username": string }; body: undefined; answer: undefined }
  userCurrentCheckStarring: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  userCurrentCheckSubscription: { given: { "owner": string; "repo": string }; body: undefined; answer: WatchInfo }
  userCurrentCreateProject: { given: {  }; body: CreateProjectOption; answer: Project }
  userCurrentCreateProjectColumn: { given: { "id": number | string }; body: CreateProjectColumnOption; answer: ProjectColumn }
  userCurrentDeleteFollow: { given: { "username": string }; body: undefined; answer: undefined }
  userCurrentDeleteGPGKey: { given: { "id": number | string }; body: undefined; answer: undefined }
  userCurrentDeleteKey: { given: { "id": number | string }; body: undefined; answer: undefined }
  userCurrentDeleteProject: { given: { "id": number | string }; body: undefined; answer: undefined }
  userCurrentDeleteProjectColumn: { given: { "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  userCurrentDeleteStar: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  userCurrentDeleteSubscription: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  userCurrentEditProject: { given: { "id": number | string }; body: EditProjectOption; answer: Project }
  userCurrentEditProjectColumn: { given: { "id": number | string; "column_id": number | string }; body: EditProjectColumnOption; answer: ProjectColumn }
  userCurrentGetGPGKey: { given: { "id": number | string }; body: undefined; answer: GPGKey }
  userCurrentGetKey: { given: { "id": number | string }; body: undefined; answer: PublicKey }
  userCurrentGetProject: { given: { "id": number | string }; body: undefined; answer: Project }
  userCurrentGetProjectColumn: { given: { "id": number | string; "column_id": number | string }; body: undefined; answer: ProjectColumn }
  userCurrentListFollowers: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  userCurrentListFollowing: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  userCurrentListGPGKeys: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (GPGKey)[] }
  userCurrentListKeys: { given: { "fingerprint"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (PublicKey)[] }
  userCurrentListProjectColumnIssues: { given: { "id": number | string; "column_id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Issue)[] }
  userCurrentListProjectColumns: { given: { "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (ProjectColumn)[] }
  userCurrentListProjects: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (Project)[] }
  userCurrentListRepos: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userCurrentListStarred: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userCurrentListSubscriptions: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userCurrentMoveProjectColumns: { given: { "id": number | string }; body: MoveProjectColumnsOption; answer: undefined }
  userCurrentMoveProjectIssue: { given: { "id": number | string; "issue_id": number | string }; body: MoveProjectIssueOption; answer: undefined }
  userCurrentPostGPGKey: { given: {  }; body: CreateGPGKeyOption; answer: GPGKey }
  userCurrentPostKey: { given: {  }; body: CreateKeyOption; answer: PublicKey }
  userCurrentPutFollow: { given: { "username": string }; body: undefined; answer: undefined }
  userCurrentPutStar: { given: { "owner": string; "repo": string }; body: undefined; answer: undefined }
  userCurrentPutSubscription: { given: { "owner": string; "repo": string }; body: undefined; answer: WatchInfo }
  userCurrentRemoveIssueFromProjectColumn: { given: { "id": number | string; "column_id": number | string; "issue_id": number | string }; body: undefined; answer: undefined }
  userCurrentSetDefaultProjectColumn: { given: { "id": number | string; "column_id": number | string }; body: undefined; answer: undefined }
  userCurrentTrackedTimes: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined; "since"?: string | undefined; "before"?: string | undefined }; body: undefined; answer: readonly (TrackedTime)[] }
  userDeleteAccessToken: { given: { "username": string; "token": string }; body: undefined; answer: undefined }
  userDeleteAvatar: { given: {  }; body: undefined; answer: undefined }
  userDeleteEmail: { given: {  }; body: DeleteEmailOption; answer: undefined }
  userDeleteHook: { given: { "id": number | string }; body: undefined; answer: undefined }
  userDeleteOAuth2Application: { given: { "id": number | string }; body: undefined; answer: undefined }
  userEditHook: { given: { "id": number | string }; body: EditHookOption; answer: Hook }
  userGet: { given: { "username": string }; body: undefined; answer: User }
  userGetAccessTokenUse: { given: { "username": string; "token": string }; body: undefined; answer: AccessTokenUse }
  userGetCurrent: { given: {  }; body: undefined; answer: User }
  userGetHeatmapData: { given: { "username": string }; body: undefined; answer: readonly (UserHeatmapData)[] }
  userGetHook: { given: { "id": number | string }; body: undefined; answer: Hook }
  userGetHookDelivery: { given: { "id": number | string; "delivery": number | string }; body: undefined; answer: HookDeliveryDetail }
  userGetOAuth2Application: { given: { "id": number | string }; body: undefined; answer: { readonly "id": number; readonly "name": string; readonly "client_id": string; readonly "client_secret": string; readonly "confidential_client": boolean; readonly "skip_secondary_authorization": boolean; readonly "redirect_uris": readonly (string)[]; readonly "created": string } }
  userGetOauth2Application: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly ({ readonly "id": number; readonly "name": string; readonly "client_id": string; readonly "client_secret": string; readonly "confidential_client": boolean; readonly "skip_secondary_authorization": boolean; readonly "redirect_uris": readonly (string)[]; readonly "created": string })[] }
  userGetStopWatches: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (StopWatch)[] }
  userGetTokens: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (AccessToken)[] }
  userListActivityFeeds: { given: { "username": string; "only-performed-by"?: boolean | undefined; "date"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Activity)[] }
  userListBlocks: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  userListEmails: { given: {  }; body: undefined; answer: readonly (Email)[] }
  userListFollowers: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  userListFollowing: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (User)[] }
  userListGPGKeys: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (GPGKey)[] }
  userListHookDeliveries: { given: { "id": number | string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (HookDelivery)[] }
  userListHooks: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Hook)[] }
  userListKeys: { given: { "username": string; "fingerprint"?: string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (PublicKey)[] }
  userListProjects: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined; "state"?: string | undefined }; body: undefined; answer: readonly (Project)[] }
  userListRepos: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userListStarred: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userListSubscriptions: { given: { "username": string; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Repository)[] }
  userListTeams: { given: { "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: readonly (Team)[] }
  userNarrowAccessToken: { given: { "username": string; "token": string }; body: NarrowAccessTokenOption; answer: AccessToken }
  userRedeliverHook: { given: { "id": number | string; "delivery": number | string }; body: undefined; answer: HookDelivery }
  userSearch: { given: { "q"?: string | undefined; "uid"?: number | string | undefined; "page"?: number | string | undefined; "limit"?: number | string | undefined }; body: undefined; answer: { readonly "data": readonly (User)[]; readonly "ok": boolean } }
  userTrackedTimes: { given: { "owner": string; "repo": string; "user": string }; body: undefined; answer: readonly (TrackedTime)[] }
  userUnblockUser: { given: { "username": string }; body: undefined; answer: undefined }
  userUpdateAvatar: { given: {  }; body: UpdateUserAvatarOption; answer: undefined }
  userUpdateOAuth2Application: { given: { "id": number | string }; body: { readonly "name": string; readonly "redirect_uris": readonly (string)[]; readonly "confidential_client"?: boolean | undefined; readonly "skip_secondary_authorization"?: boolean | undefined }; answer: { readonly "id": number; readonly "name": string; readonly "client_id": string; readonly "client_secret": string; readonly "confidential_client": boolean; readonly "skip_secondary_authorization": boolean; readonly "redirect_uris": readonly (string)[]; readonly "created": string } }
  userVerifyGPGKey: { given: {  }; body: VerifyGPGKeyOption; answer: GPGKey }
}

export const OPERATIONS: { readonly [Id in keyof Operations]: { readonly method: string; readonly path: string; readonly inPath: readonly string[]; readonly inQuery: readonly string[]; readonly isBytes: boolean } } = {
  ActionsDisableWorkflow: { method: 'PUT', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable', inPath: ["owner","repo","workflow_id"], inQuery: [], isBytes: false },
  ActionsDispatchWorkflow: { method: 'POST', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches', inPath: ["owner","repo","workflow_id"], inQuery: ["return_run_details"], isBytes: false },
  ActionsEnableWorkflow: { method: 'PUT', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable', inPath: ["owner","repo","workflow_id"], inQuery: [], isBytes: false },
  ActionsGetWorkflow: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}', inPath: ["owner","repo","workflow_id"], inQuery: [], isBytes: false },
  ActionsListRepositoryWorkflows: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  ActionsListWorkflowRuns: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs', inPath: ["owner","repo","workflow_id"], inQuery: ["page","limit","event","branch","status","actor","head_sha","exclude_pull_requests"], isBytes: false },
  GetAnnotatedTag: { method: 'GET', path: '/repos/{owner}/{repo}/git/tags/{sha}', inPath: ["owner","repo","sha"], inQuery: [], isBytes: false },
  GetBlob: { method: 'GET', path: '/repos/{owner}/{repo}/git/blobs/{sha}', inPath: ["owner","repo","sha"], inQuery: [], isBytes: false },
  GetTree: { method: 'GET', path: '/repos/{owner}/{repo}/git/trees/{sha}', inPath: ["owner","repo","sha"], inQuery: ["recursive","page","per_page"], isBytes: false },
  GetWorkflowRun: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  ListActionTasks: { method: 'GET', path: '/repos/{owner}/{repo}/actions/tasks', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  acceptRepoTransfer: { method: 'POST', path: '/repos/{owner}/{repo}/transfer/accept', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  adminAddUserBadges: { method: 'POST', path: '/admin/users/{username}/badges', inPath: ["username"], inQuery: [], isBytes: false },
  adminAdoptRepository: { method: 'POST', path: '/admin/unadopted/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  adminAssignImportedAuthor: { method: 'PUT', path: '/admin/imported-authors/{host_id}/{author_id}', inPath: ["host_id","author_id"], inQuery: [], isBytes: false },
  adminCloseReport: { method: 'POST', path: '/admin/reports/{id}/close', inPath: ["id"], inQuery: [], isBytes: false },
  adminConfirmAuthenticationSourceCheck: { method: 'POST', path: '/admin/auths/{id}/confirm', inPath: ["id"], inQuery: [], isBytes: false },
  adminCreateAuthenticationSource: { method: 'POST', path: '/admin/auths', inPath: [], inQuery: [], isBytes: false },
  adminCreateHook: { method: 'POST', path: '/admin/hooks', inPath: [], inQuery: [], isBytes: false },
  adminCreateOrg: { method: 'POST', path: '/admin/users/{username}/orgs', inPath: ["username"], inQuery: [], isBytes: false },
  adminCreatePublicKey: { method: 'POST', path: '/admin/users/{username}/keys', inPath: ["username"], inQuery: [], isBytes: false },
  adminCreateRepo: { method: 'POST', path: '/admin/users/{username}/repos', inPath: ["username"], inQuery: [], isBytes: false },
  adminCreateRunnerRegistrationToken: { method: 'POST', path: '/admin/actions/runners/registration-token', inPath: [], inQuery: [], isBytes: false },
  adminCreateScimToken: { method: 'POST', path: '/admin/auths/{id}/scim_tokens', inPath: ["id"], inQuery: [], isBytes: false },
  adminCreateUser: { method: 'POST', path: '/admin/users', inPath: [], inQuery: [], isBytes: false },
  adminCronList: { method: 'GET', path: '/admin/cron', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminCronRun: { method: 'POST', path: '/admin/cron/{task}', inPath: ["task"], inQuery: [], isBytes: false },
  adminDeleteAuthenticationSource: { method: 'DELETE', path: '/admin/auths/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminDeleteHook: { method: 'DELETE', path: '/admin/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminDeleteScimToken: { method: 'DELETE', path: '/admin/auths/{id}/scim_tokens/{token}', inPath: ["id","token"], inQuery: [], isBytes: false },
  adminDeleteUnadoptedRepository: { method: 'DELETE', path: '/admin/unadopted/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  adminDeleteUser: { method: 'DELETE', path: '/admin/users/{username}', inPath: ["username"], inQuery: ["purge"], isBytes: false },
  adminDeleteUserBadges: { method: 'DELETE', path: '/admin/users/{username}/badges', inPath: ["username"], inQuery: [], isBytes: false },
  adminDeleteUserPublicKey: { method: 'DELETE', path: '/admin/users/{username}/keys/{id}', inPath: ["username","id"], inQuery: [], isBytes: false },
  adminEditAuthenticationSource: { method: 'PATCH', path: '/admin/auths/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminEditHook: { method: 'PATCH', path: '/admin/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminEditUser: { method: 'PATCH', path: '/admin/users/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  adminEndQuarantine: { method: 'DELETE', path: '/admin/quarantine/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  adminEndUserSessions: { method: 'DELETE', path: '/admin/users/{username}/sessions', inPath: ["username"], inQuery: [], isBytes: false },
  adminGetAllEmails: { method: 'GET', path: '/admin/emails', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminGetAllOrgs: { method: 'GET', path: '/admin/orgs', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminGetAuthenticationSource: { method: 'GET', path: '/admin/auths/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminGetHook: { method: 'GET', path: '/admin/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  adminGetHookDelivery: { method: 'GET', path: '/admin/hooks/{id}/deliveries/{delivery}', inPath: ["id","delivery"], inQuery: [], isBytes: false },
  adminLiftSuspension: { method: 'DELETE', path: '/admin/users/{username}/suspension', inPath: ["username"], inQuery: [], isBytes: false },
  adminListAudit: { method: 'GET', path: '/admin/audit', inPath: [], inQuery: ["operation","outcome","account_id","repository_id","since","until","before_id","limit"], isBytes: false },
  adminListAuthenticationSourceMappings: { method: 'GET', path: '/admin/auths/{id}/mappings', inPath: ["id"], inQuery: [], isBytes: false },
  adminListAuthenticationSources: { method: 'GET', path: '/admin/auths', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminListDeletedRepositories: { method: 'GET', path: '/admin/deleted-repositories', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminListHookDeliveries: { method: 'GET', path: '/admin/hooks/{id}/deliveries', inPath: ["id"], inQuery: ["page","limit"], isBytes: false },
  adminListHooks: { method: 'GET', path: '/admin/hooks', inPath: [], inQuery: ["type","page","limit"], isBytes: false },
  adminListImportedAuthors: { method: 'GET', path: '/admin/imported-authors', inPath: [], inQuery: ["page","limit","host","name","assigned"], isBytes: false },
  adminListPackages: { method: 'GET', path: '/admin/packages', inPath: [], inQuery: ["page","limit","type","q"], isBytes: false },
  adminListQuarantined: { method: 'GET', path: '/admin/quarantine', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminListReports: { method: 'GET', path: '/admin/reports', inPath: [], inQuery: ["closed","page","limit"], isBytes: false },
  adminListScimTokens: { method: 'GET', path: '/admin/auths/{id}/scim_tokens', inPath: ["id"], inQuery: [], isBytes: false },
  adminListSuspensions: { method: 'GET', path: '/admin/suspensions', inPath: [], inQuery: ["page","limit"], isBytes: false },
  adminListUserBadges: { method: 'GET', path: '/admin/users/{username}/badges', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  adminQuarantineRepository: { method: 'PUT', path: '/admin/quarantine/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  adminRedeliverHook: { method: 'POST', path: '/admin/hooks/{id}/deliveries/{delivery}/attempts', inPath: ["id","delivery"], inQuery: [], isBytes: false },
  adminReleaseImportedAuthor: { method: 'DELETE', path: '/admin/imported-authors/{host_id}/{author_id}', inPath: ["host_id","author_id"], inQuery: [], isBytes: false },
  adminRenameUser: { method: 'POST', path: '/admin/users/{username}/rename', inPath: ["username"], inQuery: [], isBytes: false },
  adminReplaceAuthenticationSourceMappings: { method: 'PUT', path: '/admin/auths/{id}/mappings', inPath: ["id"], inQuery: [], isBytes: false },
  adminSearchEmails: { method: 'GET', path: '/admin/emails/search', inPath: [], inQuery: ["q","page","limit"], isBytes: false },
  adminSearchUsers: { method: 'GET', path: '/admin/users', inPath: [], inQuery: ["q","source_id","login_name","visibility","is_active","is_admin","is_restricted","is_2fa_enabled","is_prohibit_login","sort","order","page","limit"], isBytes: false },
  adminSuspendAccount: { method: 'PUT', path: '/admin/users/{username}/suspension', inPath: ["username"], inQuery: [], isBytes: false },
  adminUnadoptedList: { method: 'GET', path: '/admin/unadopted', inPath: [], inQuery: ["page","limit","pattern"], isBytes: false },
  adminUndeleteRepository: { method: 'POST', path: '/admin/deleted-repositories/{id}/undelete', inPath: ["id"], inQuery: [], isBytes: false },
  approveWorkflowRun: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/approve', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  cancelWorkflowRun: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/cancel', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  createCurrentUserRepo: { method: 'POST', path: '/user/repos', inPath: [], inQuery: [], isBytes: false },
  createFork: { method: 'POST', path: '/repos/{owner}/{repo}/forks', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  createNarrowedToken: { method: 'POST', path: '/token/narrowed', inPath: [], inQuery: [], isBytes: false },
  createOrgRepo: { method: 'POST', path: '/orgs/{org}/repos', inPath: ["org"], inQuery: [], isBytes: false },
  createOrgRepoDeprecated: { method: 'POST', path: '/org/{org}/repos', inPath: ["org"], inQuery: [], isBytes: false },
  createOrgVariable: { method: 'POST', path: '/orgs/{org}/actions/variables/{variablename}', inPath: ["org","variablename"], inQuery: [], isBytes: false },
  createRepoVariable: { method: 'POST', path: '/repos/{owner}/{repo}/actions/variables/{variablename}', inPath: ["owner","repo","variablename"], inQuery: [], isBytes: false },
  createUserVariable: { method: 'POST', path: '/user/actions/variables/{variablename}', inPath: ["variablename"], inQuery: [], isBytes: false },
  deleteActionRun: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/runs/{run}', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  deleteAdminRunner: { method: 'DELETE', path: '/admin/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  deleteArtifact: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}', inPath: ["owner","repo","artifact_id"], inQuery: [], isBytes: false },
  deleteCurrentToken: { method: 'DELETE', path: '/token', inPath: [], inQuery: [], isBytes: false },
  deleteOrgRunner: { method: 'DELETE', path: '/orgs/{org}/actions/runners/{runner_id}', inPath: ["org","runner_id"], inQuery: [], isBytes: false },
  deleteOrgSecret: { method: 'DELETE', path: '/orgs/{org}/actions/secrets/{secretname}', inPath: ["org","secretname"], inQuery: [], isBytes: false },
  deleteOrgVariable: { method: 'DELETE', path: '/orgs/{org}/actions/variables/{variablename}', inPath: ["org","variablename"], inQuery: [], isBytes: false },
  deletePackage: { method: 'DELETE', path: '/packages/{owner}/{type}/{name}', inPath: ["owner","type","name"], inQuery: [], isBytes: false },
  deletePackageVersion: { method: 'DELETE', path: '/packages/{owner}/{type}/{name}/{version}', inPath: ["owner","type","name","version"], inQuery: [], isBytes: false },
  deleteRepoRunner: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/runners/{runner_id}', inPath: ["owner","repo","runner_id"], inQuery: [], isBytes: false },
  deleteRepoSecret: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/secrets/{secretname}', inPath: ["owner","repo","secretname"], inQuery: [], isBytes: false },
  deleteRepoVariable: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/variables/{variablename}', inPath: ["owner","repo","variablename"], inQuery: [], isBytes: false },
  deleteUserRunner: { method: 'DELETE', path: '/user/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  deleteUserSecret: { method: 'DELETE', path: '/user/actions/secrets/{secretname}', inPath: ["secretname"], inQuery: [], isBytes: false },
  deleteUserVariable: { method: 'DELETE', path: '/user/actions/variables/{variablename}', inPath: ["variablename"], inQuery: [], isBytes: false },
  downloadActionsRunJobLogs: { method: 'GET', path: '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs', inPath: ["owner","repo","job_id"], inQuery: [], isBytes: true },
  downloadArtifact: { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip', inPath: ["owner","repo","artifact_id"], inQuery: [], isBytes: false },
  forceCancelWorkflowRun: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/force-cancel', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  generateRepo: { method: 'POST', path: '/repos/{template_owner}/{template_repo}/generate', inPath: ["template_owner","template_repo"], inQuery: [], isBytes: false },
  getAdminRunner: { method: 'GET', path: '/admin/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  getAdminRunners: { method: 'GET', path: '/admin/actions/runners', inPath: [], inQuery: ["disabled","page","limit"], isBytes: false },
  getArtifact: { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}', inPath: ["owner","repo","artifact_id"], inQuery: [], isBytes: false },
  getArtifacts: { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts', inPath: ["owner","repo"], inQuery: ["page","limit","name"], isBytes: false },
  getArtifactsOfRun: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/artifacts', inPath: ["owner","repo","run"], inQuery: ["page","limit","name"], isBytes: false },
  getCurrentToken: { method: 'GET', path: '/token', inPath: [], inQuery: [], isBytes: false },
  getGeneralAPISettings: { method: 'GET', path: '/settings/api', inPath: [], inQuery: [], isBytes: false },
  getGeneralAttachmentSettings: { method: 'GET', path: '/settings/attachment', inPath: [], inQuery: [], isBytes: false },
  getGeneralRepositorySettings: { method: 'GET', path: '/settings/repository', inPath: [], inQuery: [], isBytes: false },
  getGeneralUISettings: { method: 'GET', path: '/settings/ui', inPath: [], inQuery: [], isBytes: false },
  getGitignoreTemplateInfo: { method: 'GET', path: '/gitignore/templates/{name}', inPath: ["name"], inQuery: [], isBytes: false },
  getLabelTemplateInfo: { method: 'GET', path: '/label/templates/{name}', inPath: ["name"], inQuery: [], isBytes: false },
  getLatestPackageVersion: { method: 'GET', path: '/packages/{owner}/{type}/{name}/-/latest', inPath: ["owner","type","name"], inQuery: [], isBytes: false },
  getLicenseTemplateInfo: { method: 'GET', path: '/licenses/{name}', inPath: ["name"], inQuery: [], isBytes: false },
  getNotificationSettings: { method: 'GET', path: '/user/settings/notifications', inPath: [], inQuery: [], isBytes: false },
  getOrgRunner: { method: 'GET', path: '/orgs/{org}/actions/runners/{runner_id}', inPath: ["org","runner_id"], inQuery: [], isBytes: false },
  getOrgRunners: { method: 'GET', path: '/orgs/{org}/actions/runners', inPath: ["org"], inQuery: ["disabled","page","limit"], isBytes: false },
  getOrgVariable: { method: 'GET', path: '/orgs/{org}/actions/variables/{variablename}', inPath: ["org","variablename"], inQuery: [], isBytes: false },
  getOrgVariablesList: { method: 'GET', path: '/orgs/{org}/actions/variables', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  getOrgWorkflowJobs: { method: 'GET', path: '/orgs/{org}/actions/jobs', inPath: ["org"], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  getOrgWorkflowRuns: { method: 'GET', path: '/orgs/{org}/actions/runs', inPath: ["org"], inQuery: ["page","limit","event","branch","status","actor","head_sha","exclude_pull_requests"], isBytes: false },
  getPackage: { method: 'GET', path: '/packages/{owner}/{type}/{name}/{version}', inPath: ["owner","type","name","version"], inQuery: [], isBytes: false },
  getRepoRunner: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runners/{runner_id}', inPath: ["owner","repo","runner_id"], inQuery: [], isBytes: false },
  getRepoRunners: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runners', inPath: ["owner","repo"], inQuery: ["disabled","page","limit"], isBytes: false },
  getRepoVariable: { method: 'GET', path: '/repos/{owner}/{repo}/actions/variables/{variablename}', inPath: ["owner","repo","variablename"], inQuery: [], isBytes: false },
  getRepoVariablesList: { method: 'GET', path: '/repos/{owner}/{repo}/actions/variables', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  getSigningKey: { method: 'GET', path: '/signing-key.gpg', inPath: [], inQuery: [], isBytes: false },
  getSigningKeySSH: { method: 'GET', path: '/signing-key.pub', inPath: [], inQuery: [], isBytes: false },
  getUserRunner: { method: 'GET', path: '/user/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  getUserRunners: { method: 'GET', path: '/user/actions/runners', inPath: [], inQuery: ["disabled","page","limit"], isBytes: false },
  getUserSettings: { method: 'GET', path: '/user/settings', inPath: [], inQuery: [], isBytes: false },
  getUserVariable: { method: 'GET', path: '/user/actions/variables/{variablename}', inPath: ["variablename"], inQuery: [], isBytes: false },
  getUserVariablesList: { method: 'GET', path: '/user/actions/variables', inPath: [], inQuery: ["page","limit"], isBytes: false },
  getUserWorkflowJobs: { method: 'GET', path: '/user/actions/jobs', inPath: [], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  getUserWorkflowRuns: { method: 'GET', path: '/user/actions/runs', inPath: [], inQuery: ["page","limit","event","branch","status","actor","head_sha","exclude_pull_requests"], isBytes: false },
  getVerificationToken: { method: 'GET', path: '/user/gpg_key_token', inPath: [], inQuery: [], isBytes: false },
  getVersion: { method: 'GET', path: '/version', inPath: [], inQuery: [], isBytes: false },
  getWorkflowJob: { method: 'GET', path: '/repos/{owner}/{repo}/actions/jobs/{job_id}', inPath: ["owner","repo","job_id"], inQuery: [], isBytes: false },
  getWorkflowRunAttempt: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}', inPath: ["owner","repo","run","attempt"], inQuery: [], isBytes: false },
  getWorkflowRunLogs: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/logs', inPath: ["owner","repo","run"], inQuery: [], isBytes: true },
  getWorkflowRuns: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs', inPath: ["owner","repo"], inQuery: ["page","limit","event","branch","status","actor","head_sha","exclude_pull_requests"], isBytes: false },
  issueAddAssignees: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/assignees', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueAddLabel: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/labels', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueAddSubscription: { method: 'PUT', path: '/repos/{owner}/{repo}/issues/{index}/subscriptions/{user}', inPath: ["owner","repo","index","user"], inQuery: [], isBytes: false },
  issueAddTime: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/times', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueCheckAssignee: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/assignees/{assignee}', inPath: ["owner","repo","index","assignee"], inQuery: [], isBytes: false },
  issueCheckSubscription: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/subscriptions/check', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueClearLabels: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/labels', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueCreateComment: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/comments', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueCreateIssue: { method: 'POST', path: '/repos/{owner}/{repo}/issues', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  issueCreateIssueAttachment: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/assets', inPath: ["owner","repo","index"], inQuery: ["name"], isBytes: false },
  issueCreateIssueBlocking: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/blocks', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueCreateIssueCommentAttachment: { method: 'POST', path: '/repos/{owner}/{repo}/issues/comments/{id}/assets', inPath: ["owner","repo","id"], inQuery: ["name"], isBytes: false },
  issueCreateIssueDependencies: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/dependencies', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueCreateLabel: { method: 'POST', path: '/repos/{owner}/{repo}/labels', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  issueCreateMilestone: { method: 'POST', path: '/repos/{owner}/{repo}/milestones', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  issueDelete: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueDeleteComment: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/comments/{id}', inPath: ["owner","repo","id","index"], inQuery: [], isBytes: false },
  issueDeleteCommentDeprecated: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/comments/{id}', inPath: ["owner","repo","id","index"], inQuery: [], isBytes: false },
  issueDeleteCommentReaction: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/comments/{id}/reactions', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueDeleteIssueAttachment: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}', inPath: ["owner","repo","index","attachment_id"], inQuery: [], isBytes: false },
  issueDeleteIssueCommentAttachment: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  issueDeleteIssueReaction: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/reactions', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueDeleteLabel: { method: 'DELETE', path: '/repos/{owner}/{repo}/labels/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueDeleteMilestone: { method: 'DELETE', path: '/repos/{owner}/{repo}/milestones/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueDeleteStopWatch: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/stopwatch/delete', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueDeleteSubscription: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/subscriptions/{user}', inPath: ["owner","repo","index","user"], inQuery: [], isBytes: false },
  issueDeleteTime: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/times/{id}', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  issueEditComment: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/comments/{id}', inPath: ["owner","repo","id","index"], inQuery: [], isBytes: false },
  issueEditCommentDeprecated: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{index}/comments/{id}', inPath: ["owner","repo","id","index"], inQuery: [], isBytes: false },
  issueEditIssue: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{index}', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueEditIssueAttachment: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}', inPath: ["owner","repo","index","attachment_id"], inQuery: [], isBytes: false },
  issueEditIssueCommentAttachment: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  issueEditIssueDeadline: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/deadline', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueEditLabel: { method: 'PATCH', path: '/repos/{owner}/{repo}/labels/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueEditMilestone: { method: 'PATCH', path: '/repos/{owner}/{repo}/milestones/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueGetComment: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueGetCommentReactions: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments/{id}/reactions', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueGetComments: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/comments', inPath: ["owner","repo","index"], inQuery: ["since","before"], isBytes: false },
  issueGetCommentsAndTimeline: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/timeline', inPath: ["owner","repo","index"], inQuery: ["page","limit","since","before"], isBytes: false },
  issueGetIssue: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueGetIssueAttachment: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}', inPath: ["owner","repo","index","attachment_id"], inQuery: [], isBytes: false },
  issueGetIssueCommentAttachment: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  issueGetIssueReactions: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/reactions', inPath: ["owner","repo","index"], inQuery: ["page","limit"], isBytes: false },
  issueGetLabel: { method: 'GET', path: '/repos/{owner}/{repo}/labels/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueGetLabels: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/labels', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueGetMilestone: { method: 'GET', path: '/repos/{owner}/{repo}/milestones/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueGetMilestonesList: { method: 'GET', path: '/repos/{owner}/{repo}/milestones', inPath: ["owner","repo"], inQuery: ["page","limit","state","name"], isBytes: false },
  issueGetRepoComments: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments', inPath: ["owner","repo"], inQuery: ["page","limit","since","before"], isBytes: false },
  issueListBlocks: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/blocks', inPath: ["owner","repo","index"], inQuery: ["page","limit"], isBytes: false },
  issueListIssueAttachments: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/assets', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueListIssueCommentAttachments: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments/{id}/assets', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issueListIssueDependencies: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/dependencies', inPath: ["owner","repo","index"], inQuery: ["page","limit"], isBytes: false },
  issueListIssues: { method: 'GET', path: '/repos/{owner}/{repo}/issues', inPath: ["owner","repo"], inQuery: ["page","limit","state","type","labels","milestones","q","since","before","created_by","assigned_by","mentioned_by"], isBytes: false },
  issueListLabels: { method: 'GET', path: '/repos/{owner}/{repo}/labels', inPath: ["owner","repo"], inQuery: ["page","limit","sort"], isBytes: false },
  issueLockIssue: { method: 'PUT', path: '/repos/{owner}/{repo}/issues/{index}/lock', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issuePostCommentReaction: { method: 'POST', path: '/repos/{owner}/{repo}/issues/comments/{id}/reactions', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  issuePostIssueReaction: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/reactions', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueRemoveAssignees: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/assignees', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueRemoveIssueBlocking: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/blocks', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueRemoveIssueDependencies: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/dependencies', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueRemoveLabel: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/labels/{id}', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  issueReplaceLabels: { method: 'PUT', path: '/repos/{owner}/{repo}/issues/{index}/labels', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueResetTime: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/times', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueSearchIssues: { method: 'GET', path: '/repos/issues/search', inPath: [], inQuery: ["page","limit","state","type","labels","milestones","q","since","before","assigned","created","mentioned","review_requested","reviewed","owner","created_by","team"], isBytes: false },
  issueStartStopWatch: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/stopwatch/start', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueStopStopWatch: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/stopwatch/stop', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  issueSubscriptions: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/subscriptions', inPath: ["owner","repo","index"], inQuery: ["page","limit"], isBytes: false },
  issueTrackedTimes: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{index}/times', inPath: ["owner","repo","index"], inQuery: ["page","limit","since","before","user"], isBytes: false },
  issueUnlockIssue: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/lock', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  linkPackage: { method: 'POST', path: '/packages/{owner}/{type}/{name}/-/link/{repo_name}', inPath: ["owner","type","name","repo_name"], inQuery: [], isBytes: false },
  listAdminWorkflowJobs: { method: 'GET', path: '/admin/actions/jobs', inPath: [], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  listAdminWorkflowRuns: { method: 'GET', path: '/admin/actions/runs', inPath: [], inQuery: ["page","limit","event","branch","status","actor","head_sha","exclude_pull_requests"], isBytes: false },
  listForks: { method: 'GET', path: '/repos/{owner}/{repo}/forks', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  listGitignoresTemplates: { method: 'GET', path: '/gitignore/templates', inPath: [], inQuery: [], isBytes: false },
  listLabelTemplates: { method: 'GET', path: '/label/templates', inPath: [], inQuery: [], isBytes: false },
  listLicenseTemplates: { method: 'GET', path: '/licenses', inPath: [], inQuery: [], isBytes: false },
  listPackageFiles: { method: 'GET', path: '/packages/{owner}/{type}/{name}/{version}/files', inPath: ["owner","type","name","version"], inQuery: [], isBytes: false },
  listPackageVersions: { method: 'GET', path: '/packages/{owner}/{type}/{name}', inPath: ["owner","type","name"], inQuery: ["page","limit"], isBytes: false },
  listPackages: { method: 'GET', path: '/packages/{owner}', inPath: ["owner"], inQuery: ["page","limit","type","q"], isBytes: false },
  listWorkflowJobs: { method: 'GET', path: '/repos/{owner}/{repo}/actions/jobs', inPath: ["owner","repo"], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  listWorkflowRunAttemptJobs: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/jobs', inPath: ["owner","repo","run","attempt"], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  listWorkflowRunJobs: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/jobs', inPath: ["owner","repo","run"], inQuery: ["page","limit","status","sort","order"], isBytes: false },
  moveIssuePin: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{index}/pin/{position}', inPath: ["owner","repo","index","position"], inQuery: [], isBytes: false },
  notifyGetList: { method: 'GET', path: '/notifications', inPath: [], inQuery: ["page","limit","all","status-types","subject-type","since","before"], isBytes: false },
  notifyGetRepoList: { method: 'GET', path: '/repos/{owner}/{repo}/notifications', inPath: ["owner","repo"], inQuery: ["page","limit","all","status-types","subject-type","since","before"], isBytes: false },
  notifyGetThread: { method: 'GET', path: '/notifications/threads/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  notifyNewAvailable: { method: 'GET', path: '/notifications/new', inPath: [], inQuery: [], isBytes: false },
  notifyReadList: { method: 'PUT', path: '/notifications', inPath: [], inQuery: ["last_read_at","all","status-types","to-status"], isBytes: false },
  notifyReadRepoList: { method: 'PUT', path: '/repos/{owner}/{repo}/notifications', inPath: ["owner","repo"], inQuery: ["last_read_at","all","status-types","to-status"], isBytes: false },
  notifyReadThread: { method: 'PATCH', path: '/notifications/threads/{id}', inPath: ["id"], inQuery: ["to-status"], isBytes: false },
  orgAddIssueToProjectColumn: { method: 'POST', path: '/orgs/{org}/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["org","id","column_id","issue_id"], inQuery: [], isBytes: false },
  orgAddTeamMember: { method: 'PUT', path: '/teams/{id}/members/{username}', inPath: ["id","username"], inQuery: [], isBytes: false },
  orgAddTeamRepository: { method: 'PUT', path: '/teams/{id}/repos/{org}/{repo}', inPath: ["id","org","repo"], inQuery: [], isBytes: false },
  orgConcealMember: { method: 'DELETE', path: '/orgs/{org}/public_members/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgCreate: { method: 'POST', path: '/orgs', inPath: [], inQuery: [], isBytes: false },
  orgCreateHook: { method: 'POST', path: '/orgs/{org}/hooks', inPath: ["org"], inQuery: [], isBytes: false },
  orgCreateLabel: { method: 'POST', path: '/orgs/{org}/labels', inPath: ["org"], inQuery: [], isBytes: false },
  orgCreateProject: { method: 'POST', path: '/orgs/{org}/projects', inPath: ["org"], inQuery: [], isBytes: false },
  orgCreateProjectColumn: { method: 'POST', path: '/orgs/{org}/projects/{id}/columns', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgCreateRunnerRegistrationToken: { method: 'POST', path: '/orgs/{org}/actions/runners/registration-token', inPath: ["org"], inQuery: [], isBytes: false },
  orgCreateServiceAccount: { method: 'POST', path: '/orgs/{org}/service_accounts', inPath: ["org"], inQuery: [], isBytes: false },
  orgCreateTeam: { method: 'POST', path: '/orgs/{org}/teams', inPath: ["org"], inQuery: [], isBytes: false },
  orgDelete: { method: 'DELETE', path: '/orgs/{org}', inPath: ["org"], inQuery: [], isBytes: false },
  orgDeleteAvatar: { method: 'DELETE', path: '/orgs/{org}/avatar', inPath: ["org"], inQuery: [], isBytes: false },
  orgDeleteHook: { method: 'DELETE', path: '/orgs/{org}/hooks/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgDeleteLabel: { method: 'DELETE', path: '/orgs/{org}/labels/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgDeleteMember: { method: 'DELETE', path: '/orgs/{org}/members/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgDeleteProject: { method: 'DELETE', path: '/orgs/{org}/projects/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgDeleteProjectColumn: { method: 'DELETE', path: '/orgs/{org}/projects/{id}/columns/{column_id}', inPath: ["org","id","column_id"], inQuery: [], isBytes: false },
  orgDeleteRepos: { method: 'DELETE', path: '/orgs/{org}/repos', inPath: ["org"], inQuery: [], isBytes: false },
  orgDeleteServiceAccount: { method: 'DELETE', path: '/orgs/{org}/service_accounts/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgDeleteTeam: { method: 'DELETE', path: '/teams/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  orgEdit: { method: 'PATCH', path: '/orgs/{org}', inPath: ["org"], inQuery: [], isBytes: false },
  orgEditHook: { method: 'PATCH', path: '/orgs/{org}/hooks/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgEditLabel: { method: 'PATCH', path: '/orgs/{org}/labels/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgEditProject: { method: 'PATCH', path: '/orgs/{org}/projects/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgEditProjectColumn: { method: 'PATCH', path: '/orgs/{org}/projects/{id}/columns/{column_id}', inPath: ["org","id","column_id"], inQuery: [], isBytes: false },
  orgEditTeam: { method: 'PATCH', path: '/teams/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  orgGet: { method: 'GET', path: '/orgs/{org}', inPath: ["org"], inQuery: [], isBytes: false },
  orgGetAll: { method: 'GET', path: '/orgs', inPath: [], inQuery: ["page","limit"], isBytes: false },
  orgGetHook: { method: 'GET', path: '/orgs/{org}/hooks/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgGetHookDelivery: { method: 'GET', path: '/orgs/{org}/hooks/{id}/deliveries/{delivery}', inPath: ["org","id","delivery"], inQuery: [], isBytes: false },
  orgGetLabel: { method: 'GET', path: '/orgs/{org}/labels/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgGetProject: { method: 'GET', path: '/orgs/{org}/projects/{id}', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgGetProjectColumn: { method: 'GET', path: '/orgs/{org}/projects/{id}/columns/{column_id}', inPath: ["org","id","column_id"], inQuery: [], isBytes: false },
  orgGetTeam: { method: 'GET', path: '/teams/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  orgGetUserPermissions: { method: 'GET', path: '/users/{username}/orgs/{org}/permissions', inPath: ["username","org"], inQuery: [], isBytes: false },
  orgIsMember: { method: 'GET', path: '/orgs/{org}/members/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgIsPublicMember: { method: 'GET', path: '/orgs/{org}/public_members/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgListActionsSecrets: { method: 'GET', path: '/orgs/{org}/actions/secrets', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListActivityFeeds: { method: 'GET', path: '/orgs/{org}/activities/feeds', inPath: ["org"], inQuery: ["date","page","limit"], isBytes: false },
  orgListAudit: { method: 'GET', path: '/orgs/{org}/audit', inPath: ["org"], inQuery: ["operation","outcome","account_id","repository_id","since","until","before_id","limit"], isBytes: false },
  orgListCurrentUserOrgs: { method: 'GET', path: '/user/orgs', inPath: [], inQuery: ["page","limit"], isBytes: false },
  orgListHookDeliveries: { method: 'GET', path: '/orgs/{org}/hooks/{id}/deliveries', inPath: ["org","id"], inQuery: ["page","limit"], isBytes: false },
  orgListHooks: { method: 'GET', path: '/orgs/{org}/hooks', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListLabels: { method: 'GET', path: '/orgs/{org}/labels', inPath: ["org"], inQuery: ["page","limit","sort"], isBytes: false },
  orgListMembers: { method: 'GET', path: '/orgs/{org}/members', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListProjectColumnIssues: { method: 'GET', path: '/orgs/{org}/projects/{id}/columns/{column_id}/issues', inPath: ["org","id","column_id"], inQuery: ["page","limit"], isBytes: false },
  orgListProjectColumns: { method: 'GET', path: '/orgs/{org}/projects/{id}/columns', inPath: ["org","id"], inQuery: ["page","limit"], isBytes: false },
  orgListProjects: { method: 'GET', path: '/orgs/{org}/projects', inPath: ["org"], inQuery: ["page","limit","state"], isBytes: false },
  orgListPublicMembers: { method: 'GET', path: '/orgs/{org}/public_members', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListRepos: { method: 'GET', path: '/orgs/{org}/repos', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListServiceAccounts: { method: 'GET', path: '/orgs/{org}/service_accounts', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListTeamActivityFeeds: { method: 'GET', path: '/teams/{id}/activities/feeds', inPath: ["id"], inQuery: ["date","page","limit"], isBytes: false },
  orgListTeamMember: { method: 'GET', path: '/teams/{id}/members/{username}', inPath: ["id","username"], inQuery: [], isBytes: false },
  orgListTeamMembers: { method: 'GET', path: '/teams/{id}/members', inPath: ["id"], inQuery: ["page","limit"], isBytes: false },
  orgListTeamRepo: { method: 'GET', path: '/teams/{id}/repos/{org}/{repo}', inPath: ["id","org","repo"], inQuery: [], isBytes: false },
  orgListTeamRepos: { method: 'GET', path: '/teams/{id}/repos', inPath: ["id"], inQuery: ["page","limit"], isBytes: false },
  orgListTeams: { method: 'GET', path: '/orgs/{org}/teams', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  orgListUserOrgs: { method: 'GET', path: '/users/{username}/orgs', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  orgMoveProjectColumns: { method: 'POST', path: '/orgs/{org}/projects/{id}/columns/move', inPath: ["org","id"], inQuery: [], isBytes: false },
  orgMoveProjectIssue: { method: 'POST', path: '/orgs/{org}/projects/{id}/issues/{issue_id}/move', inPath: ["org","id","issue_id"], inQuery: [], isBytes: false },
  orgPublicizeMember: { method: 'PUT', path: '/orgs/{org}/public_members/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  orgRedeliverHook: { method: 'POST', path: '/orgs/{org}/hooks/{id}/deliveries/{delivery}/attempts', inPath: ["org","id","delivery"], inQuery: [], isBytes: false },
  orgRemoveIssueFromProjectColumn: { method: 'DELETE', path: '/orgs/{org}/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["org","id","column_id","issue_id"], inQuery: [], isBytes: false },
  orgRemoveTeamMember: { method: 'DELETE', path: '/teams/{id}/members/{username}', inPath: ["id","username"], inQuery: [], isBytes: false },
  orgRemoveTeamRepository: { method: 'DELETE', path: '/teams/{id}/repos/{org}/{repo}', inPath: ["id","org","repo"], inQuery: [], isBytes: false },
  orgSetDefaultProjectColumn: { method: 'POST', path: '/orgs/{org}/projects/{id}/columns/{column_id}/default', inPath: ["org","id","column_id"], inQuery: [], isBytes: false },
  orgUpdateAvatar: { method: 'POST', path: '/orgs/{org}/avatar', inPath: ["org"], inQuery: [], isBytes: false },
  organizationBlockUser: { method: 'PUT', path: '/orgs/{org}/blocks/{username}', inPath: ["org","username"], inQuery: ["note"], isBytes: false },
  organizationCheckUserBlock: { method: 'GET', path: '/orgs/{org}/blocks/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  organizationListBlocks: { method: 'GET', path: '/orgs/{org}/blocks', inPath: ["org"], inQuery: ["page","limit"], isBytes: false },
  organizationUnblockUser: { method: 'DELETE', path: '/orgs/{org}/blocks/{username}', inPath: ["org","username"], inQuery: [], isBytes: false },
  pinIssue: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{index}/pin', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  rejectRepoTransfer: { method: 'POST', path: '/repos/{owner}/{repo}/transfer/reject', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  renameOrg: { method: 'POST', path: '/orgs/{org}/rename', inPath: ["org"], inQuery: [], isBytes: false },
  renderMarkdown: { method: 'POST', path: '/markdown', inPath: [], inQuery: [], isBytes: false },
  renderMarkdownRaw: { method: 'POST', path: '/markdown/raw', inPath: [], inQuery: [], isBytes: false },
  renderMarkup: { method: 'POST', path: '/markup', inPath: [], inQuery: [], isBytes: false },
  repoAddCollaborator: { method: 'PUT', path: '/repos/{owner}/{repo}/collaborators/{collaborator}', inPath: ["owner","repo","collaborator"], inQuery: [], isBytes: false },
  repoAddIssueToProjectColumn: { method: 'POST', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["owner","repo","id","column_id","issue_id"], inQuery: [], isBytes: false },
  repoAddPushMirror: { method: 'POST', path: '/repos/{owner}/{repo}/push_mirrors', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoAddTeam: { method: 'PUT', path: '/repos/{owner}/{repo}/teams/{team}', inPath: ["owner","repo","team"], inQuery: [], isBytes: false },
  repoAddTopic: { method: 'PUT', path: '/repos/{owner}/{repo}/topics/{topic}', inPath: ["owner","repo","topic"], inQuery: [], isBytes: false },
  repoApplyDiffPatch: { method: 'POST', path: '/repos/{owner}/{repo}/diffpatch', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCancelScheduledAutoMerge: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{index}/merge', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoChangeFiles: { method: 'POST', path: '/repos/{owner}/{repo}/contents', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCheckAssignee: { method: 'GET', path: '/repos/{owner}/{repo}/assignees/{assignee}', inPath: ["owner","repo","assignee"], inQuery: [], isBytes: false },
  repoCheckCollaborator: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators/{collaborator}', inPath: ["owner","repo","collaborator"], inQuery: [], isBytes: false },
  repoCheckTeam: { method: 'GET', path: '/repos/{owner}/{repo}/teams/{team}', inPath: ["owner","repo","team"], inQuery: [], isBytes: false },
  repoCompareDiff: { method: 'GET', path: '/repos/{owner}/{repo}/compare/{basehead}', inPath: ["owner","repo","basehead"], inQuery: ["output"], isBytes: false },
  repoComparePullVersions: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/versions/{base}/compare/{head}', inPath: ["owner","repo","index","base","head"], inQuery: [], isBytes: false },
  repoCreateBranch: { method: 'POST', path: '/repos/{owner}/{repo}/branches', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateBranchProtection: { method: 'POST', path: '/repos/{owner}/{repo}/branch_protections', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateDeployToken: { method: 'POST', path: '/repos/{owner}/{repo}/keys/tokens', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateFile: { method: 'POST', path: '/repos/{owner}/{repo}/contents/{filepath}', inPath: ["owner","repo","filepath"], inQuery: [], isBytes: false },
  repoCreateHook: { method: 'POST', path: '/repos/{owner}/{repo}/hooks', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateKey: { method: 'POST', path: '/repos/{owner}/{repo}/keys', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateProject: { method: 'POST', path: '/repos/{owner}/{repo}/projects', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateProjectColumn: { method: 'POST', path: '/repos/{owner}/{repo}/projects/{id}/columns', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoCreatePullRequest: { method: 'POST', path: '/repos/{owner}/{repo}/pulls', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreatePullReview: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/reviews', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoCreatePullReviewCommentReply: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoCreatePullReviewRequests: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/requested_reviewers', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoCreateRelease: { method: 'POST', path: '/repos/{owner}/{repo}/releases', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateReleaseAttachment: { method: 'POST', path: '/repos/{owner}/{repo}/releases/{id}/assets', inPath: ["owner","repo","id"], inQuery: ["name"], isBytes: false },
  repoCreateRunnerRegistrationToken: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runners/registration-token', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateStatus: { method: 'POST', path: '/repos/{owner}/{repo}/statuses/{sha}', inPath: ["owner","repo","sha"], inQuery: [], isBytes: false },
  repoCreateTag: { method: 'POST', path: '/repos/{owner}/{repo}/tags', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateTagProtection: { method: 'POST', path: '/repos/{owner}/{repo}/tag_protections', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoCreateWikiPage: { method: 'POST', path: '/repos/{owner}/{repo}/wiki/new', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoDelete: { method: 'DELETE', path: '/repos/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoDeleteAvatar: { method: 'DELETE', path: '/repos/{owner}/{repo}/avatar', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoDeleteBranch: { method: 'DELETE', path: '/repos/{owner}/{repo}/branches/{branch}', inPath: ["owner","repo","branch"], inQuery: [], isBytes: false },
  repoDeleteBranchProtection: { method: 'DELETE', path: '/repos/{owner}/{repo}/branch_protections/{name}', inPath: ["owner","repo","name"], inQuery: [], isBytes: false },
  repoDeleteCollaborator: { method: 'DELETE', path: '/repos/{owner}/{repo}/collaborators/{collaborator}', inPath: ["owner","repo","collaborator"], inQuery: [], isBytes: false },
  repoDeleteFile: { method: 'DELETE', path: '/repos/{owner}/{repo}/contents/{filepath}', inPath: ["owner","repo","filepath"], inQuery: [], isBytes: false },
  repoDeleteGitHook: { method: 'DELETE', path: '/repos/{owner}/{repo}/hooks/git/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteHook: { method: 'DELETE', path: '/repos/{owner}/{repo}/hooks/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteKey: { method: 'DELETE', path: '/repos/{owner}/{repo}/keys/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteProject: { method: 'DELETE', path: '/repos/{owner}/{repo}/projects/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteProjectColumn: { method: 'DELETE', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}', inPath: ["owner","repo","id","column_id"], inQuery: [], isBytes: false },
  repoDeletePullReview: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoDeletePullReviewRequests: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{index}/requested_reviewers', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoDeletePushMirror: { method: 'DELETE', path: '/repos/{owner}/{repo}/push_mirrors/{name}', inPath: ["owner","repo","name"], inQuery: [], isBytes: false },
  repoDeleteRelease: { method: 'DELETE', path: '/repos/{owner}/{repo}/releases/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteReleaseAttachment: { method: 'DELETE', path: '/repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  repoDeleteReleaseByTag: { method: 'DELETE', path: '/repos/{owner}/{repo}/releases/tags/{tag}', inPath: ["owner","repo","tag"], inQuery: [], isBytes: false },
  repoDeleteTag: { method: 'DELETE', path: '/repos/{owner}/{repo}/tags/{tag}', inPath: ["owner","repo","tag"], inQuery: [], isBytes: false },
  repoDeleteTagProtection: { method: 'DELETE', path: '/repos/{owner}/{repo}/tag_protections/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoDeleteTeam: { method: 'DELETE', path: '/repos/{owner}/{repo}/teams/{team}', inPath: ["owner","repo","team"], inQuery: [], isBytes: false },
  repoDeleteTopic: { method: 'DELETE', path: '/repos/{owner}/{repo}/topics/{topic}', inPath: ["owner","repo","topic"], inQuery: [], isBytes: false },
  repoDeleteWikiPage: { method: 'DELETE', path: '/repos/{owner}/{repo}/wiki/page/{pageName}', inPath: ["owner","repo","pageName"], inQuery: [], isBytes: false },
  repoDismissPullReview: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoDownloadCommitDiffOrPatch: { method: 'GET', path: '/repos/{owner}/{repo}/git/commits/{sha}.{diffType}', inPath: ["owner","repo","sha","diffType"], inQuery: [], isBytes: true },
  repoDownloadPullDiffOrPatch: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}.{diffType}', inPath: ["owner","repo","index","diffType"], inQuery: ["binary"], isBytes: true },
  repoEdit: { method: 'PATCH', path: '/repos/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoEditBranchProtection: { method: 'PATCH', path: '/repos/{owner}/{repo}/branch_protections/{name}', inPath: ["owner","repo","name"], inQuery: [], isBytes: false },
  repoEditGitHook: { method: 'PATCH', path: '/repos/{owner}/{repo}/hooks/git/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoEditHook: { method: 'PATCH', path: '/repos/{owner}/{repo}/hooks/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoEditProject: { method: 'PATCH', path: '/repos/{owner}/{repo}/projects/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoEditProjectColumn: { method: 'PATCH', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}', inPath: ["owner","repo","id","column_id"], inQuery: [], isBytes: false },
  repoEditPullRequest: { method: 'PATCH', path: '/repos/{owner}/{repo}/pulls/{index}', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoEditRelease: { method: 'PATCH', path: '/repos/{owner}/{repo}/releases/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoEditReleaseAttachment: { method: 'PATCH', path: '/repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  repoEditTagProtection: { method: 'PATCH', path: '/repos/{owner}/{repo}/tag_protections/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoEditWikiPage: { method: 'PATCH', path: '/repos/{owner}/{repo}/wiki/page/{pageName}', inPath: ["owner","repo","pageName"], inQuery: [], isBytes: false },
  repoGet: { method: 'GET', path: '/repos/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetAllCommits: { method: 'GET', path: '/repos/{owner}/{repo}/commits', inPath: ["owner","repo"], inQuery: ["sha","path","since","until","not","stat","verification","files","page","limit"], isBytes: false },
  repoGetArchive: { method: 'GET', path: '/repos/{owner}/{repo}/archive/{archive}', inPath: ["owner","repo","archive"], inQuery: ["path"], isBytes: true },
  repoGetAssignees: { method: 'GET', path: '/repos/{owner}/{repo}/assignees', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetBranch: { method: 'GET', path: '/repos/{owner}/{repo}/branches/{branch}', inPath: ["owner","repo","branch"], inQuery: [], isBytes: false },
  repoGetBranchProtection: { method: 'GET', path: '/repos/{owner}/{repo}/branch_protections/{name}', inPath: ["owner","repo","name"], inQuery: [], isBytes: false },
  repoGetByID: { method: 'GET', path: '/repositories/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  repoGetCombinedStatusByRef: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/status', inPath: ["owner","repo","ref"], inQuery: ["page","limit"], isBytes: false },
  repoGetCommitPullRequest: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{sha}/pull', inPath: ["owner","repo","sha"], inQuery: [], isBytes: false },
  repoGetContents: { method: 'GET', path: '/repos/{owner}/{repo}/contents/{filepath}', inPath: ["owner","repo","filepath"], inQuery: ["ref"], isBytes: false },
  repoGetContentsExt: { method: 'GET', path: '/repos/{owner}/{repo}/contents-ext/{filepath}', inPath: ["owner","repo","filepath"], inQuery: ["ref","includes"], isBytes: false },
  repoGetContentsList: { method: 'GET', path: '/repos/{owner}/{repo}/contents', inPath: ["owner","repo"], inQuery: ["ref"], isBytes: false },
  repoGetEditorConfig: { method: 'GET', path: '/repos/{owner}/{repo}/editorconfig/{filepath}', inPath: ["owner","repo","filepath"], inQuery: ["ref"], isBytes: false },
  repoGetFileContents: { method: 'GET', path: '/repos/{owner}/{repo}/file-contents', inPath: ["owner","repo"], inQuery: ["ref","body"], isBytes: false },
  repoGetFileContentsPost: { method: 'POST', path: '/repos/{owner}/{repo}/file-contents', inPath: ["owner","repo"], inQuery: ["ref"], isBytes: false },
  repoGetGitHook: { method: 'GET', path: '/repos/{owner}/{repo}/hooks/git/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetHook: { method: 'GET', path: '/repos/{owner}/{repo}/hooks/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetHookDelivery: { method: 'GET', path: '/repos/{owner}/{repo}/hooks/{id}/deliveries/{delivery}', inPath: ["owner","repo","id","delivery"], inQuery: [], isBytes: false },
  repoGetIssueConfig: { method: 'GET', path: '/repos/{owner}/{repo}/issue_config', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetIssueTemplates: { method: 'GET', path: '/repos/{owner}/{repo}/issue_templates', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetKey: { method: 'GET', path: '/repos/{owner}/{repo}/keys/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetLanguages: { method: 'GET', path: '/repos/{owner}/{repo}/languages', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetLatestRelease: { method: 'GET', path: '/repos/{owner}/{repo}/releases/latest', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetLicenses: { method: 'GET', path: '/repos/{owner}/{repo}/licenses', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetNote: { method: 'GET', path: '/repos/{owner}/{repo}/git/notes/{sha}', inPath: ["owner","repo","sha"], inQuery: ["verification","files"], isBytes: false },
  repoGetProject: { method: 'GET', path: '/repos/{owner}/{repo}/projects/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetProjectColumn: { method: 'GET', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}', inPath: ["owner","repo","id","column_id"], inQuery: [], isBytes: false },
  repoGetPullRequest: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoGetPullRequestByBaseHead: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{base}/{head}', inPath: ["owner","repo","base","head"], inQuery: [], isBytes: false },
  repoGetPullRequestCommits: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/commits', inPath: ["owner","repo","index"], inQuery: ["verification","files","page","limit"], isBytes: false },
  repoGetPullRequestFiles: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/files', inPath: ["owner","repo","index"], inQuery: ["skip-to","whitespace","page","limit"], isBytes: false },
  repoGetPullReview: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoGetPullReviewComments: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoGetPushMirrorByRemoteName: { method: 'GET', path: '/repos/{owner}/{repo}/push_mirrors/{name}', inPath: ["owner","repo","name"], inQuery: [], isBytes: false },
  repoGetRawFile: { method: 'GET', path: '/repos/{owner}/{repo}/raw/{filepath}', inPath: ["owner","repo","filepath"], inQuery: ["ref"], isBytes: true },
  repoGetRawFileOrLFS: { method: 'GET', path: '/repos/{owner}/{repo}/media/{filepath}', inPath: ["owner","repo","filepath"], inQuery: ["ref"], isBytes: true },
  repoGetRelease: { method: 'GET', path: '/repos/{owner}/{repo}/releases/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetReleaseAttachment: { method: 'GET', path: '/repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}', inPath: ["owner","repo","id","attachment_id"], inQuery: [], isBytes: false },
  repoGetReleaseByTag: { method: 'GET', path: '/repos/{owner}/{repo}/releases/tags/{tag}', inPath: ["owner","repo","tag"], inQuery: [], isBytes: false },
  repoGetRepoPermissions: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators/{collaborator}/permission', inPath: ["owner","repo","collaborator"], inQuery: [], isBytes: false },
  repoGetReviewers: { method: 'GET', path: '/repos/{owner}/{repo}/reviewers', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoGetSingleCommit: { method: 'GET', path: '/repos/{owner}/{repo}/git/commits/{sha}', inPath: ["owner","repo","sha"], inQuery: ["stat","verification","files"], isBytes: false },
  repoGetTag: { method: 'GET', path: '/repos/{owner}/{repo}/tags/{tag}', inPath: ["owner","repo","tag"], inQuery: [], isBytes: false },
  repoGetTagProtection: { method: 'GET', path: '/repos/{owner}/{repo}/tag_protections/{id}', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoGetWikiPage: { method: 'GET', path: '/repos/{owner}/{repo}/wiki/page/{pageName}', inPath: ["owner","repo","pageName"], inQuery: [], isBytes: false },
  repoGetWikiPageRevisions: { method: 'GET', path: '/repos/{owner}/{repo}/wiki/revisions/{pageName}', inPath: ["owner","repo","pageName"], inQuery: ["page"], isBytes: false },
  repoGetWikiPages: { method: 'GET', path: '/repos/{owner}/{repo}/wiki/pages', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListActionsSecrets: { method: 'GET', path: '/repos/{owner}/{repo}/actions/secrets', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListActivityFeeds: { method: 'GET', path: '/repos/{owner}/{repo}/activities/feeds', inPath: ["owner","repo"], inQuery: ["date","page","limit"], isBytes: false },
  repoListAllGitRefs: { method: 'GET', path: '/repos/{owner}/{repo}/git/refs', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListBranchProtection: { method: 'GET', path: '/repos/{owner}/{repo}/branch_protections', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListBranches: { method: 'GET', path: '/repos/{owner}/{repo}/branches', inPath: ["owner","repo"], inQuery: ["q","page","limit"], isBytes: false },
  repoListCollaborators: { method: 'GET', path: '/repos/{owner}/{repo}/collaborators', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListGitHooks: { method: 'GET', path: '/repos/{owner}/{repo}/hooks/git', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListGitRefs: { method: 'GET', path: '/repos/{owner}/{repo}/git/refs/{ref}', inPath: ["owner","repo","ref"], inQuery: [], isBytes: false },
  repoListHookDeliveries: { method: 'GET', path: '/repos/{owner}/{repo}/hooks/{id}/deliveries', inPath: ["owner","repo","id"], inQuery: ["page","limit"], isBytes: false },
  repoListHooks: { method: 'GET', path: '/repos/{owner}/{repo}/hooks', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListKeys: { method: 'GET', path: '/repos/{owner}/{repo}/keys', inPath: ["owner","repo"], inQuery: ["key_id","fingerprint","page","limit"], isBytes: false },
  repoListMergeQueue: { method: 'GET', path: '/repos/{owner}/{repo}/merge_queue', inPath: ["owner","repo"], inQuery: ["branch","page","limit"], isBytes: false },
  repoListPinnedIssues: { method: 'GET', path: '/repos/{owner}/{repo}/issues/pinned', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListPinnedPullRequests: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/pinned', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListProjectColumnIssues: { method: 'GET', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues', inPath: ["owner","repo","id","column_id"], inQuery: ["page","limit"], isBytes: false },
  repoListProjectColumns: { method: 'GET', path: '/repos/{owner}/{repo}/projects/{id}/columns', inPath: ["owner","repo","id"], inQuery: ["page","limit"], isBytes: false },
  repoListProjects: { method: 'GET', path: '/repos/{owner}/{repo}/projects', inPath: ["owner","repo"], inQuery: ["page","limit","state"], isBytes: false },
  repoListPullRequests: { method: 'GET', path: '/repos/{owner}/{repo}/pulls', inPath: ["owner","repo"], inQuery: ["state","sort","base_branch","milestone","labels","poster","page","limit"], isBytes: false },
  repoListPullReviews: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/reviews', inPath: ["owner","repo","index"], inQuery: ["page","limit"], isBytes: false },
  repoListPullVersions: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/versions', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoListPushMirrors: { method: 'GET', path: '/repos/{owner}/{repo}/push_mirrors', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListReleaseAttachments: { method: 'GET', path: '/repos/{owner}/{repo}/releases/{id}/assets', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoListReleases: { method: 'GET', path: '/repos/{owner}/{repo}/releases', inPath: ["owner","repo"], inQuery: ["page","limit","draft","pre-release","tag_filter"], isBytes: false },
  repoListStargazers: { method: 'GET', path: '/repos/{owner}/{repo}/stargazers', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListStatuses: { method: 'GET', path: '/repos/{owner}/{repo}/statuses/{sha}', inPath: ["owner","repo","sha","ref"], inQuery: ["page","limit","sort","state"], isBytes: false },
  repoListStatusesByRef: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/statuses', inPath: ["owner","repo","sha","ref"], inQuery: ["page","limit","sort","state"], isBytes: false },
  repoListSubscribers: { method: 'GET', path: '/repos/{owner}/{repo}/subscribers', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListTagProtection: { method: 'GET', path: '/repos/{owner}/{repo}/tag_protections', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListTags: { method: 'GET', path: '/repos/{owner}/{repo}/tags', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoListTeams: { method: 'GET', path: '/repos/{owner}/{repo}/teams', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoListTopics: { method: 'GET', path: '/repos/{owner}/{repo}/topics', inPath: ["owner","repo"], inQuery: ["page","limit"], isBytes: false },
  repoMergePullRequest: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/merge', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoMergeUpstream: { method: 'POST', path: '/repos/{owner}/{repo}/merge-upstream', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoMigrate: { method: 'POST', path: '/repos/migrate', inPath: [], inQuery: [], isBytes: false },
  repoMirrorSync: { method: 'POST', path: '/repos/{owner}/{repo}/mirror-sync', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoMoveProjectColumns: { method: 'POST', path: '/repos/{owner}/{repo}/projects/{id}/columns/move', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoMoveProjectIssue: { method: 'POST', path: '/repos/{owner}/{repo}/projects/{id}/issues/{issue_id}/move', inPath: ["owner","repo","id","issue_id"], inQuery: [], isBytes: false },
  repoNewPinAllowed: { method: 'GET', path: '/repos/{owner}/{repo}/new_pin_allowed', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoPullRequestIsMerged: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{index}/merge', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoPushMirrorSync: { method: 'POST', path: '/repos/{owner}/{repo}/push_mirrors-sync', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoQueuePullRequest: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/queue', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoRedeliverHook: { method: 'POST', path: '/repos/{owner}/{repo}/hooks/{id}/deliveries/{delivery}/attempts', inPath: ["owner","repo","id","delivery"], inQuery: [], isBytes: false },
  repoRemoveIssueFromProjectColumn: { method: 'DELETE', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["owner","repo","id","column_id","issue_id"], inQuery: [], isBytes: false },
  repoRenameBranch: { method: 'PATCH', path: '/repos/{owner}/{repo}/branches/{branch}', inPath: ["owner","repo","branch"], inQuery: [], isBytes: false },
  repoResolvePullReviewComment: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/comments/{id}/resolve', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoSearch: { method: 'GET', path: '/repos/search', inPath: [], inQuery: ["q","topic","includeDesc","uid","priority_owner_id","team_id","starredBy","private","is_private","template","archived","mode","exclusive","sort","order","page","limit"], isBytes: false },
  repoSetDefaultProjectColumn: { method: 'POST', path: '/repos/{owner}/{repo}/projects/{id}/columns/{column_id}/default', inPath: ["owner","repo","id","column_id"], inQuery: [], isBytes: false },
  repoSigningKey: { method: 'GET', path: '/repos/{owner}/{repo}/signing-key.gpg', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoSigningKeySSH: { method: 'GET', path: '/repos/{owner}/{repo}/signing-key.pub', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoSubmitPullReview: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoTestHook: { method: 'POST', path: '/repos/{owner}/{repo}/hooks/{id}/tests', inPath: ["owner","repo","id"], inQuery: ["ref"], isBytes: false },
  repoTrackedTimes: { method: 'GET', path: '/repos/{owner}/{repo}/times', inPath: ["owner","repo"], inQuery: ["page","limit","since","before","user"], isBytes: false },
  repoTransfer: { method: 'POST', path: '/repos/{owner}/{repo}/transfer', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoUnDismissPullReview: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/undismissals', inPath: ["owner","repo","index","id"], inQuery: [], isBytes: false },
  repoUnqueuePullRequest: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{index}/queue', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  repoUnresolvePullReviewComment: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/comments/{id}/unresolve', inPath: ["owner","repo","id"], inQuery: [], isBytes: false },
  repoUpdateAvatar: { method: 'POST', path: '/repos/{owner}/{repo}/avatar', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoUpdateBranch: { method: 'PUT', path: '/repos/{owner}/{repo}/branches/{branch}', inPath: ["owner","repo","branch"], inQuery: [], isBytes: false },
  repoUpdateBranchProtectionPriories: { method: 'POST', path: '/repos/{owner}/{repo}/branch_protections/priority', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoUpdateFile: { method: 'PUT', path: '/repos/{owner}/{repo}/contents/{filepath}', inPath: ["owner","repo","filepath"], inQuery: [], isBytes: false },
  repoUpdatePullRequest: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{index}/update', inPath: ["owner","repo","index"], inQuery: ["style"], isBytes: false },
  repoUpdateTopics: { method: 'PUT', path: '/repos/{owner}/{repo}/topics', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  repoValidateIssueConfig: { method: 'GET', path: '/repos/{owner}/{repo}/issue_config/validate', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  rerunFailedWorkflowRun: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/rerun-failed-jobs', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  rerunWorkflowJob: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/jobs/{job_id}/rerun', inPath: ["owner","repo","run","job_id"], inQuery: [], isBytes: false },
  rerunWorkflowRun: { method: 'POST', path: '/repos/{owner}/{repo}/actions/runs/{run}/rerun', inPath: ["owner","repo","run"], inQuery: [], isBytes: false },
  teamSearch: { method: 'GET', path: '/orgs/{org}/teams/search', inPath: ["org"], inQuery: ["q","include_desc","page","limit"], isBytes: false },
  topicSearch: { method: 'GET', path: '/topics/search', inPath: [], inQuery: ["q","page","limit"], isBytes: false },
  unlinkPackage: { method: 'POST', path: '/packages/{owner}/{type}/{name}/-/unlink', inPath: ["owner","type","name"], inQuery: [], isBytes: false },
  unpinIssue: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{index}/pin', inPath: ["owner","repo","index"], inQuery: [], isBytes: false },
  updateAdminRunner: { method: 'PATCH', path: '/admin/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  updateNotificationSettings: { method: 'PATCH', path: '/user/settings/notifications', inPath: [], inQuery: [], isBytes: false },
  updateOrgRunner: { method: 'PATCH', path: '/orgs/{org}/actions/runners/{runner_id}', inPath: ["org","runner_id"], inQuery: [], isBytes: false },
  updateOrgSecret: { method: 'PUT', path: '/orgs/{org}/actions/secrets/{secretname}', inPath: ["org","secretname"], inQuery: [], isBytes: false },
  updateOrgVariable: { method: 'PUT', path: '/orgs/{org}/actions/variables/{variablename}', inPath: ["org","variablename"], inQuery: [], isBytes: false },
  updateRepoRunner: { method: 'PATCH', path: '/repos/{owner}/{repo}/actions/runners/{runner_id}', inPath: ["owner","repo","runner_id"], inQuery: [], isBytes: false },
  updateRepoSecret: { method: 'PUT', path: '/repos/{owner}/{repo}/actions/secrets/{secretname}', inPath: ["owner","repo","secretname"], inQuery: [], isBytes: false },
  updateRepoVariable: { method: 'PUT', path: '/repos/{owner}/{repo}/actions/variables/{variablename}', inPath: ["owner","repo","variablename"], inQuery: [], isBytes: false },
  updateUserRunner: { method: 'PATCH', path: '/user/actions/runners/{runner_id}', inPath: ["runner_id"], inQuery: [], isBytes: false },
  updateUserSecret: { method: 'PUT', path: '/user/actions/secrets/{secretname}', inPath: ["secretname"], inQuery: [], isBytes: false },
  updateUserSettings: { method: 'PATCH', path: '/user/settings', inPath: [], inQuery: [], isBytes: false },
  updateUserVariable: { method: 'PUT', path: '/user/actions/variables/{variablename}', inPath: ["variablename"], inQuery: [], isBytes: false },
  userAddEmail: { method: 'POST', path: '/user/emails', inPath: [], inQuery: [], isBytes: false },
  userBlockUser: { method: 'PUT', path: '/user/blocks/{username}', inPath: ["username"], inQuery: ["note"], isBytes: false },
  userCheckFollowing: { method: 'GET', path: '/users/{username}/following/{target}', inPath: ["username","target"], inQuery: [], isBytes: false },
  userCheckUserBlock: { method: 'GET', path: '/user/blocks/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userCreateHook: { method: 'POST', path: '/user/hooks', inPath: [], inQuery: [], isBytes: false },
  userCreateOAuth2Application: { method: 'POST', path: '/user/applications/oauth2', inPath: [], inQuery: [], isBytes: false },
  userCreateRunnerRegistrationToken: { method: 'POST', path: '/user/actions/runners/registration-token', inPath: [], inQuery: [], isBytes: false },
  userCreateToken: { method: 'POST', path: '/users/{username}/tokens', inPath: ["username"], inQuery: [], isBytes: false },
  userCurrentAddIssueToProjectColumn: { method: 'POST', path: '/user/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["id","column_id","issue_id"], inQuery: [], isBytes: false },
  userCurrentCheckFollowing: { method: 'GET', path: '/user/following/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userCurrentCheckStarring: { method: 'GET', path: '/user/starred/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentCheckSubscription: { method: 'GET', path: '/repos/{owner}/{repo}/subscription', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentCreateProject: { method: 'POST', path: '/user/projects', inPath: [], inQuery: [], isBytes: false },
  userCurrentCreateProjectColumn: { method: 'POST', path: '/user/projects/{id}/columns', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentDeleteFollow: { method: 'DELETE', path: '/user/following/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userCurrentDeleteGPGKey: { method: 'DELETE', path: '/user/gpg_keys/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentDeleteKey: { method: 'DELETE', path: '/user/keys/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentDeleteProject: { method: 'DELETE', path: '/user/projects/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentDeleteProjectColumn: { method: 'DELETE', path: '/user/projects/{id}/columns/{column_id}', inPath: ["id","column_id"], inQuery: [], isBytes: false },
  userCurrentDeleteStar: { method: 'DELETE', path: '/user/starred/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentDeleteSubscription: { method: 'DELETE', path: '/repos/{owner}/{repo}/subscription', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentEditProject: { method: 'PATCH', path: '/user/projects/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentEditProjectColumn: { method: 'PATCH', path: '/user/projects/{id}/columns/{column_id}', inPath: ["id","column_id"], inQuery: [], isBytes: false },
  userCurrentGetGPGKey: { method: 'GET', path: '/user/gpg_keys/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentGetKey: { method: 'GET', path: '/user/keys/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentGetProject: { method: 'GET', path: '/user/projects/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentGetProjectColumn: { method: 'GET', path: '/user/projects/{id}/columns/{column_id}', inPath: ["id","column_id"], inQuery: [], isBytes: false },
  userCurrentListFollowers: { method: 'GET', path: '/user/followers', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentListFollowing: { method: 'GET', path: '/user/following', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentListGPGKeys: { method: 'GET', path: '/user/gpg_keys', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentListKeys: { method: 'GET', path: '/user/keys', inPath: [], inQuery: ["fingerprint","page","limit"], isBytes: false },
  userCurrentListProjectColumnIssues: { method: 'GET', path: '/user/projects/{id}/columns/{column_id}/issues', inPath: ["id","column_id"], inQuery: ["page","limit"], isBytes: false },
  userCurrentListProjectColumns: { method: 'GET', path: '/user/projects/{id}/columns', inPath: ["id"], inQuery: ["page","limit"], isBytes: false },
  userCurrentListProjects: { method: 'GET', path: '/user/projects', inPath: [], inQuery: ["page","limit","state"], isBytes: false },
  userCurrentListRepos: { method: 'GET', path: '/user/repos', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentListStarred: { method: 'GET', path: '/user/starred', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentListSubscriptions: { method: 'GET', path: '/user/subscriptions', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userCurrentMoveProjectColumns: { method: 'POST', path: '/user/projects/{id}/columns/move', inPath: ["id"], inQuery: [], isBytes: false },
  userCurrentMoveProjectIssue: { method: 'POST', path: '/user/projects/{id}/issues/{issue_id}/move', inPath: ["id","issue_id"], inQuery: [], isBytes: false },
  userCurrentPostGPGKey: { method: 'POST', path: '/user/gpg_keys', inPath: [], inQuery: [], isBytes: false },
  userCurrentPostKey: { method: 'POST', path: '/user/keys', inPath: [], inQuery: [], isBytes: false },
  userCurrentPutFollow: { method: 'PUT', path: '/user/following/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userCurrentPutStar: { method: 'PUT', path: '/user/starred/{owner}/{repo}', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentPutSubscription: { method: 'PUT', path: '/repos/{owner}/{repo}/subscription', inPath: ["owner","repo"], inQuery: [], isBytes: false },
  userCurrentRemoveIssueFromProjectColumn: { method: 'DELETE', path: '/user/projects/{id}/columns/{column_id}/issues/{issue_id}', inPath: ["id","column_id","issue_id"], inQuery: [], isBytes: false },
  userCurrentSetDefaultProjectColumn: { method: 'POST', path: '/user/projects/{id}/columns/{column_id}/default', inPath: ["id","column_id"], inQuery: [], isBytes: false },
  userCurrentTrackedTimes: { method: 'GET', path: '/user/times', inPath: [], inQuery: ["page","limit","since","before"], isBytes: false },
  userDeleteAccessToken: { method: 'DELETE', path: '/users/{username}/tokens/{token}', inPath: ["username","token"], inQuery: [], isBytes: false },
  userDeleteAvatar: { method: 'DELETE', path: '/user/avatar', inPath: [], inQuery: [], isBytes: false },
  userDeleteEmail: { method: 'DELETE', path: '/user/emails', inPath: [], inQuery: [], isBytes: false },
  userDeleteHook: { method: 'DELETE', path: '/user/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userDeleteOAuth2Application: { method: 'DELETE', path: '/user/applications/oauth2/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userEditHook: { method: 'PATCH', path: '/user/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userGet: { method: 'GET', path: '/users/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userGetAccessTokenUse: { method: 'GET', path: '/users/{username}/tokens/{token}/use', inPath: ["username","token"], inQuery: [], isBytes: false },
  userGetCurrent: { method: 'GET', path: '/user', inPath: [], inQuery: [], isBytes: false },
  userGetHeatmapData: { method: 'GET', path: '/users/{username}/heatmap', inPath: ["username"], inQuery: [], isBytes: false },
  userGetHook: { method: 'GET', path: '/user/hooks/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userGetHookDelivery: { method: 'GET', path: '/user/hooks/{id}/deliveries/{delivery}', inPath: ["id","delivery"], inQuery: [], isBytes: false },
  userGetOAuth2Application: { method: 'GET', path: '/user/applications/oauth2/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userGetOauth2Application: { method: 'GET', path: '/user/applications/oauth2', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userGetStopWatches: { method: 'GET', path: '/user/stopwatches', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userGetTokens: { method: 'GET', path: '/users/{username}/tokens', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListActivityFeeds: { method: 'GET', path: '/users/{username}/activities/feeds', inPath: ["username"], inQuery: ["only-performed-by","date","page","limit"], isBytes: false },
  userListBlocks: { method: 'GET', path: '/user/blocks', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userListEmails: { method: 'GET', path: '/user/emails', inPath: [], inQuery: [], isBytes: false },
  userListFollowers: { method: 'GET', path: '/users/{username}/followers', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListFollowing: { method: 'GET', path: '/users/{username}/following', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListGPGKeys: { method: 'GET', path: '/users/{username}/gpg_keys', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListHookDeliveries: { method: 'GET', path: '/user/hooks/{id}/deliveries', inPath: ["id"], inQuery: ["page","limit"], isBytes: false },
  userListHooks: { method: 'GET', path: '/user/hooks', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userListKeys: { method: 'GET', path: '/users/{username}/keys', inPath: ["username"], inQuery: ["fingerprint","page","limit"], isBytes: false },
  userListProjects: { method: 'GET', path: '/users/{username}/projects', inPath: ["username"], inQuery: ["page","limit","state"], isBytes: false },
  userListRepos: { method: 'GET', path: '/users/{username}/repos', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListStarred: { method: 'GET', path: '/users/{username}/starred', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListSubscriptions: { method: 'GET', path: '/users/{username}/subscriptions', inPath: ["username"], inQuery: ["page","limit"], isBytes: false },
  userListTeams: { method: 'GET', path: '/user/teams', inPath: [], inQuery: ["page","limit"], isBytes: false },
  userNarrowAccessToken: { method: 'POST', path: '/users/{username}/tokens/{token}/limits', inPath: ["username","token"], inQuery: [], isBytes: false },
  userRedeliverHook: { method: 'POST', path: '/user/hooks/{id}/deliveries/{delivery}/attempts', inPath: ["id","delivery"], inQuery: [], isBytes: false },
  userSearch: { method: 'GET', path: '/users/search', inPath: [], inQuery: ["q","uid","page","limit"], isBytes: false },
  userTrackedTimes: { method: 'GET', path: '/repos/{owner}/{repo}/times/{user}', inPath: ["owner","repo","user"], inQuery: [], isBytes: false },
  userUnblockUser: { method: 'DELETE', path: '/user/blocks/{username}', inPath: ["username"], inQuery: [], isBytes: false },
  userUpdateAvatar: { method: 'POST', path: '/user/avatar', inPath: [], inQuery: [], isBytes: false },
  userUpdateOAuth2Application: { method: 'PATCH', path: '/user/applications/oauth2/{id}', inPath: ["id"], inQuery: [], isBytes: false },
  userVerifyGPGKey: { method: 'POST', path: '/user/gpg_key_verify', inPath: [], inQuery: [], isBytes: false },
}
