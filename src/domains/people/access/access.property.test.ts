/** Laws of access that hold for any facts: more never turns into less along a chain, and off is off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Access,
  type AccessFacts,
  atLeast,
  type Collaboration,
  decideAccess,
  LEVELS,
  may,
  type TeamGrant,
  UNITS,
} from './index.ts'

/** On failure fast-check names the seed and the path that bring the counterexample back. */
const runs = { numRuns: 10_000 }
const OWNER_ID = 7
const ACTOR_ID = 1

const level = fc.constantFrom(...LEVELS)
const unit = fc.constantFrom(...UNITS)
const collaboration = fc.constantFrom<Collaboration>('read', 'write', 'admin')
const team: fc.Arbitrary<TeamGrant> = fc.record({ level, units: fc.dictionary(unit, level) })
const actor = fc.record({
  id: fc.constantFrom(ACTOR_ID, OWNER_ID),
  isAdmin: fc.boolean(),
  isRestricted: fc.boolean(),
  publicOnly: fc.boolean(),
})
const owner = fc.record({
  id: fc.constant(OWNER_ID),
  kind: fc.constantFrom('user', 'organization'),
  visibility: fc.constantFrom('public', 'limited', 'private'),
})
const repository = fc.record({
  isPrivate: fc.boolean(),
  isArchived: fc.boolean(),
  enabledUnits: fc.subarray([...UNITS]).map((units) => new Set(units)),
})
/** Facts of somebody who is signed in; grants that make no sense for the owner are dropped. */
const facts: fc.Arbitrary<SignedInFacts> = fc
  .record({
    actor,
    owner,
    repository,
    collaboration: fc.option(collaboration),
    teams: fc.array(team, { maxLength: 3 }),
    isOrganizationMember: fc.boolean(),
  })
  .map((drawn) => {
    const teams = drawn.owner.kind === 'organization' ? drawn.teams : []
    const inOrganization = drawn.owner.kind === 'organization' && drawn.isOrganizationMember
    return { ...drawn, teams, isOrganizationMember: inOrganization || teams.length > 0 }
  })

type SignedInFacts = AccessFacts & { readonly actor: NonNullable<AccessFacts['actor']> }

test('nobody, signed in, reader, writer, admin, owner: each may at least what the one before may', () => {
  const plain = facts.map((it) => ({ ...it, actor: { ...it.actor, id: ACTOR_ID, isAdmin: false } }))
  fc.assert(
    fc.property(plain, (it) => {
      const signedIn = { ...it, collaboration: null, teams: [], isOrganizationMember: false }
      const chain: AccessFacts[] = [
        { ...signedIn, actor: null },
        signedIn,
        { ...signedIn, collaboration: 'read' },
        { ...signedIn, collaboration: 'write' },
        { ...signedIn, collaboration: 'admin' },
        ownerOf(signedIn),
      ]
      assertRising(chain.map(decideAccess))
    }),
    runs,
  )
})

test('a member may at least what a stranger may, and a site administrator what anybody may', () => {
  fc.assert(
    fc.property(facts, (it) => {
      const stranger = { ...it, collaboration: null, teams: [], isOrganizationMember: false }
      const member = { ...stranger, isOrganizationMember: it.owner.kind === 'organization' }
      const admin = { ...it, actor: { ...it.actor, isAdmin: true } }
      assertRising([stranger, member].map(decideAccess))
      assertRising([it, admin].map(decideAccess))
    }),
    runs,
  )
})

test('one more grant never takes anything away', () => {
  fc.assert(
    fc.property(facts, team, collaboration, (it, extra, granted) => {
      const atMost = it.collaboration ?? granted
      const raised = atLeast(granted, atMost) ? granted : atMost
      assertRising([it, { ...it, collaboration: raised }].map(decideAccess))
      if (it.owner.kind === 'user') return
      const teams = [...it.teams, extra]
      assertRising([it, { ...it, teams, isOrganizationMember: true }].map(decideAccess))
    }),
    runs,
  )
})

