/** The records of the specification: every field with its type. */

/**
 * `string`, `boolean`, `integer`, `date-time`, `uri` and `email` as in the specification; `a|b` is one of these words,
 * `{…}` a map of strings, `[T]` a list, `T?` may be null; anything else is another record.
 */
type Fields = Readonly<Record<string, string>>

const VISIBILITY = 'public|limited|private'

export const OP_TYPES =
  'create_repo|rename_repo|star_repo|watch_repo|commit_repo|create_issue|create_pull_request|transfer_repo|push_tag|comment_issue|' +
  'merge_pull_request|close_issue|reopen_issue|close_pull_request|reopen_pull_request|delete_tag|delete_branch|mirror_sync_push|' +
  'mirror_sync_create|mirror_sync_delete|approve_pull_request|reject_pull_request|comment_pull|publish_release|' +
  'pull_review_dismissed|pull_request_ready_for_review|auto_merge_pull_request'

const MODELS: Readonly<Record<string, Fields>> = {
  User: {
    ...all('boolean', 'active is_admin prohibit_login restricted'),
    ...all('uri', 'avatar_url html_url'),
    ...all('date-time?', 'created last_login'),
    ...all('string', 'description full_name language location login login_name website'),
    ...all('integer', 'followers_count following_count id source_id starred_repos_count'),
    email: 'email',
    type: 'User|Organization|Bot',
    visibility: VISIBILITY,
  },
  Organization: {
    ...all('string', 'description full_name location name username website'),
    avatar_url: 'uri',
    email: 'email',
    id: 'integer',
    repo_admin_change_team_access: 'boolean',
    visibility: VISIBILITY,
  },
  Team: {
    ...all('boolean', 'can_create_org_repo includes_all_repositories'),
    ...all('string', 'description name'),
    id: 'integer',
    organization: 'Organization?',
    permission: 'none|read|write|admin|owner',
    units: '[string]',
    units_map: '{string}',
    visibility: VISIBILITY,
  },
  Repository: {
    ...all(
      'boolean',
      `allow_fast_forward_only_merge allow_manual_merge allow_merge_commits allow_merge_update allow_rebase
      allow_rebase_explicit allow_rebase_update allow_squash_merge archived autodetect_manual_merge
      default_allow_maintainer_edit default_delete_branch_after_merge empty fork has_actions has_code has_issues
      has_packages has_projects has_pull_requests has_releases has_wiki ignore_whitespace_conflicts internal mirror
      private template`,
    ),
    ...all(
      'string',
      `default_branch default_merge_style default_update_style description full_name language link mirror_interval name
      projects_mode website`,
    ),
    default_target_branch: 'string?',
    ...all(
      'integer',
      `branch_count forks_count id open_issues_count open_pr_counter release_counter size stars_count watchers_count`,
    ),
    ...all('uri', 'avatar_url clone_url html_url languages_url original_url ssh_url url'),
    ...all('date-time?', 'archived_at created_at mirror_last_sync_at mirror_updated updated_at'),
    ...all('[string]', 'licenses topics'),
    external_tracker: 'ExternalTracker?',
    external_wiki: 'ExternalWiki?',
    internal_tracker: 'InternalTracker?',
    object_format_name: 'sha1|sha256',
    owner: 'User',
    parent: 'Repository?',
    permissions: 'Permission',
    repo_transfer: 'RepoTransfer?',
  },
  ExternalTracker: {
    ...all('string', 'external_tracker_format external_tracker_regexp_pattern'),
    external_tracker_style: 'numeric|alphanumeric|regexp',
    external_tracker_url: 'uri',
  },
  ExternalWiki: { external_wiki_url: 'uri' },
  InternalTracker: all(
    'boolean',
    'allow_only_contributors_to_track_time enable_issue_dependencies enable_time_tracker',
  ),
  Permission: all('boolean', 'admin pull push'),
  RepoTransfer: { doer: 'User', recipient: 'User', teams: '[Team]' },
  RepositoryMeta: { ...all('string', 'full_name name owner'), id: 'integer' },
  Issue: {
    ...all('date-time?', 'closed_at created_at due_date updated_at'),
    ...all('integer', 'comments content_version id number original_author_id pin_order time_estimate'),
    ...all('string', 'body original_author ref title'),
    ...all('uri', 'html_url url'),
    assets: '[Attachment]',
    assignee: 'User?',
    assignees: '[User]',
    is_locked: 'boolean',
    labels: '[Label]',
    milestone: 'Milestone?',
    projects: '[Project]',
    pull_request: 'PullRequestMeta?',
    repository: 'RepositoryMeta',
    state: 'open|closed',
    user: 'User',
  },
  PullRequestMeta: { ...all('boolean', 'draft merged'), html_url: 'uri', merged_at: 'date-time?' },
  Attachment: {
    ...all('integer', 'download_count id size'),
    ...all('string', 'name uuid'),
    browser_download_url: 'uri',
    created_at: 'date-time',
  },
  Label: {
    ...all('string', 'color description name'),
    ...all('boolean', 'exclusive is_archived'),
    id: 'integer',
    url: 'uri',
  },
  Milestone: {
    ...all('date-time?', 'closed_at created_at due_on updated_at'),
    ...all('integer', 'closed_issues id open_issues'),
    ...all('string', 'description title'),
    state: 'open|closed',
  },
  Comment: {
    ...all('string', 'body original_author'),
    ...all('date-time', 'created_at updated_at'),
    ...all('uri', 'html_url issue_url pull_request_url'),
    ...all('integer', 'id original_author_id'),
    assets: '[Attachment]',
    // The comment of an activity has no author.
    user: 'User?',
  },
  Project: {
    ...all('date-time?', 'closed_at created_at updated_at'),
    ...all('integer', 'creator_id id owner_id repo_id num_issues num_open_issues num_closed_issues'),
    ...all('string', 'description title'),
    card_type: 'text_only|images_and_text',
    creator: 'User?',
    html_url: 'uri',
    is_closed: 'boolean',
    state: 'open|closed',
    template_type: 'none|basic_kanban|bug_triage',
    type: 'individual|repository|organization',
  },
  ProjectColumn: {
    ...all('string', 'color title'),
    ...all('date-time?', 'created_at updated_at'),
    ...all('integer', 'id project_id sorting'),
    creator: 'User?',
    default: 'boolean',
  },
  PullReview: {
    ...all('string', 'body commit_id'),
    ...all('integer', 'comments_count id'),
    ...all('boolean', 'dismissed official stale'),
    ...all('uri', 'html_url pull_request_url'),
    ...all('date-time?', 'submitted_at updated_at'),
    state: 'APPROVED|PENDING|COMMENT|REQUEST_CHANGES|REQUEST_REVIEW',
    team: 'Team?',
    user: 'User?',
  },
  PullRequest: {
    ...all('integer', 'additions content_version'),
    allow_maintainer_edit: 'boolean',
    assignee: 'User?',
    assignees: '[User]',
    base: 'PRBranchInfo',
  },
  PRBranchInfo: { ...all('string', 'label ref'), repo: 'Repository' },
  DeployKey: {
    ...all('string', 'fingerprint key title'),
    ...all('integer', 'id key_id'),
    created_at: 'date-time',
    key_type: 'ssh|token',
    read_only: 'boolean',
    repository: 'Repository?',
    token: 'string',
    url: 'uri',
  },
  PublicKey: {
    ...all('string', 'fingerprint key key_type title'),
    ...all('date-time?', 'created_at updated_at'),
    id: 'integer',
    read_only: 'boolean',
    url: 'uri',
    user: 'User?',
  },
  Package: {
    ...all('string', 'name type version'),
    ...all('User', 'creator owner'),
    created_at: 'date-time',
    html_url: 'uri',
    id: 'integer',
    repository: 'Repository?',
  },
  Activity: {
    ...all('integer', 'act_user_id comment_id id repo_id user_id'),
    ...all('string', 'content ref_name'),
    act_user: 'User',
    comment: 'Comment?',
    created: 'date-time',
    is_private: 'boolean',
    op_type: OP_TYPES,
    repo: 'Repository?',
  },
  NotificationThread: {
    ...all('boolean', 'pinned unread'),
    id: 'integer',
    repository: 'Repository?',
    subject: 'NotificationSubject',
    updated_at: 'date-time',
    url: 'uri',
  },
  NotificationSubject: {
    ...all('uri', 'html_url latest_comment_html_url latest_comment_url url'),
    ...all('string', 'state title type'),
  },
  RepoCommit: {
    ...all('User?', 'author committer'),
    ...all('uri', 'html_url url'),
    commit: 'CommitInfo',
    created: 'date-time',
    files: '[CommitFile]',
    parents: '[CommitMeta]',
    sha: 'string',
    stats: 'CommitStats',
  },
  CommitInfo: {
    ...all('CommitUser', 'author committer'),
    message: 'string',
    tree: 'CommitMeta',
    url: 'uri',
    verification: 'Verification',
  },
  CommitUser: { ...all('string', 'email name'), date: 'date-time' },
  CommitMeta: { created: 'date-time?', sha: 'string', url: 'uri' },
  CommitFile: all('string', 'filename status'),
  CommitStats: all('integer', 'additions deletions total'),
  Verification: { ...all('string', 'payload reason signature'), signer: 'Signer?', verified: 'boolean' },
  Signer: all('string', 'email name username'),
  WorkflowRun: {
    ...all('User?', 'actor trigger_actor'),
    ...all('Repository?', 'head_repository repository'),
    previous_attempt_url: 'uri?',
    pull_requests: '[any]',
    run_attempt: 'integer',
  },
  TrackedTime: { ...all('integer', 'id time'), issue: 'Issue?', user_name: 'string' },
}

/** The fields of a record; undefined where the specification has no record of that name. */
export function fieldsOf(model: string): Fields | undefined {
  return MODELS[model]
}

function all(type: string, names: string): Fields {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, type]))
}
