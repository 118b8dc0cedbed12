/** Every role at every kind of repository, against a table written by hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Access,
  type AccessFacts,
  atLeast,
  canSeeOwner,
  decideAccess,
  LEVELS,
  type Level,
  may,
  type Owner,
  parseLevel,
  parseUnit,
  presentPermission,
  type TeamGrant,
  UNITS,
  type Unit,
  type Visibility,
  wireUnit,
} from './index.ts'

const LETTERS: Record<string, Level> = { '-': 'none', r: 'read', w: 'write', a: 'admin', o: 'owner' }

/**
 * A cell is the level on the repository, a colon, and the level on each unit in this order: code issues pulls releases
 * wiki projects packages actions ext_issues ext_wiki. The five most common cells have a sign; a dot is a repository that
 * is invisible to the caller.
 */
const ABSENT = '-:----------'
const SIGNS: Record<string, string> = {
  '.': ABSENT,
  r: 'r:rrrrrrrrrr',
  w: 'w:wwwwwwwwrr',
  a: 'a:aaaaaaaarr',
  o: 'o:oooooooorr',
}

/** Callers with the same level on each unit, in repositories of users (U), organizations (O) or both. */
const MATRIX = `
caller                    |public open |public shut |limited open |limited shut |private open |private shut
UO nobody                 |r           |.           |.            |.            |.            |.
UO stranger               |r           |.           |r            |.            |.            |.
UO restricted stranger    |r           |.           |.            |.            |.            |.
UO public-only stranger   |r           |.           |.            |.            |.            |.
UO reader                 |r           |r           |r            |r            |r            |r
UO writer                 |w           |w           |w            |w            |w            |w
UO admin                  |a           |a           |a            |a            |a            |a
UO restricted reader      |r           |r           |r            |r            |r            |r
UO restricted writer      |w           |w           |w            |w            |w            |w
UO public-only writer     |w           |.           |.            |.            |.            |.
UO site admin             |o           |o           |o            |o            |o            |o
UO restricted site admin  |o           |o           |o            |o            |o            |o
UO public-only site admin |o           |.           |.            |.            |.            |.
U  owner                  |o           |o           |o            |o            |o            |o
U  restricted owner       |o           |o           |o            |o            |o            |o
U  public-only owner      |o           |.           |.            |.            |.            |.
O  member                 |r           |.           |r            |.            |r            |.
O  restricted member      |r           |.           |.            |.            |.            |.
O  public-only member     |r           |.           |.            |.            |.            |.
O  team without anything  |r           |.           |r            |.            |r            |.
O  team of admins         |o           |o           |o            |o            |o            |o
O  team of owners         |o           |o           |o            |o            |o            |o
O  restricted org owner   |o           |o           |o            |o            |o            |o
O  public-only org owner  |o           |.           |.            |.            |.            |.
`

/** Callers whose teams have only some of the units. */
const TEAMS = `
caller               | public open  | public shut  | limited open | limited shut | private open | private shut
O tester             | r:rwrrrrrrrr | -:-w-------- | r:rwrrrrrrrr | -:-w-------- | r:rwrrrrrrrr | -:-w--------
O restricted tester  | r:rwrrrrrrrr | -:-w-------- | -:-w-------- | -:-w-------- | -:-w-------- | -:-w--------
O public-only tester | r:rwrrrrrrrr | .            | .            | .            | .            | .
O wiki keeper        | r:rrrrarrrrr | -:r---a----- | r:rrrrarrrrr | -:r---a----- | r:rrrrarrrrr | -:r---a-----
O tester and keeper  | r:rwrrarrrrr | -:rw--a----- | r:rwrrarrrrr | -:rw--a----- | r:rwrrarrrrr | -:rw--a-----
O tester and reader  | r:rwrrrrrrrr | r:rwrrrrrrrr | r:rwrrrrrrrr | r:rwrrrrrrrr | r:rwrrrrrrrr | r:rwrrrrrrrr
O unitless writer    | w:rrrrrrrrrr | w:---------- | w:rrrrrrrrrr | w:---------- | w:rrrrrrrrrr | w:----------
`

