/**
 * The model of git storage, explored exhaustively: two pushers, a collector, a sweeper, and one crash anywhere; then with
 * a fork, with a head copied from one, with a deletion that is reverted, and with a failover that loses commits. In any
 * order, every ref can be read, nothing acknowledged is missing, nothing refused is present, and no bytes are forgotten.
 * And each known mistake is detected.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { canonical } from './canonical.ts'
import { explore } from './explore.ts'
import { stepsOf } from './steps.ts'
import { findFault, MUTATIONS, type Mutation, type State, start } from './storage.ts'

const STORAGE = { canonical, stepsOf, findFault }

const NOTHING: State['left'] = {
  crash: 0,
  loss: 0,
  collect: 0,
  expire: 0,
  release: 0,
  doom: 0,
  fork: 0,
  delete: 0,
  undelete: 0,
  failover: 0,
  read: 0,
  drop: 0,
}
const CARE = { collect: 1, expire: 1, release: 1, doom: 1 }

const HOUSES: Readonly<Record<string, State['left']>> = {
  'pushes, care and a crash': { ...NOTHING, ...CARE, crash: 1, loss: 1 },
  'care that goes further': { ...NOTHING, ...CARE, release: 2, doom: 2 },
  'a fork': { ...NOTHING, ...CARE, fork: 1 },
  'a deletion': { ...NOTHING, fork: 1, doom: 2, delete: 1, undelete: 1, crash: 1 },
  'a failover': { ...NOTHING, collect: 1, expire: 1, release: 1, failover: 1 },
  'a head from a fork': { ...NOTHING, ...CARE, drop: 1 },
  'a cache and a failover': { ...NOTHING, failover: 1, read: 2 },
}

/** The scenario in which each mistake shows. */
const SHOWN: Readonly<Record<Mutation, keyof typeof HOUSES>> = {
  'a tip in no pack is committed': 'pushes, care and a crash',
  'a pack is named though its announcement was swept': 'pushes, care and a crash',
  'garbage is not taken back by a push that was in flight': 'pushes, care and a crash',
  'a push does not ask what was released since it looked': 'pushes, care and a crash',
  'a push does not ask whether a failover has lost what it saw': 'a failover',
  'garbage expires though refs have moved since the walk': 'pushes, care and a crash',
  'garbage expires without a walk': 'pushes, care and a crash',
  'a collection leaves out what refs do not reach': 'pushes, care and a crash',
  'a key is used again for the same content': 'care that goes further',
  'a pack is given up though it has a name': 'a fork',
  'bytes are deleted before the pack is given up': 'pushes, care and a crash',
  'a name that is taken away leaves no note': 'pushes, care and a crash',
  'a deletion is taken back while it is swept': 'a deletion',
  'a fork reads refs and packs at two moments': 'a fork',
  'a cache compares generations, not stamps': 'a cache and a failover',
  'COMMIT without an answer is told as refused': 'pushes, care and a crash',
  'a copy from a fork does not ask what its base has released since': 'a head from a fork',
  'a copy from a fork leaves out what its base had when it was forked': 'a head from a fork',
  'the head of a pull request moves before its base has the pack': 'a head from a fork',
}

let states = 0
const startedAt = performance.now()

for (const [house, left] of Object.entries(HOUSES))
  test(`no fault in any order: ${house}`, (t) => {
    const explored = explore(STORAGE, start({ ...left }))
    states += explored.states
    t.diagnostic(`${explored.states} states`)
    assert.equal(explored.fault, undefined, explored.trace?.join('\n') ?? '')
    assert.ok(explored.states > 1_000, 'this explores nothing')
  })

for (const mutation of MUTATIONS)
  test(`the fault is detected when ${mutation}`, (t) => {
    const { fault, trace = [] } = explore(
      STORAGE,
      start({ ...(HOUSES[SHOWN[mutation]] ?? NOTHING) }),
      mutation,
    )
    t.diagnostic(`${fault}: ${trace.join(', ')}`)
    assert.notEqual(fault, undefined)
  })

after(() => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`model: ${states} states, ${MUTATIONS.length} mutations, ${seconds} s`)
})
