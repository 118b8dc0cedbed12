/** The settings of units: stored values and defaults. */
import type { Unit } from '#domains/people/access'

/** Merge settings, named as in the API. */
export interface Merging {
  readonly ignore_whitespace_conflicts: boolean
  readonly allow_merge_commits: boolean
  readonly allow_rebase: boolean
  readonly allow_rebase_explicit: boolean
  readonly allow_squash_merge: boolean
  readonly allow_fast_forward_only_merge: boolean
  readonly allow_merge_update: boolean
  readonly allow_rebase_update: boolean
  readonly allow_manual_merge: boolean
  readonly autodetect_manual_merge: boolean
  readonly default_delete_branch_after_merge: boolean
  readonly default_merge_style: string
  readonly default_update_style: string
  readonly default_allow_maintainer_edit: boolean
}

export interface InternalTracker {
  readonly enable_time_tracker: boolean
  readonly allow_only_contributors_to_track_time: boolean
  readonly enable_issue_dependencies: boolean
}

export interface ExternalTracker {
  readonly external_tracker_url: string
  readonly external_tracker_format: string
  readonly external_tracker_style: string
  readonly external_tracker_regexp_pattern: string
}

export interface ExternalWiki {
  readonly external_wiki_url: string
}

export type ProjectsMode = 'repo' | 'owner' | 'all'

/** Who may interact during an interaction limit. */
export type InteractionGroup = 'existing_users' | 'contributors_only' | 'collaborators_only'

/** Only values that differ from the defaults. Disabling a unit drops its settings. */
export interface RepositorySettings {
  readonly merging?: Partial<Merging>
  readonly internal_tracker?: InternalTracker
  readonly external_tracker?: ExternalTracker
  readonly external_wiki?: ExternalWiki
  readonly projects_mode?: ProjectsMode
  /** `until` as an ISO 8601 time. */
  readonly interaction_limit?: { readonly group: InteractionGroup; readonly until: string }
}

const MERGING: Merging = {
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

/** Compat: without pull requests every merge style is off, except marking as manually merged. */
const NO_MERGING: Merging = {
  ...MERGING,
  allow_merge_commits: false,
  allow_rebase: false,
  allow_rebase_explicit: false,
  allow_squash_merge: false,
  allow_fast_forward_only_merge: false,
  allow_merge_update: false,
  allow_rebase_update: false,
  allow_manual_merge: true,
  default_allow_maintainer_edit: false,
}

const TRACKER: InternalTracker = {
  enable_time_tracker: true,
  allow_only_contributors_to_track_time: true,
  enable_issue_dependencies: true,
}

/** Units of a new repository. A template runs no actions; a fork exists to propose changes. */
export const UNITS_OF = {
  plain: ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages', 'actions'],
  template: ['code', 'issues', 'pulls', 'releases', 'wiki', 'projects', 'packages'],
  fork: ['code', 'pulls'],
} as const satisfies Record<string, readonly Unit[]>

interface WithUnits {
  readonly units: readonly string[]
  readonly settings: RepositorySettings
}

export function mergingOf({ units, settings }: WithUnits): Merging {
  return units.includes('pulls') ? { ...MERGING, ...settings.merging } : NO_MERGING
}

export function internalTrackerOf({ units, settings }: WithUnits): InternalTracker | undefined {
  return units.includes('issues') ? (settings.internal_tracker ?? TRACKER) : undefined
}

export function externalTrackerOf({ units, settings }: WithUnits): ExternalTracker | undefined {
  return units.includes('ext_issues') ? settings.external_tracker : undefined
}

export function externalWikiOf({ units, settings }: WithUnits): ExternalWiki | undefined {
  return units.includes('ext_wiki') ? settings.external_wiki : undefined
}

export function projectsModeOf({ settings }: WithUnits): ProjectsMode {
  return settings.projects_mode ?? 'all'
}
