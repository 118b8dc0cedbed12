/** Properties of access on random facts: more rights never give less, and disabled units give nothing. */
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

/** On failure fast-check prints the seed and the path of the counterexample. */
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
  isQuarantined: fc.boolean(),
  enabledUnits: fc.subarray([...UNITS]).map((units) => new Set(units)),
})
/** Facts of a signed-in caller; grants that make no sense for the owner are dropped. */
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

test('anonymous, signed-in, reader, writer, admin and owner have increasing access', () => {
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

test('a member has at least a non-member’s access, a site administrator at least anyone’s', () => {
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

test('an additional grant never reduces access', () => {
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

test('a higher team level on a unit never reduces access', () => {
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

test('a private repository gives no more access than a public one', () => {
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

test('a less visible owner gives no more access', () => {
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

test('a disabled unit gives no access, and disabling it adds no access elsewhere', () => {
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

test('a quarantined repository is visible to site administrators alone, and only its owners may read the reason', () => {
  fc.assert(
    fc.property(facts, fc.boolean(), (drawn, signedIn) => {
      const it = signedIn ? drawn : anonymous(drawn)
      const of = (isQuarantined: boolean) =>
        decideAccess({ ...it, repository: { ...it.repository, isQuarantined } })
      const before = of(false)
      const after = of(true)
      assert.equal(after.visible, it.actor?.isAdmin === true && !it.actor.publicOnly && before.visible)
      assertRising([after, before])
      const owns = it.actor?.isAdmin !== true && it.actor?.publicOnly !== true && before.level === 'owner'
      assert.equal(after.showsReason === true, owns)
    }),
    runs,
  )
})

test('a public-only credential gives no more access than a full one', () => {
  fc.assert(
    fc.property(facts, (it) => {
      const limited = decideAccess({ ...it, actor: { ...it.actor, publicOnly: true } })
      assertRising([limited, decideAccess({ ...it, actor: { ...it.actor, publicOnly: false } })])
      if (it.repository.isPrivate || it.repository.isQuarantined || it.owner.visibility !== 'public')
        assert.equal(limited.visible, false)
    }),
    runs,
  )
})

test('a restricted user has no more access than an unrestricted one, and no less than anonymous', () => {
  fc.assert(
    fc.property(facts, (it) => {
      const restricted = { ...it, actor: { ...it.actor, isRestricted: true } }
      const free = { ...it, actor: { ...it.actor, isRestricted: false } }
      assertRising([anonymous(it), restricted, free].map(decideAccess))
    }),
    runs,
  )
})

test('an invisible repository gives no access to any unit', () => {
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

/** Asserts that each access gives, on the whole and on every unit, at least as much as the one before. */
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
