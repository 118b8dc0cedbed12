/** The abilities of callers on a repository. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Access, abilitiesOf, decideAccess, type Level, UNITS, type Unit } from './index.ts'

/**
 * One character for each unit in the order of UNITS: `-` nothing, `r` read, `j` join, `w` write. Then the abilities on the
 * whole repository: `a` admin, `o` own, `s` star and watch, `f` fork.
 */
const TABLE = `
who                 | open            | archived        | mirror          | blocked
nobody              | rrrrrrrrrr      | rrrrrrrrrr      | rrrrrrrrrr      | rrrrrrrrrr
stranger            | jjjjjjjjjj sf   | rrrrrrrrrr sf   | jjjjjjjjjj sf   | rrrrrrrrrr
writer              | wwwwwwwwjj sf   | rrrrrrrrrr sf   | jwwwjwwwjj sf   | wwwwwwwwrr
administrator       | wwwwwwwwjj asf  | rrrrrrrrrr asf  | jwwwjwwwjj asf  | wwwwwwwwjj a
owner               | wwwwwwwwjj aosf | rrrrrrrrrr aosf | jwwwjwwwjj aosf | wwwwwwwwjj ao
reader of issues    | -j-------- s    | -r-------- s    | -j-------- s    | -r--------
writer of wiki      | ----w----- s    | ----r----- s    | ----j----- s    | ----w-----
reader of code      | j--------- sf   | r--------- sf   | j--------- sf   | r---------
writer of code      | w--------- sf   | r--------- sf   | j--------- sf   | w---------
`

const nobody = { actor: null, collaboration: null, teams: [], isOrganizationMember: false }
const actor = { id: 1, isAdmin: false, isRestricted: false, publicOnly: false }
const stranger = { ...nobody, actor }
const teamWith = (unit: Unit, level: Level) => ({
  ...stranger,
  isOrganizationMember: true,
  teams: [{ level: 'none' as const, units: { [unit]: level } }],
})
const OPEN = { nobody, stranger }
const SHUT = {
  writer: { ...stranger, collaboration: 'write' as const },
  administrator: { ...stranger, collaboration: 'admin' as const },
  owner: { ...stranger, actor: { ...actor, isAdmin: true } },
  'reader of issues': teamWith('issues', 'read'),
  'writer of wiki': teamWith('wiki', 'write'),
  'reader of code': teamWith('code', 'read'),
  'writer of code': teamWith('code', 'write'),
}
const CALLERS = { ...OPEN, ...SHUT }

const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((text) => text.trim()))

for (const [who = '', ...cells] of rows)
  for (const [i, expected] of cells.entries()) {
    const state = head[i + 1] ?? ''
    test(`${who}, ${state}: ${expected}`, () => {
      const facts = {
        isSignedIn: who !== 'nobody',
        isBlocked: state === 'blocked',
        isMirror: state === 'mirror',
      }
      assert.equal(told(accessOf(who as keyof typeof CALLERS, state === 'archived'), facts), expected)
    })
  }

test('the table has every caller', () => {
  assert.deepEqual(
    rows.map(([who]) => who),
    Object.keys(CALLERS),
  )
})

test('a disabled unit gives no abilities, even to the owner', () => {
  const access = accessOf('owner', false, new Set(UNITS.filter((unit) => unit !== 'wiki')))
  const { wiki } = abilitiesOf(access, { isSignedIn: true, isBlocked: false, isMirror: false })
  assert.deepEqual(wiki, { read: false, join: false, write: false })
})

function accessOf(
  who: keyof typeof CALLERS,
  isArchived: boolean,
  enabledUnits: ReadonlySet<Unit> = new Set(UNITS),
): Access {
  return decideAccess({
    ...CALLERS[who],
    owner: { id: 7, kind: 'organization', visibility: 'public' },
    repository: { isPrivate: who in SHUT, isArchived, isQuarantined: false, enabledUnits },
  })
}

function told(access: Access, facts: Parameters<typeof abilitiesOf>[1]): string {
  const abilities = abilitiesOf(access, facts)
  const units = UNITS.map((unit) => {
    const { read, join, write } = abilities[unit]
    return write ? 'w' : join ? 'j' : read ? 'r' : '-'
  })
  const whole = (['admin', 'own', 'star', 'fork'] as const).filter((it) => abilities[it])
  return [units.join(''), whole.map(([letter]) => letter).join('')].join(' ').trim()
}
