/** Tests of the merge conditions of a pull request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STRICT } from '../branches/settings.ts'
import type { Mover, Way } from '../refs/decide.ts'
import type { BranchProtectionRow } from '../tables.ts'
import {
  type Condition,
  conditionsOf,
  type MergeFacts,
  type RuledFacts,
  unmetConditions,
} from './conditions.ts'
import { facing, ruleAsked } from './merge-rule.ts'

type Rule = BranchProtectionRow
const THEN = new Date('2026-01-01T00:00:00Z')
const rule = (settings: Partial<Rule> = {}): Rule => {
  const times = { created_at: THEN, updated_at: THEN }
  return { ...STRICT, id: 1, repository_id: 1, rule_name: 'main', ...times, ...settings }
}
const writer = { kind: 'person', teamIds: [], mayWrite: true, mayAdmin: false } as const
const ann: Mover = { ...writer, id: 1 }
const bob: Mover = { ...writer, id: 2, teamIds: [20] }
const reader: Mover = { ...writer, id: 3, mayWrite: false }
const admin: Mover = { ...writer, id: 9, mayAdmin: true }
const key: Mover = { kind: 'deploy key' }

const ruled: RuledFacts = {
  checks: 'success',
  approvals: 2,
  isRejected: false,
  hasOfficialRequests: false,
  lacksCodeOwners: false,
  isOutdated: false,
}
const good: MergeFacts = {
  isDraft: false,
  isBlocked: false,
  mergeability: 'mergeable',
  conflictedPaths: [],
  ruled,
}
const kindsOf = (conditions: readonly Condition[]) => conditions.map(({ kind }) => kind)

/** Facts that prevent a merge under any rule. */
const FLAWS: readonly [Condition['kind'], Partial<MergeFacts>][] = [
  ['ready', { isDraft: true }],
  ['unblocked', { isBlocked: true }],
  ['mergeable', { mergeability: 'conflict' }],
  ['mergeable', { mergeability: 'checking' }],
  ['mergeable', { mergeability: 'merged' }],
  ['mergeable', { mergeability: 'unrelated' }],
  ['mergeable', { mergeability: 'error' }],
]
/** Demands of a rule, and facts that do not meet them. */
const DEMANDS: readonly [Condition['kind'], Partial<Rule>, Partial<RuledFacts>][] = [
  ['checks', { enable_status_check: true }, { checks: 'pending' }],
  ['checks', { enable_status_check: true }, { checks: 'failure' }],
  ['approvals', { required_approvals: 2 }, { approvals: 1 }],
  ['not rejected', { block_on_rejected_reviews: true }, { isRejected: true }],
  ['requests answered', { block_on_official_review_requests: true }, { hasOfficialRequests: true }],
  ['owners', { block_on_codeowner_reviews: true }, { lacksCodeOwners: true }],
  ['up to date', { block_on_outdated_branch: true }, { isOutdated: true }],
]
/** Who bypasses a demand: name, mover, allowlists of the rule, way of merging, expected outcome. */
const PASSES: readonly (readonly [string, Mover, Partial<BranchProtectionRow>, Way, boolean])[] = [
  ['a writer', ann, {}, 'merge', false],
  ['a writer who insists', ann, {}, 'forced merge', false],
  ['an administrator', admin, {}, 'merge', false],
  ['an administrator who insists', admin, {}, 'forced merge', true],
  [
    'an administrator who insists in vain',
    admin,
    { block_admin_merge_override: true },
    'forced merge',
    false,
  ],
  [
    'somebody listed who insists',
    ann,
    { enable_bypass_allowlist: true, bypass_allowlist_user_ids: [1] },
    'forced merge',
    true,
  ],
  [
    'somebody of a team who insists',
    bob,
    { enable_bypass_allowlist: true, bypass_allowlist_team_ids: [20] },
    'forced merge',
    true,
  ],
  [
    'somebody listed who does not insist',
    ann,
    { enable_bypass_allowlist: true, bypass_allowlist_user_ids: [1] },
    'merge',
    false,
  ],
  ['somebody on a list that is switched off', ann, { bypass_allowlist_user_ids: [1] }, 'forced merge', false],
  [
    'somebody listed where administrators are held',
    ann,
    { enable_bypass_allowlist: true, bypass_allowlist_user_ids: [1], block_admin_merge_override: true },
    'forced merge',
    true,
  ],
]