type Caller = Pick<AccessFacts, 'actor' | 'collaboration' | 'teams' | 'isOrganizationMember'>

const OWNER_ID = 7
const someone = { id: 1, isAdmin: false, isRestricted: false, publicOnly: false }
const restricted = { ...someone, isRestricted: true }
const publicOnly = { ...someone, publicOnly: true }
const nobody: Caller = { actor: null, collaboration: null, teams: [], isOrganizationMember: false }
const stranger: Caller = { ...nobody, actor: someone }
const member: Caller = { ...stranger, isOrganizationMember: true }

const issues: TeamGrant = { level: 'none', units: { issues: 'write' } }
const wiki: TeamGrant = { level: 'none', units: { code: 'read', wiki: 'admin', pulls: 'none' } }
const owners: TeamGrant = { level: 'owner', units: Object.fromEntries(UNITS.map((unit) => [unit, 'owner'])) }

const CALLERS: Record<string, Caller> = {
  nobody,
  stranger,
  'restricted stranger': { ...stranger, actor: restricted },
  'public-only stranger': { ...stranger, actor: publicOnly },
  reader: { ...stranger, collaboration: 'read' },
  writer: { ...stranger, collaboration: 'write' },
  admin: { ...stranger, collaboration: 'admin' },
  'restricted reader': { ...stranger, actor: restricted, collaboration: 'read' },
  'restricted writer': { ...stranger, actor: restricted, collaboration: 'write' },
  'public-only writer': { ...stranger, actor: publicOnly, collaboration: 'write' },
  'site admin': { ...stranger, actor: { ...someone, isAdmin: true } },
  'restricted site admin': { ...stranger, actor: { ...restricted, isAdmin: true } },
  'public-only site admin': { ...stranger, actor: { ...publicOnly, isAdmin: true } },
  owner: { ...stranger, actor: { ...someone, id: OWNER_ID } },
  'restricted owner': { ...stranger, actor: { ...restricted, id: OWNER_ID } },
  'public-only owner': { ...stranger, actor: { ...publicOnly, id: OWNER_ID } },
  member,
  'restricted member': { ...member, actor: restricted },
  'public-only member': { ...member, actor: publicOnly },
  tester: { ...member, teams: [issues] },
  'restricted tester': { ...member, actor: restricted, teams: [issues] },
  'public-only tester': { ...member, actor: publicOnly, teams: [issues] },
  'wiki keeper': { ...member, teams: [wiki] },
  'tester and keeper': { ...member, teams: [issues, wiki] },
  'tester and reader': { ...member, teams: [issues], collaboration: 'read' },
  'unitless writer': { ...member, teams: [{ level: 'write', units: {} }] },
  'team without anything': { ...member, teams: [{ level: 'none', units: { code: 'none' } }] },
  'team of admins': { ...member, teams: [{ level: 'admin', units: {} }] },
  'team of owners': { ...member, teams: [owners] },
  'restricted org owner': { ...member, actor: restricted, teams: [owners] },
  'public-only org owner': { ...member, actor: publicOnly, teams: [owners] },
}

interface Cell {
  readonly name: string
  readonly facts: AccessFacts
  readonly expected: string
}

const cells = readCells()

test('the matrix has every caller once', () => {
  const named = [MATRIX, TEAMS].flatMap(readTable).map(({ row }) => row.replace(/^[UO]+ +/, ''))
  assert.deepEqual([...new Set(named)].toSorted(), Object.keys(CALLERS).toSorted())
  const [both, users, organizations] = [13, 3, 15]
  assert.equal(named.length, (both + users + organizations) * 6)
  assert.equal(cells.length, (both * 2 + users + organizations) * 6)
})

for (const { name, facts, expected } of cells) {
  test(name, () => assertAccess(decideAccess(facts), expected))

  test(`${name}, one unit disabled at a time`, () => {
    for (const unit of UNITS) {
      const enabledUnits = new Set(UNITS.filter((it) => it !== unit))
      const access = decideAccess({ ...facts, repository: { ...facts.repository, enabledUnits } })
      assertAccess(access, turnedOff(expected, unit))
    }
  })

  test(`${name}, archived: only the archived flag changes`, () => {
    const before = decideAccess(facts)
    const after = decideAccess({ ...facts, repository: { ...facts.repository, isArchived: true } })
    assert.equal(before.archived, false)
    assert.deepEqual(after, { ...before, archived: true })
  })
}

