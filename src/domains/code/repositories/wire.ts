/** The REST record of a repository. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentPermission } from '#domains/people/access'
import { presentTeam, Team } from '#domains/people/orgs'
import { presentUser, User } from '#domains/people/users'
import { formatDuration, Time, time } from '#platform/rest'
import { type Site, sshAddress } from '#platform/site'
import type { Repository as LoadedRepository, LoneRepository, Transfer } from './record/load.ts'
import {
  externalTrackerOf,
  externalWikiOf,
  internalTrackerOf,
  mergingOf,
  projectsModeOf,
} from './record/settings.ts'

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
const ExternalTracker = Type.Object(
  {
    external_tracker_url: Type.String(),
    external_tracker_format: Type.String({
      description: 'URL format with the placeholders {user}, {repo} and {index}',
    }),
    external_tracker_style: Type.String({
      description: 'issue number style: numeric, alphanumeric or regexp',
    }),
    external_tracker_regexp_pattern: Type.String(),
  },
  { title: 'ExternalTracker' },
)
const ExternalWiki = Type.Object({ external_wiki_url: Type.String() }, { title: 'ExternalWiki' })
const RepoTransfer = Type.Object(
  { doer: User, recipient: User, teams: Type.Array(Team) },
  { title: 'RepoTransfer' },
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
  size: Type.Integer({ description: 'size in KiB' }),
  stars_count: Type.Integer(),
  forks_count: Type.Integer(),
  watchers_count: Type.Integer(),
  branch_count: Type.Integer(),
  open_issues_count: Type.Integer(),
  open_pr_counter: Type.Integer(),
  release_counter: Type.Integer(),
}
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
const addresses = {
  languages_url: Type.String(),
  html_url: Type.String(),
  url: Type.String(),
  link: Type.String(),
  ssh_url: Type.String(),
  clone_url: Type.String(),
  original_url: Type.String(),
  website: Type.String(),
  avatar_url: Type.String(),
}
const fields = {
  id: Type.Integer(),
  owner: User,
  name: Type.String(),
  full_name: Type.String(),
  description: Type.String(),
  ...flags,
  ...counts,
  ...merging,
  ...addresses,
  language: Type.String({ description: 'primary language' }),
  default_branch: Type.String(),
  default_target_branch: Type.String({ description: 'empty: the default branch' }),
  created_at: Time,
  updated_at: Time,
  archived_at: OptionalTime,
  permissions: Permission,
  internal_tracker: Type.Union([InternalTracker, Type.Null()]),
  external_tracker: Type.Union([ExternalTracker, Type.Null()]),
  external_wiki: Type.Union([ExternalWiki, Type.Null()]),
  mirror_interval: Type.String(),
  mirror_updated: OptionalTime,
  mirror_last_sync_at: OptionalTime,
  object_format_name: Type.Union([Type.Literal('sha1'), Type.Literal('sha256')]),
  topics: Type.Array(Type.String()),
  licenses: Type.Array(Type.String()),
}
/** The record of a parent, without its own parent. */
const Parent = Type.Object(
  { ...fields, parent: Type.Null(), repo_transfer: Type.Null() },
  { title: 'Repository' },
)

export type Repository = Static<typeof Repository>
export const Repository = Type.Object(
  {
    ...fields,
    parent: Type.Union([Parent, Type.Null()]),
    repo_transfer: Type.Union([RepoTransfer, Type.Null()]),
  },
  { title: 'Repository' },
)

const ANYBODY = { id: 0, isAdmin: false }

export function presentRepository(repo: LoadedRepository, site: Site): Repository {
  const { parent, transfer } = repo
  return {
    ...presentAlone(repo, site),
    // Compat: the parent has the caller's permissions on the fork.
    parent: parent === null ? null : presentAlone({ ...parent, access: repo.access }, site),
    repo_transfer: transfer === null ? null : presentTransfer(transfer, site),
  }
}

function presentAlone(repo: LoneRepository, site: Site): Static<typeof Parent> {
  return {
    id: repo.id,
    // Compat: the owner is presented as to any signed-in user, even to themselves; to a caller with access to single
    // units only, as to an anonymous caller.
    owner: presentUser(repo.owner, repo.access.level === 'none' ? null : ANYBODY, site),
    name: repo.name,
    full_name: `${repo.owner.login}/${repo.name}`,
    description: repo.description,
    ...presentFlags(repo),
    ...presentCounts(repo),
    projects_mode: projectsModeOf(repo),
    ...mergingOf(repo),
    ...presentAddresses(repo, site),
    language: repo.language,
    default_branch: repo.default_branch,
    default_target_branch: '',
    created_at: time(repo.created_at),
    updated_at: time(repo.updated_at),
    archived_at: time(repo.archived_at),
    permissions: presentPermission(repo.access),
    internal_tracker: internalTrackerOf(repo) ?? null,
    external_tracker: externalTrackerOf(repo) ?? null,
    external_wiki: externalWikiOf(repo) ?? null,
    mirror_interval: repo.mirror_interval_s === null ? '' : formatDuration(repo.mirror_interval_s),
    mirror_updated: time(repo.mirror_updated_at),
    mirror_last_sync_at: time(repo.mirror_synced_at),
    object_format_name: repo.object_format,
    topics: repo.topics,
    licenses: repo.licenses,
    parent: null,
    repo_transfer: null,
  }
}

function presentFlags(repo: LoneRepository) {
  const has = (...units: string[]) => units.some((unit) => repo.units.includes(unit))
  return {
    empty: repo.branches === 0,
    private: repo.is_private,
    fork: repo.parent_id !== null,
    template: repo.is_template,
    mirror: repo.is_mirror,
    archived: repo.archived_at !== null,
    internal: !repo.is_private && repo.owner.visibility === 'private',
    has_code: has('code'),
    has_issues: has('issues', 'ext_issues'),
    has_wiki: has('wiki', 'ext_wiki'),
    has_pull_requests: has('pulls'),
    has_projects: has('projects'),
    has_releases: has('releases'),
    has_packages: has('packages'),
    has_actions: has('actions'),
  }
}

function presentCounts(repo: LoneRepository) {
  return {
    size: Math.ceil(repo.bytes / 1024),
    stars_count: repo.stars,
    forks_count: repo.forks,
    watchers_count: repo.watchers,
    branch_count: repo.branches,
    open_issues_count: repo.open_issues,
    open_pr_counter: repo.open_pulls,
    release_counter: repo.releases,
  }
}

function presentAddresses(repo: LoneRepository, site: Site) {
  const path = `${repo.owner.login}/${repo.name}`
  return {
    languages_url: `${site.apiUrl}/repos/${path}/languages`,
    html_url: `${site.url}/${path}`,
    url: `${site.apiUrl}/repos/${path}`,
    link: '',
    ssh_url: sshAddress(site, `${path}.git`),
    clone_url: `${site.url}/${path}.git`,
    original_url: repo.original_url,
    website: repo.website,
    avatar_url: repo.avatar === '' ? '' : `${site.url}/repo-avatars/${repo.avatar}`,
  }
}

/** Compat: both accounts are presented as to an anonymous caller. */
function presentTransfer({ actor, recipient, teams }: Transfer, site: Site): Static<typeof RepoTransfer> {
  return {
    doer: presentUser(actor, null, site),
    recipient: presentUser(recipient, null, site),
    teams: teams.map((team) => presentTeam(team, null, site)),
  }
}
