/** Enabling and disabling units: kept, dropped and refused settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditUnits } from '../schemas.ts'
import { changeUnits, type Units } from './change-units.ts'
import {
  externalTrackerOf,
  externalWikiOf,
  internalTrackerOf,
  mergingOf,
  projectsModeOf,
  UNITS_OF,
} from './settings.ts'

const fresh: Units = { units: UNITS_OF.plain, settings: {} }
const change = (before: Units, ...edits: EditUnits[]) => edits.reduce(changeUnits, before)

test('an empty edit changes nothing', () => {
  assert.deepEqual(changeUnits(fresh, {}), fresh)
})

for (const [unit, off, on] of [
  ['code', { has_code: false }, { has_code: true }],
  ['issues', { has_issues: false }, { has_issues: true }],
  ['wiki', { has_wiki: false }, { has_wiki: true }],
  ['pulls', { has_pull_requests: false }, { has_pull_requests: true }],
  ['projects', { has_projects: false }, { has_projects: true }],
  ['releases', { has_releases: false }, { has_releases: true }],
  ['packages', { has_packages: false }, { has_packages: true }],
  ['actions', { has_actions: false }, { has_actions: true }],
] as const)
  test(`${unit}: disabling and enabling are idempotent`, () => {
    const without = change(fresh, off, off)
    assert.ok(!without.units.includes(unit))
    assert.equal(without.units.length, fresh.units.length - 1)
    const again = change(without, on, on)
    assert.deepEqual([...again.units].sort(), [...fresh.units].sort())
  })

test('a repository has an internal or an external tracker, not both', () => {
  const external_tracker = { external_tracker_url: 'https://track.test/', external_tracker_style: 'numeric' }
  const away = change(fresh, { has_issues: true, external_tracker })
  assert.equal(internalTrackerOf(away), undefined)
  assert.equal(externalTrackerOf(away)?.external_tracker_url, 'https://track.test/')
  const back = change(away, { has_issues: true })
  assert.equal(externalTrackerOf(back), undefined)
  assert.equal(internalTrackerOf(back)?.enable_time_tracker, true)
})

test('omitted tracker settings are off, and settings are kept until issues are disabled', () => {
  const set = change(fresh, { has_issues: true, internal_tracker: { enable_time_tracker: true } })
  assert.deepEqual(internalTrackerOf(set), {
    enable_time_tracker: true,
    allow_only_contributors_to_track_time: false,
    enable_issue_dependencies: false,
  })
  assert.deepEqual(internalTrackerOf(change(set, { has_issues: true })), internalTrackerOf(set))
  const forgotten = change(set, { has_issues: false }, { has_issues: true })
  assert.equal(internalTrackerOf(forgotten)?.enable_issue_dependencies, true)
})

test('an external wiki replaces the internal one', () => {
  const away = change(fresh, { has_wiki: true, external_wiki: { external_wiki_url: 'http://wiki.test/' } })
  assert.deepEqual(externalWikiOf(away), { external_wiki_url: 'http://wiki.test/' })
  assert.ok(!away.units.includes('wiki'))
  assert.equal(externalWikiOf(change(away, { has_wiki: true })), undefined)
})

test('merge settings are kept field by field, and dropped when pull requests are disabled', () => {
  const set = change(fresh, { allow_rebase: false }, { default_merge_style: 'squash' })
  assert.deepEqual([mergingOf(set).allow_rebase, mergingOf(set).default_merge_style], [false, 'squash'])
  const off = change(set, { has_pull_requests: false })
  assert.deepEqual([mergingOf(off).allow_merge_commits, mergingOf(off).allow_manual_merge], [false, true])
  assert.equal(mergingOf(change(off, { has_pull_requests: true })).allow_rebase, true)
})

test('changing a merge setting enables pull requests, sending the current value does not', () => {
  const off = change(fresh, { has_pull_requests: false })
  assert.ok(!change(off, { allow_rebase: true }).units.includes('pulls'))
  assert.ok(change(off, { allow_rebase: false }).units.includes('pulls'))
})

test('projects_mode is kept while projects are enabled', () => {
  const set = change(fresh, { has_projects: true, projects_mode: 'owner' }, { has_projects: true })
  assert.equal(projectsModeOf(set), 'owner')
  assert.equal(projectsModeOf(change(set, { has_projects: false }, { has_projects: true })), 'all')
})

for (const [what, edit] of [
  ['a tracker without an address', { has_issues: true, external_tracker: {} }],
  ['a tracker at a file', { has_issues: true, external_tracker: { external_tracker_url: 'file:///etc' } }],
  [
    'a tracker with a format that is no address',
    {
      has_issues: true,
      external_tracker: { external_tracker_url: 'https://t.test', external_tracker_format: '{index}' },
    },
  ],
  ['a wiki without an address', { has_wiki: true, external_wiki: { external_wiki_url: 'nonsense' } }],
  ['no way to update a branch', { allow_merge_update: false, allow_rebase_update: false }],
  ['an unknown way to update a branch', { default_update_style: 'nonsense' }],
  ['a default that is not allowed', { default_update_style: 'rebase', allow_rebase_update: false }],
] as const)
  test(`${what} is refused`, () => {
    assert.throws(() => changeUnits(fresh, edit), { kind: 'invalid' })
  })