test('an owner still sees a repository whose units are all disabled', () => {
  const cell = cells.find(({ name }) => name.startsWith('owner of a user, private shut'))
  assert(cell !== undefined)
  const repository = { ...cell.facts.repository, enabledUnits: new Set<Unit>() }
  const access = decideAccess({ ...cell.facts, repository })
  assertAccess(access, 'o:----------')
})

test('a user with the same id as the owning organization is not its owner', () => {
  const facts = factsOf({ ...stranger, actor: { ...someone, id: OWNER_ID } }, 'organization', 'public', true)
  assertAccess(decideAccess(facts), ABSENT)
})

for (const [what, facts] of Object.entries({
  'a grant to nobody': factsOf({ ...nobody, collaboration: 'read' }, 'user', 'public', false),
  'a team of a user': factsOf({ ...member, teams: [issues] }, 'user', 'public', false),
  'a team without membership': factsOf({ ...stranger, teams: [issues] }, 'organization', 'public', false),
}))
  test(`contradictory facts throw: ${what}`, () => {
    assert.throws(() => decideAccess(facts), { name: 'AssertionError' })
  })

const OWNERS = `
viewer                  | public user | limited user | private user | public org | limited org | private org
nobody                  | yes         | no           | no           | yes        | no          | no
stranger                | yes         | yes          | no           | yes        | yes         | no
restricted stranger     | yes         | no           | no           | yes        | no          | no
site admin              | yes         | yes          | yes          | yes        | yes         | yes
restricted site admin   | yes         | yes          | yes          | yes        | yes         | yes
same number             | yes         | yes          | yes          | yes        | yes         | no
restricted, same number | yes         | yes          | yes          | yes        | no          | no
member                  | yes         | yes          | no           | yes        | yes         | yes
restricted member       | yes         | no           | no           | yes        | yes         | yes
followed by the owner   | yes         | yes          | yes          | yes        | yes         | no
restricted, followed    | yes         | no           | no           | yes        | no          | no
shares an organization  | yes         | yes          | yes          | yes        | yes         | no
restricted, shares one  | yes         | no           | no           | yes        | no          | no
`
const none = { isMember: false }
const VIEWERS: Record<
  string,
  readonly [Parameters<typeof canSeeOwner>[0], Parameters<typeof canSeeOwner>[2]]
> = {
  nobody: [null, none],
  stranger: [someone, none],
  'restricted stranger': [restricted, none],
  'site admin': [{ ...someone, isAdmin: true }, none],
  'restricted site admin': [{ ...restricted, isAdmin: true }, none],
  'same number': [{ ...someone, id: OWNER_ID }, none],
  'restricted, same number': [{ ...restricted, id: OWNER_ID }, none],
  member: [someone, { isMember: true }],
  'restricted member': [restricted, { isMember: true }],
  'followed by the owner': [someone, { ...none, isFollowedByOwner: true }],
  'restricted, followed': [restricted, { ...none, isFollowedByOwner: true }],
  'shares an organization': [someone, { ...none, sharesOrganization: true }],
  'restricted, shares one': [restricted, { ...none, sharesOrganization: true }],
}

for (const { row, column, text } of readTable(OWNERS)) {
  const sees = text === 'yes'
  test(`${row}: ${sees ? 'sees' : 'does not see'} a ${column}`, () => {
    const [visibility, kind] = column.split(' ')
    const viewer = VIEWERS[row]
    assert(viewer !== undefined && (text === 'yes' || text === 'no'))
    const owner = { id: OWNER_ID, kind: kind === 'org' ? 'organization' : 'user', visibility } as Owner
    assert.equal(canSeeOwner(viewer[0], owner, viewer[1]), sees)
  })
}

test('users who can see a private user cannot thereby read the repositories of that user', () => {
  const facts = factsOf(stranger, 'user', 'private', false)
  assert.equal(canSeeOwner(facts.actor, facts.owner, { isMember: false, sharesOrganization: true }), true)
  assertAccess(decideAccess(facts), ABSENT)
})

