/** Restrictions of credentials: a table of what they permit, and the property that a smaller token is never wider. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { atLeast, may, ownerAccess, UNITS, type Unit } from './index.ts'
import { routeRefusal } from './restricted-routes.ts'
import {
  isLimited,
  isPlaceWithin,
  isWithin,
  levelOf,
  mayActAsAuthor,
  mayComeFrom,
  narrowed,
  parseRange,
  parseRefPattern,
  type Restriction,
  refLimitOf,
  restrictAccess,
  UNRESTRICTED,
} from './restriction.ts'

const OWN = ownerAccess({
  isPrivate: true,
  isArchived: false,
  isQuarantined: false,
  enabledUnits: new Set(UNITS),
})
const HERE = { id: 12, ownerId: 7 }
const ELSEWHERE = { id: 13, ownerId: 8 }
const of = (limits: Partial<Restriction>): Restriction => ({ ...UNRESTRICTED, ...limits })
const inHere = [{ repositories: [12], owners: [] }]

const ACCESS: readonly [name: string, Restriction, place: typeof HERE, cells: string][] = [
  ['no limits', of({}), HERE, 'see read write join admin own'],
  ['only an end', of({ endsAt: new Date(1) }), HERE, 'see read write join admin own'],
  ['its repository', of({ places: inHere }), HERE, 'see read write join'],
  ['its repository, elsewhere', of({ places: inHere }), ELSEWHERE, ''],
  ['its owner', of({ places: [{ repositories: [], owners: [7] }] }), HERE, 'see read write join'],
  ['its owner, elsewhere', of({ places: [{ repositories: [], owners: [7] }] }), ELSEWHERE, ''],
  ['no place', of({ places: [{ repositories: [], owners: [] }] }), HERE, ''],
  [
    'two places that both hold',
    of({ places: [...inHere, { repositories: [], owners: [7] }] }),
    HERE,
    'see read write join',
  ],
  ['two places of which one fails', of({ places: [...inHere, { repositories: [], owners: [8] }] }), HERE, ''],
  ['read of code', of({ units: { code: 'read' } }), HERE, 'see read'],
  ['write of code', of({ units: { code: 'write' } }), HERE, 'see read write join'],
  ['owner of code is capped', of({ units: { code: 'owner' } }), HERE, 'see read write join'],
  ['another unit', of({ units: { issues: 'write' } }), HERE, 'see'],
  ['only refs', of({ refs: [['refs/heads/x']] }), HERE, 'see read write join'],
  ['only addresses', of({ addresses: [['10.0.0.0/8']] }), HERE, 'see read write join'],
  [
    'a job that writes',
    of({ holder: 'job', places: inHere, units: { code: 'write' } }),
    HERE,
    'see read write join',
  ],
  ['a job that reads', of({ holder: 'job', places: inHere, units: { code: 'read' } }), HERE, 'see read'],
  ['a job elsewhere', of({ holder: 'job', places: inHere, units: { code: 'write' } }), ELSEWHERE, ''],
]
for (const [name, restriction, place, cells] of ACCESS)
  test(`an owner with a token limited to ${name} may: ${cells || 'nothing'}`, () => {
    const access = restrictAccess(OWN, place, restriction)
    const found = [
      may(access, 'see') && 'see',
      may(access, 'read', 'code') && 'read',
      may(access, 'write', 'code') && 'write',
      may(access, 'join', 'code') && 'join',
      may(access, 'admin') && 'admin',
      may(access, 'own') && 'own',
    ]
    assert.equal(found.filter(Boolean).join(' '), cells)
  })

test('a restriction never gives what the account does not have', () => {
  const none = restrictAccess(
    { ...OWN, level: 'read', units: { ...OWN.units, code: 'read' } },
    HERE,
    of({ places: inHere }),
  )
  assert.equal(none.level, 'read')
  assert.equal(may(none, 'write', 'code'), false)
  const hidden = restrictAccess({ ...OWN, visible: false }, HERE, of({ places: inHere }))
  assert.equal(may(hidden, 'see'), false)
})

test('a reader of issues comments with a token that may write issues, and not with one that reads them', () => {
  const reader = { ...OWN, level: 'read' as const, units: { ...OWN.units, issues: 'read' as const } }
  assert.equal(may(restrictAccess(reader, HERE, of({ units: { issues: 'write' } })), 'join', 'issues'), true)
  assert.equal(may(restrictAccess(reader, HERE, of({ units: { issues: 'read' } })), 'join', 'issues'), false)
  assert.equal(mayActAsAuthor(of({ units: { issues: 'read' } }), 'issues'), false)
  assert.equal(mayActAsAuthor(of({ units: { issues: 'write' } }), 'issues'), true)
  assert.equal(mayActAsAuthor(of({ holder: 'job' }), 'issues'), false)
})

const RANGES: readonly [ranges: string[], from: string, isIn: boolean][] = [
  [['192.0.2.1/32'], '192.0.2.1', true],
  [['192.0.2.1/32'], '192.0.2.2', false],
  [['192.0.2.0/24'], '192.0.2.200', true],
  [['192.0.2.0/24'], '::ffff:192.0.2.200', true],
  [['192.0.2.0/24'], '::ffff:192.0.3.200', false],
  [['2001:db8::/32'], '2001:db8:1::5', true],
  [['2001:db8::/32'], '2001:db9::5', false],
  [['2001:db8::/32'], '192.0.2.1', false],
  [['0.0.0.0/0'], '192.0.2.1', true],
  [[], '192.0.2.1', false],
  [['0.0.0.0/0'], 'no address', false],
]
for (const [ranges, from, isIn] of RANGES)
  test(`a token limited to ${ranges.join(' ') || 'no address'} ${isIn ? 'admits' : 'refuses'} ${from}`, () =>
    assert.equal(mayComeFrom(of({ addresses: [ranges] }), from), isIn))

test('addresses and ref patterns have a normal form, and other texts none', () => {
  assert.equal(parseRange(' 10.0.0.0/8 '), '10.0.0.0/8')
  assert.equal(parseRange('::1'), '::1/128')
  for (const text of [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::1/129',
    'fe80::1%eth0',
    '10.0.0/8',
  ])
    assert.equal(parseRange(text), undefined, text)
  assert.equal(parseRefPattern('bot/*'), 'refs/heads/bot/*')
  assert.equal(parseRefPattern('refs/tags/v*'), 'refs/tags/v*')
  for (const text of ['', 'a b', 'a\u0000', '[a', 'a\\']) assert.equal(parseRefPattern(text), undefined, text)
})

test('a ref must fit a pattern of each list', () => {
  const fits = refLimitOf(of({ refs: [['refs/heads/bot/*', 'refs/tags/v*'], ['refs/heads/**']] }))
  assert.deepEqual(
    ['refs/heads/bot/a', 'refs/heads/bot/a/b', 'refs/heads/main', 'refs/tags/v1'].map((ref) => fits?.(ref)),
    [true, false, false, false],
  )
  assert.equal(refLimitOf(of({})), undefined)
  assert.equal(refLimitOf(of({ refs: [[]] }))?.('refs/heads/main'), false)
})

test('a restricted token reaches the listed routes alone', () => {
  const narrow = of({ places: inHere })
  const asked = (operationId: string, path: string, isRead = true) =>
    routeRefusal(narrow, { operationId, path, isRead, admitsRestricted: false }) === undefined
  assert.equal(asked('repoGet', '/repos/:owner/:repo'), true)
  assert.equal(asked('anything', '/repos/:owner/:repository'), false)
  assert.equal(asked('x', '/:owner/:repo.rss'), true)
  assert.equal(asked('createFork', '/repos/:owner/:repo/forks', false), false)
  assert.equal(asked('userCurrentPutStar', '/user/starred/:owner/:repo', false), false)
  assert.equal(asked('adminDeleteUnadopted', '/admin/unadopted/:owner/:repo', false), false)
  assert.equal(asked('aRouteOfTomorrow', '/tomorrow'), false)
})

const id = fc.integer({ min: 1, max: 3 })
const ids = fc.subarray([1, 2, 3])
const level = fc.constantFrom('none', 'read', 'write', 'admin', 'owner') as fc.Arbitrary<
  'none' | 'read' | 'write'
>
const PATTERNS = [
  'refs/heads/main',
  'refs/heads/*',
  'refs/heads/**',
  'refs/heads/bot/*',
  'refs/heads/bot/**',
  'refs/tags/v?',
  'refs/**',
  '**',
  'refs/heads/{main,bot/*}',
  'refs/heads/b[a-z]t/x',
  'refs/heads/\\*',
]
const NAMES = [
  'refs/heads/main',
  'refs/heads/bot/x',
  'refs/heads/bot/x/y',
  'refs/heads/bat/x',
  'refs/tags/v1',
  'refs/heads/*',
  'HEAD',
]
const NETWORKS = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.3/32',
  '0.0.0.0/0',
  '::/0',
  '2001:db8::/32',
  '2001:db8:1::/48',
  '::ffff:10.0.0.0/104',
]
const ADDRESSES = ['10.0.0.1', '10.1.2.3', '11.0.0.1', '2001:db8::1', '2001:db8:1::1', '::ffff:10.1.2.3']
const restriction: fc.Arbitrary<Restriction> = fc.record({
  holder: fc.constant('account' as const),
  places: fc.array(fc.record({ repositories: ids, owners: ids }), { maxLength: 2 }),
  units: fc.option(fc.dictionary(fc.constantFrom(...UNITS), level)),
  refs: fc.array(fc.subarray(PATTERNS), { maxLength: 2 }),
  addresses: fc.array(fc.subarray(NETWORKS), { maxLength: 2 }),
  endsAt: fc.option(fc.integer({ min: 1, max: 5 }).map((ms) => new Date(ms))),
})
interface Asked {
  readonly place: typeof HERE
  readonly unit: Unit
  readonly ref: string
  readonly address: string
  readonly now: Date
}
const request: fc.Arbitrary<Asked> = fc.record({
  place: fc.record({ id, ownerId: id }),
  unit: fc.constantFrom(...UNITS),
  ref: fc.constantFrom(...NAMES),
  address: fc.constantFrom(...ADDRESSES),
  now: fc.integer({ min: 0, max: 6 }).map((ms) => new Date(ms)),
})

const isEnded = ({ endsAt }: Restriction, now: Date) => endsAt !== null && endsAt <= now

/** Everything that `inner` permits for the request is permitted by `outer`. */
function assertNotWider(
  inner: Restriction,
  outer: Restriction,
  { place, unit, ref, address, now }: Asked,
): void {
  assert.ok(!isEnded(outer, now) || isEnded(inner, now), 'end')
  assert.ok(mayComeFrom(outer, address) || !mayComeFrom(inner, address), 'address')
  assert.ok(refLimitOf(outer)?.(ref) !== false || refLimitOf(inner)?.(ref) === false, 'ref')
  assert.ok(isPlaceWithin(outer, place) || !isPlaceWithin(inner, place), 'place')
  if (isLimited(outer)) assert.ok(atLeast(levelOf(outer, unit), levelOf(inner, unit)), 'unit')
  const [a, b] = [restrictAccess(OWN, place, inner), restrictAccess(OWN, place, outer)]
  assert.ok(atLeast(b.level, a.level), 'level')
  assert.ok(atLeast(b.units[unit], a.units[unit]), 'level of a unit')
  assert.ok(may(b, 'join', unit) || !may(a, 'join', unit), 'join')
  assert.ok(may(b, 'see') || !may(a, 'see'), 'see')
}

test('what isWithin accepts is wider in no way', () => {
  let accepted = 0
  fc.assert(
    fc.property(restriction, restriction, request, (inner, outer, asked) => {
      if (!isWithin(inner, outer)) return
      accepted++
      assertNotWider(inner, outer, asked)
    }),
    { numRuns: 50_000 },
  )
  assert.ok(accepted > 500, `only ${accepted} pairs were within`)
})

test('what narrowed makes is wider in no way, and isWithin accepts it', () => {
  fc.assert(
    fc.property(restriction, restriction, request, (outer, limits, asked) => {
      const inner = narrowed(outer, limits)
      assert.ok(isWithin(inner, outer), 'within')
      assertNotWider(inner, outer, asked)
      assertNotWider(inner, limits, asked)
    }),
    { numRuns: 10_000 },
  )
})
