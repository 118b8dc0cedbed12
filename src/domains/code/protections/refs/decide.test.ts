/** Tests of the decisions about protected refs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STRICT } from '../branches/settings.ts'
import { inOrder, pathFit, ruleFinder, tagFit } from '../rules/rules.ts'
import type { BranchProtectionRow, TagProtectionRow } from '../tables.ts'
import {
  type BranchMove,
  judgeBranch,
  judgeTag,
  type Mover,
  mayForcePush,
  mayMerge,
  mayPush,
  questionsAbout,
} from './decide.ts'

const THEN = new Date('2026-01-01T00:00:00Z')
const rule = (settings: Partial<BranchProtectionRow> = {}): BranchProtectionRow => {
  const times = { created_at: THEN, updated_at: THEN }
  return { ...STRICT, id: 1, repository_id: 1, rule_name: 'main', ...times, ...settings }
}
const person = (id: number, teamIds: number[] = [], mayWrite = true): Mover => {
  return { kind: 'person', id, teamIds, mayWrite, mayAdmin: false }
}
const [ann, bob, reader] = [person(1), person(2, [20]), person(3, [], false)]
const key: Mover = { kind: 'deploy key' }

const open = rule({ enable_push: true })
const listed = rule({
  enable_push: true,
  enable_push_whitelist: true,
  push_whitelist_user_ids: [1],
  push_whitelist_team_ids: [20],
})
const keysListed = { ...listed, push_whitelist_deploy_keys: true }
const forceable = { ...open, enable_force_push: true }
const forceListed = { ...forceable, enable_force_push_allowlist: true, force_push_allowlist_user_ids: [1] }

const MAY: readonly [
  what: string,
  ask: (rule: BranchProtectionRow, mover: Mover) => boolean,
  rule: BranchProtectionRow,
  allowed: Mover[],
  others: Mover[],
][] = [
  ['nobody pushes where nobody may', mayPush, rule(), [], [ann, key]],
  ['whoever may write pushes where everybody may', mayPush, open, [ann, bob, key], [reader]],
  ['only those listed push where some may', mayPush, listed, [ann, bob], [person(4), person(5, [21]), key]],
  ['deploy keys push where they are listed', mayPush, keysListed, [ann, key], [person(4)]],
  ['a list does not help where nobody may push', mayPush, { ...listed, enable_push: false }, [], [ann, bob]],
  ['nobody rewrites where it is not allowed', mayForcePush, open, [], [ann, key]],
  ['whoever may push rewrites where it is allowed', mayForcePush, forceable, [ann, bob, key], [reader]],
  ['only those listed rewrite where some may', mayForcePush, forceListed, [ann], [bob, key]],
  [
    'deploy keys rewrite where they are listed',
    mayForcePush,
    { ...forceListed, force_push_allowlist_deploy_keys: true },
    [key],
    [bob],
  ],
  [
    'a right to rewrite is none to push',
    mayForcePush,
    { ...forceListed, enable_push_whitelist: true, push_whitelist_user_ids: [2] },
    [],
    [ann, bob],
  ],
  ['whoever may write merges', mayMerge, rule(), [ann, bob], [reader]],
  [
    'only those listed merge where some may',
    mayMerge,
    rule({ enable_merge_whitelist: true, merge_whitelist_user_ids: [1], merge_whitelist_team_ids: [20] }),
    [ann, bob],
    [person(4)],
  ],
]

for (const [what, ask, asked, allowed, others] of MAY)
  test(what, () => {
    assert.deepEqual(
      allowed.filter((mover) => !ask(asked, mover)),
      [],
      'these may',
    )
    assert.deepEqual(
      others.filter((mover) => ask(asked, mover)),
      [],
      'these may not',
    )
  })

const plain: BranchMove = {
  branch: 'main',
  kind: 'update',
  isRewritten: false,
  unverified: undefined,
  protectedPath: undefined,
  isHarmless: false,
}

const MOVES: readonly [
  what: string,
  BranchProtectionRow,
  Mover,
  Partial<BranchMove>,
  refusal: RegExp | null,
][] = [
  ['a push by somebody who may', open, ann, {}, null],
  ['a push by somebody who may not', rule(), ann, {}, /protected branch: push is not allowed/],
  ['a branch that is made by somebody who may', listed, ann, { kind: 'create' }, null],
  [
    'a branch that is made by somebody who may not',
    listed,
    person(4),
    { kind: 'create' },
    /push is not allowed/,
  ],
  [
    'a deletion, even by somebody who may rewrite',
    forceable,
    ann,
    { kind: 'delete' },
    /deletion is not allowed/,
  ],
  ['a rewrite where nobody may', open, ann, { isRewritten: true }, /force push is not allowed/],
  ['a rewrite by somebody who may', forceable, ann, { isRewritten: true }, null],
  [
    'a rewrite by somebody who may only push',
    forceListed,
    bob,
    { isRewritten: true },
    /force push is not allowed/,
  ],
  ['a commit without a signature', open, ann, { unverified: 'abc' }, /commit abc has no verified signature/],
  ['a file that must not change', open, ann, { protectedPath: 'a.lock' }, /protected file "a.lock"/],
  ['a file with an odd name', open, ann, { protectedPath: 'a\nng b' }, /protected file "a\\nng b"/],
  ['files that everybody may change', rule(), ann, { isHarmless: true }, null],
  [
    'a rewrite of files that everybody may change',
    forceListed,
    bob,
    { isHarmless: true, isRewritten: true },
    /force push is not allowed/,
  ],
]

for (const [what, asked, mover, move, refusal] of MOVES)
  test(`${refusal === null ? 'allowed' : 'refused'}: ${what}`, () => {
    const found = judgeBranch(asked, mover, { ...plain, ...move })
    if (refusal === null) assert.equal(found, undefined)
    else {
      assert.match(found?.message ?? '', refusal)
      assert.equal(found?.kind, 'forbidden')
    }
  })

const admin: Mover = { kind: 'person', id: 9, teamIds: [], mayWrite: true, mayAdmin: true }

test('a merge is checked for signatures and protected files independent of push rights', () => {
  const strict = rule({ require_signed_commits: true, protected_file_patterns: '*.lock' })
  const asked = { rewriting: false, signatures: true, paths: true }
  assert.deepEqual(questionsAbout(strict, ann, 'update', 'merge'), asked)
  assert.equal(judgeBranch(strict, ann, plain, 'merge'), undefined, 'nobody may push, everybody may merge')
  const locked = { ...plain, protectedPath: 'a.lock' }
  assert.match(judgeBranch(strict, ann, locked, 'merge')?.message ?? '', /protected file/)
  assert.match(judgeBranch(strict, ann, locked, 'forced merge')?.message ?? '', /protected file/)
  assert.equal(judgeBranch(strict, admin, locked, 'forced merge'), undefined)
  const unsigned = { ...plain, unverified: 'abc' }
  assert.match(judgeBranch(strict, admin, unsigned, 'forced merge')?.message ?? '', /signature/)
  const harmless = rule({ enable_merge_whitelist: true, unprotected_file_patterns: '*.md' })
  assert.match(
    judgeBranch(harmless, ann, { ...plain, isHarmless: true }, 'merge')?.message ?? '',
    /merge is not allowed/,
  )
})

test('git runs only for facts that can change the decision', () => {
  const nothing = { rewriting: false, signatures: false, paths: false }
  const strict = rule({ require_signed_commits: true, protected_file_patterns: '*.lock' })
  assert.deepEqual(questionsAbout(strict, ann, 'update'), nothing, 'refused in any case')
  assert.deepEqual(questionsAbout({ ...strict, enable_push: true }, ann, 'delete'), nothing)
  assert.deepEqual(questionsAbout(open, ann, 'create'), nothing)
  assert.deepEqual(questionsAbout(open, ann, 'update'), { ...nothing, rewriting: true })
  assert.deepEqual(questionsAbout({ ...strict, enable_push: true }, ann, 'create'), {
    rewriting: false,
    signatures: true,
    paths: true,
  })
  assert.deepEqual(questionsAbout(rule({ unprotected_file_patterns: '*.md' }), ann, 'update'), {
    rewriting: true,
    signatures: false,
    paths: true,
  })
})

test('a protected tag can be updated by users and teams that one of its rules lists', () => {
  const tagRule = (users: number[], teams: number[] = []): TagProtectionRow => {
    const lists = { whitelist_user_ids: users, whitelist_team_ids: teams }
    return { id: 1, repository_id: 1, name_pattern: 'v*', ...lists, created_at: THEN, updated_at: THEN }
  }
  assert.equal(judgeTag('x', [], ann), undefined, 'not protected')
  assert.equal(judgeTag('v1', [tagRule([2]), tagRule([1])], ann), undefined, 'one rule is enough')
  assert.equal(judgeTag('v1', [tagRule([], [20])], bob), undefined, 'by a team')
  assert.match(judgeTag('v1', [tagRule([2])], ann)?.message ?? '', /v1 is a protected tag/)
  assert.equal(judgeTag('v1', [tagRule([2])], key)?.kind, 'invalid')
})

test('the first matching rule applies: by priority, then plain names before patterns, then the oldest', () => {
  const rules = [
    rule({ id: 1, rule_name: 'release/**', priority: 2 }),
    rule({ id: 2, rule_name: 'release/1', priority: 2 }),
    rule({ id: 3, rule_name: '**', priority: 3 }),
    rule({ id: 4, rule_name: 'release/2', priority: 9 }),
    rule({ id: 5, rule_name: '{a,b}', priority: 3, created_at: new Date(0) }),
    rule({ id: 6, rule_name: 'Main', priority: 1 }),
  ]
  assert.deepEqual(
    inOrder(rules).map(({ id }) => id),
    [6, 2, 1, 5, 3, 4],
  )
  const find = ruleFinder(rules)
  const found = ['release/1', 'release/2', 'release/1/x', 'a', 'main', 'Release/1/x'].map(
    (it) => find(it)?.id,
  )
  assert.deepEqual(found, [2, 1, 1, 5, 6, 3])
  assert.equal(ruleFinder([rule()])('next'), undefined)
})

test('path patterns are split, trimmed and case-insensitive; tag patterns may be regular expressions', () => {
  const fits = pathFit(' *.LOCK ; secret/** ;;')
  assert.deepEqual(
    ['x.lock', 'X.Lock', 'secret/a.b', 'a/x.lock', 'readme'].filter((it) => fits?.(it)),
    ['x.lock', 'X.Lock', 'secret/a.b'],
  )
  assert.equal(pathFit(' ; '), undefined)
  assert.deepEqual(['safe-1', 'unsafe-1'].filter(tagFit('/^safe-/')), ['safe-1'])
  assert.deepEqual(['safe-1/x', 'unsafe-1'].filter(tagFit('safe-*')), ['safe-1/x'])
})