test('units and levels round-trip through their wire names', () => {
  assert.equal(wireUnit('code'), 'repo.code')
  assert.equal(wireUnit('ext_wiki'), 'repo.ext_wiki')
  for (const unit of UNITS) assert.equal(parseUnit(wireUnit(unit)), unit)
  for (const text of ['', 'code', 'repo.', 'repo.kitchen', 'repo.constructor'])
    assert.equal(parseUnit(text), undefined)
  for (const level of LEVELS) assert.equal(parseLevel(level), level)
  for (const text of ['', 'king', 'Read', 'constructor']) assert.equal(parseLevel(text), 'none')
})

test('an unknown level compares as insufficient on either side', () => {
  assert.equal(atLeast('king' as Level, 'none'), false)
  assert.equal(atLeast('owner', 'king' as Level), false)
})

test('permissions of a repository are those of its code unit', () => {
  const of = (caller: Caller, isPrivate: boolean) =>
    presentPermission(decideAccess(factsOf(caller, 'organization', 'public', isPrivate)))
  assert.deepEqual(of(nobody, false), { admin: false, push: false, pull: true })
  assert.deepEqual(of({ ...stranger, collaboration: 'write' }, true), {
    admin: false,
    push: true,
    pull: true,
  })
  assert.deepEqual(of({ ...stranger, collaboration: 'admin' }, true), { admin: true, push: true, pull: true })
  assert.deepEqual(of({ ...member, teams: [issues] }, true), { admin: false, push: false, pull: false })
})

/** Asserts the level, each unit and the result of each action. */
function assertAccess(access: Access, expected: string): void {
  const level = expected.charAt(0)
  const units = expected.slice(2)
  assert.equal(access.level, LETTERS[level])
  assert.equal(may(access, 'see'), /[rwao]/.test(expected), 'see')
  assert.equal(may(access, 'admin'), 'ao'.includes(level), 'admin')
  assert.equal(may(access, 'own'), level === 'o', 'own')
  assert.equal(units.length, UNITS.length)
  for (const [index, unit] of UNITS.entries()) {
    const letter = units.charAt(index)
    assert.equal(access.units[unit], LETTERS[letter], unit)
    assert.equal(may(access, 'read', unit), 'rwao'.includes(letter), `read ${unit}`)
    assert.equal(may(access, 'write', unit), 'wao'.includes(letter), `write ${unit}`)
  }
}

function turnedOff(expected: string, unit: Unit): string {
  const at = 2 + UNITS.indexOf(unit)
  return `${expected.slice(0, at)}-${expected.slice(at + 1)}`
}

function readCells(): Cell[] {
  return [MATRIX, TEAMS].flatMap(readTable).flatMap(({ row, column, text }) => {
    const [, kinds, name] = /^([UO]+) +(.+)$/.exec(row) ?? []
    assert(kinds !== undefined && name !== undefined)
    const caller = CALLERS[name]
    assert(caller !== undefined, `no caller ${name}`)
    const [visibility, door] = column.split(' ') as [Visibility, string]
    return [...kinds].map((letter) => {
      const kind = letter === 'U' ? 'user' : 'organization'
      return {
        name: `${name} of a ${kind}, ${column}: ${text}`,
        facts: factsOf(caller, kind, visibility, door === 'shut'),
        expected: SIGNS[text] ?? text,
      }
    })
  })
}

function readTable(table: string): { row: string; column: string; text: string }[] {
  const [head, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((text) => text.trim()))
  return rows.flatMap(([row = '', ...texts]) =>
    texts.map((text, index) => ({ row, column: head?.[index + 1] ?? '', text })),
  )
}

function factsOf(
  caller: Caller,
  kind: Owner['kind'],
  visibility: Visibility,
  isPrivate: boolean,
): AccessFacts {
  return {
    ...caller,
    owner: { id: OWNER_ID, kind, visibility },
    repository: { isPrivate, isArchived: false, isQuarantined: false, enabledUnits: new Set(UNITS) },
  }
}
