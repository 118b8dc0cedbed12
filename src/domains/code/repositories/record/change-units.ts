/** Enables, disables and configures units: a pure function of the current units and the request. */
import type { Unit } from '#domains/people/access'
import { invalid } from '#platform/problem'
import { type EditUnits, mergingFields } from '../schemas.ts'
import {
  type ExternalTracker,
  type ExternalWiki,
  type InternalTracker,
  type Merging,
  mergingOf,
  type RepositorySettings,
} from './settings.ts'

export interface Units {
  readonly units: readonly string[]
  readonly settings: RepositorySettings
}

/** Omitted fields stay unchanged. Disabling a unit drops its settings. */
export function changeUnits(before: Units, edit: EditUnits): Units {
  const steps = [changeIssues, changeWiki, changePulls, changeProjects, changePlain]
  return steps.reduce((units, step) => step(units, edit), before)
}

/** A repository has an internal or an external tracker, not both. */
function changeIssues(before: Units, edit: EditUnits): Units {
  if (edit.has_issues === undefined) return before
  const { internal_tracker: _, external_tracker: __, ...others } = before.settings
  const without = turn(turn(before, 'issues', false), 'ext_issues', false)
  if (!edit.has_issues) return { ...without, settings: others }
  if (edit.external_tracker !== undefined) {
    const external_tracker = externalTracker(edit.external_tracker)
    return { ...turn(without, 'ext_issues', true), settings: { ...others, external_tracker } }
  }
  const kept = edit.internal_tracker
    ? internalTracker(edit.internal_tracker)
    : before.settings.internal_tracker
  const settings = kept === undefined ? others : { ...others, internal_tracker: kept }
  return { ...turn(without, 'issues', true), settings }
}

function changeWiki(before: Units, edit: EditUnits): Units {
  if (edit.has_wiki === undefined) return before
  const { external_wiki: _, ...others } = before.settings
  const without = turn(turn(before, 'wiki', false), 'ext_wiki', false)
  if (!edit.has_wiki) return { ...without, settings: others }
  if (edit.external_wiki === undefined) return { ...turn(without, 'wiki', true), settings: others }
  const external_wiki = externalWiki(edit.external_wiki)
  return { ...turn(without, 'ext_wiki', true), settings: { ...others, external_wiki } }
}

/** Compat: changing a merge setting enables pull requests. */
function changePulls(before: Units, edit: EditUnits): Units {
  const { merging: kept, ...others } = before.settings
  if (edit.has_pull_requests === false) return { ...turn(before, 'pulls', false), settings: others }
  const on = turn(before, 'pulls', true)
  const asked = mergingAsked(edit)
  const now = mergingOf(on)
  const isNews = Object.entries(asked).some(([name, value]) => now[name as keyof Merging] !== value)
  if (!isNews) return edit.has_pull_requests ? on : before
  const after = { ...on, settings: { ...others, merging: { ...kept, ...asked } } }
  assertUpdates(mergingOf(after), asked)
  return after
}

function changeProjects(before: Units, edit: EditUnits): Units {
  if (edit.has_projects === undefined) return before
  const { projects_mode: kept, ...others } = before.settings
  if (!edit.has_projects) return { ...turn(before, 'projects', false), settings: others }
  const projects_mode = edit.projects_mode ?? kept
  const settings = projects_mode === undefined ? others : { ...others, projects_mode }
  return { ...turn(before, 'projects', true), settings }
}

/** Units without settings. */
function changePlain(before: Units, edit: EditUnits): Units {
  const wanted: readonly (readonly [Unit, boolean | undefined])[] = [
    ['code', edit.has_code],
    ['releases', edit.has_releases],
    ['packages', edit.has_packages],
    ['actions', edit.has_actions],
  ]
  return wanted.reduce(
    (units, [unit, isOn]) => (isOn === undefined ? units : turn(units, unit, isOn)),
    before,
  )
}

function turn(before: Units, unit: Unit, isOn: boolean): Units {
  const others = before.units.filter((it) => it !== unit)
  return { ...before, units: isOn ? [...others, unit] : others }
}

function mergingAsked(edit: EditUnits): Partial<Merging> {
  const names = Object.keys(mergingFields) as (keyof Merging)[]
  return Object.fromEntries(names.flatMap((name) => (edit[name] === undefined ? [] : [[name, edit[name]]])))
}

/** At least one update style must be allowed, and the default style must be an allowed one. */
function assertUpdates(merging: Merging, asked: Partial<Merging>): void {
  const isAsked = ['allow_merge_update', 'allow_rebase_update', 'default_update_style'].some(
    (it) => it in asked,
  )
  if (!isAsked) return
  const allowed = { merge: merging.allow_merge_update, rebase: merging.allow_rebase_update }
  if (!allowed.merge && !allowed.rebase) throw invalid('at least one update style must be allowed')
  const style = merging.default_update_style
  if (style !== 'merge' && style !== 'rebase') throw invalid('unknown default update style', { style })
  if (!allowed[style]) throw invalid('default update style is not allowed', { style })
}

/** Compat: omitted tracker settings are off. */
function internalTracker(input: NonNullable<EditUnits['internal_tracker']>): InternalTracker {
  return {
    enable_time_tracker: input.enable_time_tracker ?? false,
    allow_only_contributors_to_track_time: input.allow_only_contributors_to_track_time ?? false,
    enable_issue_dependencies: input.enable_issue_dependencies ?? false,
  }
}

function externalTracker(input: NonNullable<EditUnits['external_tracker']>): ExternalTracker {
  const url = input.external_tracker_url ?? ''
  const format = input.external_tracker_format ?? ''
  if (!isAddress(url)) throw invalid('external tracker URL not valid', { url })
  if (format !== '' && !isAddress(format.replaceAll(/\{(?:user|repo|index)\}/g, '1')))
    throw invalid('external tracker URL format not valid', { format })
  return {
    external_tracker_url: url,
    external_tracker_format: format,
    external_tracker_style: input.external_tracker_style ?? '',
    external_tracker_regexp_pattern: input.external_tracker_regexp_pattern ?? '',
  }
}

function externalWiki(input: NonNullable<EditUnits['external_wiki']>): ExternalWiki {
  const url = input.external_wiki_url ?? ''
  if (!isAddress(url)) throw invalid('invalid external wiki URL', { url })
  return { external_wiki_url: url }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
