/** Units of a repository and their settings, in our form: only what differs from the defaults is stored. */
import { UNITS } from '../people/orgs.ts'
import type { SourceRow } from '../source/driver.ts'

export interface UnitRow {
  readonly type: number
  readonly config: Readonly<Record<string, unknown>>
  readonly row: SourceRow
}

const PULLS = 3
const ISSUES = 2
const EXTERNAL_WIKI = 6
const EXTERNAL_TRACKER = 7
const PROJECTS = 8

/** Gitea's name, ours, and the default. */
const MERGING: readonly (readonly [string, string, unknown])[] = [
  ['IgnoreWhitespaceConflicts', 'ignore_whitespace_conflicts', false],
  ['AllowMerge', 'allow_merge_commits', true],
  ['AllowRebase', 'allow_rebase', true],
  ['AllowRebaseMerge', 'allow_rebase_explicit', true],
  ['AllowSquash', 'allow_squash_merge', true],
  ['AllowFastForwardOnly', 'allow_fast_forward_only_merge', true],
  ['AllowMergeUpdate', 'allow_merge_update', true],
  ['AllowRebaseUpdate', 'allow_rebase_update', true],
  ['AllowManualMerge', 'allow_manual_merge', false],
  ['AutodetectManualMerge', 'autodetect_manual_merge', false],
  ['DefaultDeleteBranchAfterMerge', 'default_delete_branch_after_merge', false],
  ['DefaultMergeStyle', 'default_merge_style', 'merge'],
  ['DefaultUpdateStyle', 'default_update_style', 'merge'],
  ['DefaultAllowMaintainerEdit', 'default_allow_maintainer_edit', true],
]

export function unitsOf(units: readonly UnitRow[]): string[] {
  const names = units.flatMap(({ type }) => UNITS[type] ?? [])
  return Object.values(UNITS).filter((unit) => names.includes(unit))
}

export function settingsOf(units: readonly UnitRow[]): object {
  const configs = new Map(units.map(({ type, config }) => [type, config]))
  const text = (type: number, name: string) => String(configs.get(type)?.[name] ?? '')
  const issues = configs.get(ISSUES)
  const merging = mergingOf(configs.get(PULLS) ?? {})
  const mode = text(PROJECTS, 'ProjectsMode')
  return {
    ...(Object.keys(merging).length > 0 ? { merging } : {}),
    ...(issues !== undefined && 'EnableTimetracker' in issues ? { internal_tracker: trackerOf(issues) } : {}),
    ...(configs.has(EXTERNAL_TRACKER)
      ? {
          external_tracker: {
            external_tracker_url: text(EXTERNAL_TRACKER, 'ExternalTrackerURL'),
            external_tracker_format: text(EXTERNAL_TRACKER, 'ExternalTrackerFormat'),
            external_tracker_style: text(EXTERNAL_TRACKER, 'ExternalTrackerStyle'),
            external_tracker_regexp_pattern: text(EXTERNAL_TRACKER, 'ExternalTrackerRegexpPattern'),
          },
        }
      : {}),
    ...(configs.has(EXTERNAL_WIKI)
      ? { external_wiki: { external_wiki_url: text(EXTERNAL_WIKI, 'ExternalWikiURL') } }
      : {}),
    ...(mode === 'repo' || mode === 'owner' ? { projects_mode: mode } : {}),
  }
}

/** A name that an older release did not write has its default. */
function mergingOf(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const differing = MERGING.filter(([theirs, , usual]) => {
    const value = config[theirs]
    return typeof value === typeof usual && value !== usual && value !== ''
  })
  return Object.fromEntries(differing.map(([theirs, ours]) => [ours, config[theirs]]))
}

function trackerOf(config: Readonly<Record<string, unknown>>): object {
  return {
    enable_time_tracker: config.EnableTimetracker === true,
    allow_only_contributors_to_track_time: config.AllowOnlyContributorsToTrackTime === true,
    enable_issue_dependencies: config.EnableDependencies === true,
  }
}