for (const [kind, flaw] of FLAWS)
  test(`not ${kind} (${Object.values(flaw)}): merging is refused with a rule and without`, () => {
    for (const asked of [undefined, rule()]) {
      assert.deepEqual(unmetConditions(asked, good), [])
      assert.deepEqual(kindsOf(unmetConditions(asked, { ...good, ...flaw })), [kind])
    }
  })

for (const [kind, demand, flaw] of DEMANDS) {
  const flawed = { ...good, ruled: { ...ruled, ...flaw } }
  const what = `not ${kind} (${Object.values(flaw)})`
  test(`${what}: merging is refused only if the rule demands it`, () => {
    assert.deepEqual(unmetConditions(undefined, flawed), [])
    assert.deepEqual(unmetConditions(rule(), flawed), [])
    assert.deepEqual(unmetConditions(rule(demand), good), [])
    assert.deepEqual(kindsOf(unmetConditions(rule(demand), flawed)), [kind])
  })
  for (const [who, mover, lists, way, gets] of PASSES)
    test(`${what}: ${who} ${gets ? 'bypasses it' : 'is refused'}`, () => {
      const asked = ruleAsked(facing(rule({ ...demand, ...lists }), mover), way)
      assert.equal(unmetConditions(asked, flawed).length === 0, gets)
    })
}

const everything = rule(Object.assign({}, ...DEMANDS.map(([, demand]) => demand)))
const flawless = { ...good, ruled }
const hopeless: MergeFacts = {
  ...Object.assign({}, good, ...FLAWS.map(([, flaw]) => flaw)),
  ruled: Object.assign({}, ruled, ...DEMANDS.map(([, , flaw]) => flaw)),
}
const ORDER = [...new Set([...FLAWS, ...DEMANDS].map(([kind]) => kind))]

test('conditions are listed in the order in which they refuse, met or unmet', () => {
  assert.deepEqual(kindsOf(unmetConditions(everything, hopeless)), ORDER)
  assert.deepEqual(kindsOf(conditionsOf(everything, flawless)), ORDER, 'as is what is met')
})

test('conditions whose facts are unknown are left out', () => {
  const unknown = { ...hopeless, mergeability: null }
  const later = { ...ruled, checks: null, isOutdated: null }
  assert.deepEqual(kindsOf(conditionsOf(everything, { ...unknown, ruled: later })), [
    'ready',
    'unblocked',
    'approvals',
    'not rejected',
    'requests answered',
    'owners',
  ])
})

test('missing facts about a rule throw instead of counting as met', () => {
  assert.throws(() => unmetConditions(everything, { ...good, ruled: null }))
})

test('a forced merge bypasses the rule, but not draft, dependency and conflict checks', () => {
  const asked = ruleAsked(facing(everything, admin), 'forced merge')
  assert.deepEqual(kindsOf(unmetConditions(asked, hopeless)), ['ready', 'unblocked', 'mergeable'])
})

test('a pull request without new changes can be merged', () => {
  assert.deepEqual(unmetConditions(undefined, { ...good, mergeability: 'empty' }), [])
})

test('a condition reports its finding, the demand and the names concerned', () => {
  const checked = rule({ enable_status_check: true, status_check_contexts: ['ci/*'], required_approvals: 3 })
  const clashing = { ...good, mergeability: 'conflict', conflictedPaths: ['a.md'] }
  assert.deepEqual(unmetConditions(checked, { ...clashing, ruled: { ...ruled, checks: 'pending' } }), [
    { kind: 'mergeable', isMet: false, found: 'conflict', names: ['a.md'] },
    { kind: 'checks', isMet: false, found: 'pending', names: ['ci/*'] },
    { kind: 'approvals', isMet: false, wanted: 3, given: 2 },
  ])
})

test('a user who may not merge cannot bypass the rule either', () => {
  const listedOnly = rule({ enable_merge_whitelist: true, merge_whitelist_user_ids: [1, 3] })
  assert.equal(facing(listedOnly, ann).mayMerge, true)
  for (const mover of [admin, bob, reader, key]) {
    const { mayMerge, mayBypass } = facing(listedOnly, mover)
    assert.deepEqual([mayMerge, mayBypass], [false, false])
  }
})
