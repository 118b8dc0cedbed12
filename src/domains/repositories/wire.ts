/** The repository as clients see it, field for field. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentPermission } from '#domains/access'
import { presentUser, User } from '#domains/users'
import { Time, time } from '#platform/rest'
import { type Site, sshAddress } from '#platform/site'
import type { Repository as LoadedRepository } from './load.ts'

const Permission = Type.Object(
  { admin: Type.Boolean(), push: Type.Boolean(), pull: Type.Boolean() },
  { title: 'Permission' },
)
const InternalTracker = Type.Object(
  {
    enable_time_tracker: Type.Boolean(),
    allow_only_contributors_to_track_time: Type.Boolean(),
    enable_issue_dependencies: Type.Boolean(),
  },
  { title: 'InternalTracker' },
)
const OptionalTime = Type.Union([Time, Type.Null()])

const flags = {
  empty: Type.Boolean(),
  private: Type.Boolean(),
  fork: Type.Boolean(),
  template: Type.Boolean(),
  mirror: Type.Boolean(),
  archived: Type.Boolean(),
  internal: Type.Boolean(),
  has_code: Type.Boolean(),
  has_issues: Type.Boolean(),
  has_wiki: Type.Boolean(),
  has_pull_requests: Type.Boolean(),
  has_projects: Type.Boolean(),
  has_releases: Type.Boolean(),
  has_packages: Type.Boolean(),
  has_actions: Type.Boolean(),
}
const counts = {
  size: Type.Integer({ description: 'in KiB' }),
  stars_count: Type.Integer(),
  forks_count: Type.Integer(),
  watchers_count: Type.Integer(),
  branch_count: Type.Integer(),
  open_issues_count: Type.Integer(),
  open_pr_counter: Type.Integer(),
  release_counter: Type.Integer(),
}
/** How pull requests are merged. Nothing can change these yet, so every repository has the defaults. */
const merging = {
  projects_mode: Type.String(),
  ignore_whitespace_conflicts: Type.Boolean(),
  allow_merge_commits: Type.Boolean(),
  allow_rebase: Type.Boolean(),
  allow_rebase_explicit: Type.Boolean(),
  allow_squash_merge: Type.Boolean(),
  allow_fast_forward_only_merge: Type.Boolean(),
  allow_merge_update: Type.Boolean(),
  allow_rebase_update: Type.Boolean(),
  allow_manual_merge: Type.Boolean(),
  autodetect_manual_merge: Type.Boolean(),
  default_delete_branch_after_merge: Type.Boolean(),
  default_merge_style: Type.String(),
  default_update_style: Type.String(),
  default_allow_maintainer_edit: Type.Boolean(),
}

export type Repository = Static<typeof Repository>
export const Repository = Type.Object(
  {
    id: Type.Integer(),
    owner: User,
    name: Type.String(),
    full_name: Type.String(),
    description: Type.String(),
    ...flags,
    ...counts,
    ...merging,
    language: Type.String(),
    languages_url: Type.String(),
    html_url: Type.String(),
    url: Type.String(),
    link: Type.String(),
    ssh_url: Type.String(),
    clone_url: Type.String(),
    original_url: Type.String(),
    website: Type.String(),
    default_branch: Type.String(),
    created_at: Time,
    updated_at: Time,
    archived_at: OptionalTime,
    permissions: Permission,
    internal_tracker: InternalTracker,
    avatar_url: Type.String(),
    mirror_interval: Type.String(),
    mirror_updated: OptionalTime,
    mirror_last_sync_at: OptionalTime,
    object_format_name: Type.Union([Type.Literal('sha1'), Type.Literal('sha256')]),
    topics: Type.Array(Type.String()),
    licenses: Type.Array(Type.String()),
  },
  { title: 'Repository' },
)

const MERGING = {
  projects_mode: 'all',
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_merge_update: true,
  allow_rebase_update: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_merge_style: 'merge',
  default_update_style: 'merge',
  default_allow_maintainer_edit: true,
}
const TRACKER = {
  enable_time_tracker: true,
  allow_only_contributors_to_track_time: true,
  enable_issue_dependencies: true,
}
/** Things that no repository has before the slices that bring them. */
const NOT_YET = {
  fork: false,
  mirror: false,
  language: '',
  link: '',
  original_url: '',
  website: '',
  avatar_url: '',
  mirror_interval: '',
  mirror_updated: null,
  mirror_last_sync_at: null,
  topics: [],
  licenses: [],
}

const ANYBODY = { id: 0, isAdmin: false }

export function presentRepository(repo: LoadedRepository, site: Site): Repository {
  const path = `${repo.owner.login}/${repo.name}`
  const has = (unit: string) => repo.units.includes(unit)
  return {
    id: repo.id,
    // Compat: an owner is shown as to anybody signed in, also to themselves; to who was only given single units,
    // as to a stranger.
    owner: presentUser(repo.owner, repo.access.level === 'none' ? null : ANYBODY, site),
    name: repo.name,
    full_name: path,
    description: repo.description,
    empty: repo.branches === 0,
    private: repo.is_private,
    template: repo.is_template,
    archived: repo.archived_at !== null,
    internal: !repo.is_private && repo.owner.visibility === 'private',
    has_code: has('code'),
    has_issues: has('issues'),
    has_wiki: has('wiki'),
    has_pull_requests: has('pulls'),
    has_projects: has('projects'),
    has_releases: has('releases'),
    has_packages: has('packages'),
    has_actions: has('actions'),
    size: Math.ceil(repo.bytes / 1024),
    stars_count: repo.stars,
    forks_count: repo.forks,
    watchers_count: repo.watchers,
    branch_count: repo.branches,
    open_issues_count: repo.open_issues,
    open_pr_counter: repo.open_pulls,
    release_counter: repo.releases,
    ...MERGING,
    ...NOT_YET,
    languages_url: `${site.apiUrl}/repos/${path}/languages`,
    html_url: `${site.url}/${path}`,
    url: `${site.apiUrl}/repos/${path}`,
    ssh_url: sshAddress(site, `${path}.git`),
    clone_url: `${site.url}/${path}.git`,
    default_branch: repo.default_branch,
    created_at: time(repo.created_at),
    updated_at: time(repo.updated_at),
    archived_at: time(repo.archived_at),
    permissions: presentPermission(repo.access),
    internal_tracker: TRACKER,
    object_format_name: repo.object_format,
  }
}