test('a team that is given a unit, or more of it, gives its members no less', () => {
  const inTeam = facts.filter(({ teams }) => teams.length > 0)
  fc.assert(
    fc.property(inTeam, unit, level, (it, name, granted) => {
      const [first, ...others] = it.teams
      assert(first !== undefined)
      const before = first.units[name] ?? 'none'
      const units = { ...first.units, [name]: atLeast(granted, before) ? granted : before }
      assertRising([it, { ...it, teams: [{ ...first, units }, ...others] }].map(decideAccess))
    }),
    runs,
  )
})

test('a private repository gives no more than the same one in public', () => {
  fc.assert(
    fc.property(facts, fc.boolean(), (drawn, signedIn) => {
      const it = signedIn ? drawn : anonymous(drawn)
      const closed = { ...it, repository: { ...it.repository, isPrivate: true } }
      const open = { ...it, repository: { ...it.repository, isPrivate: false } }
      assertRising([closed, open].map(decideAccess))
    }),
    runs,
  )
})

test('an owner who hides more gives no more', () => {
  fc.assert(
    fc.property(facts, fc.boolean(), (drawn, signedIn) => {
      const it = signedIn ? drawn : anonymous(drawn)
      const steps = (['private', 'limited', 'public'] as const).map((visibility) => ({
        ...it,
        owner: { ...it.owner, visibility },
      }))
      assertRising(steps.map(decideAccess))
    }),
    runs,
  )
})

test('a unit that is off gives nothing to anybody, and turning it off gives nothing elsewhere', () => {
  fc.assert(
    fc.property(facts, unit, fc.boolean(), (drawn, name, signedIn) => {
      const it = signedIn ? drawn : anonymous(drawn)
      const enabledUnits = new Set([...it.repository.enabledUnits].filter((other) => other !== name))
      const without = decideAccess({ ...it, repository: { ...it.repository, enabledUnits } })
      assertRising([without, decideAccess(it)])
      for (const off of UNITS.filter((other) => !enabledUnits.has(other))) {
        assert.equal(without.units[off], 'none')
        assert.equal(may(without, 'read', off), false)
        assert.equal(may(without, 'write', off), false)
      }
    }),
    runs,
  )
})

test('a credential limited to public things gives no more than the full one', () => {
  fc.assert(
    fc.property(facts, (it) => {
      const limited = decideAccess({ ...it, actor: { ...it.actor, publicOnly: true } })
      assertRising([limited, decideAccess({ ...it, actor: { ...it.actor, publicOnly: false } })])
      if (it.repository.isPrivate || it.owner.visibility !== 'public') assert.equal(limited.visible, false)
    }),
    runs,
  )
})

test('a restricted user gets no more than an unrestricted one, and no less than nobody', () => {
  fc.assert(
    fc.property(facts, (it) => {
      const restricted = { ...it, actor: { ...it.actor, isRestricted: true } }
      const free = { ...it, actor: { ...it.actor, isRestricted: false } }
      assertRising([anonymous(it), restricted, free].map(decideAccess))
    }),
    runs,
  )
})

test('what does not exist for a caller gives that caller nothing', () => {
  fc.assert(
    fc.property(facts, fc.boolean(), (drawn, signedIn) => {
      const access = decideAccess(signedIn ? drawn : anonymous(drawn))
      if (access.visible) return
      assert.equal(access.level, 'none')
      for (const name of UNITS) assert.equal(access.units[name], 'none')
    }),
    runs,
  )
})

function anonymous(it: AccessFacts): AccessFacts {
  return { ...it, actor: null, collaboration: null, teams: [], isOrganizationMember: false }
}

function ownerOf(it: SignedInFacts): AccessFacts {
  if (it.owner.kind === 'user') return { ...it, actor: { ...it.actor, id: it.owner.id } }
  return { ...it, teams: [{ level: 'owner', units: {} }], isOrganizationMember: true }
}

/** Each access gives, in whole and unit by unit, at least what the one before it gives. */
function assertRising(chain: readonly Access[]): void {
  for (const [index, more] of chain.entries()) {
    const less = chain[index - 1]
    if (less === undefined) continue
    assert(atLeast(more.level, less.level), `step ${index}: ${less.level} became ${more.level}`)
    assert(more.visible || !less.visible, `step ${index} hid the repository`)
    for (const name of UNITS) {
      assert(atLeast(more.units[name], less.units[name]), `step ${index}: less ${name}`)
    }
  }
}
