/**
 * The model of heads of pull requests, explored exhaustively: a branch of a fork with two pushers, pull requests that are
 * closed and reopened, more of them than one transaction moves, requested merges, and crashes anywhere. In any order,
 * what lands was requested and is on its branch, no user counts as the pusher of another's commit, and no head stays
 * behind. And each known mistake is detected.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explore } from './explore.ts'
import { canonical, findFault, MUTATIONS, type Mutation, type State, start } from './heads.ts'
import { stepsOf } from './heads-steps.ts'

const HEADS = { canonical, stepsOf, findFault }
const NOTHING = { push: 0, close: 0, ask: 0, die: 0 }

const HOUSES: Readonly<Record<string, () => State>> = {
  'one that is closed and reopened': () => start(1, 2, { ...NOTHING, push: 2, close: 2, ask: 2, die: 1 }),
  'more than one push moves': () => start(2, 2, { ...NOTHING, push: 2, ask: 1, die: 1 }),
  'more of them, and one is reopened': () => start(2, 1, { ...NOTHING, push: 2, close: 1, ask: 1 }),
}

/** The scenario in which each mistake shows. */
const SHOWN: Readonly<Record<Mutation, keyof typeof HOUSES>> = {
  'an order keeps no commit': 'one that is closed and reopened',
  'a push leaves orders as they are': 'one that is closed and reopened',
  'one that is behind its branch lands': 'more than one push moves',
  'an order is not looked at again when it lands': 'one that is closed and reopened',
  'who reopens counts as the pusher': 'one that is closed and reopened',
  'a job names its pusher for whatever the branch is by then': 'more than one push moves',
  'the rest of a push is ordered after its transaction': 'more than one push moves',
  'reopening orders nothing': 'one that is closed and reopened',
  'the tip is not read again under the lock': 'more than one push moves',
  'a job is gone before its heads have moved': 'more than one push moves',
}

for (const [house, begin] of Object.entries(HOUSES))
  test(`no fault in any order: ${house}`, (t) => {
    const explored = explore(HEADS, begin())
    t.diagnostic(`${explored.states} states`)
    assert.equal(explored.fault, undefined, explored.trace?.join('\n') ?? '')
    assert.ok(explored.states > 1_000, 'this explores nothing')
  })

for (const mutation of MUTATIONS)
  test(`the fault is detected when ${mutation}`, (t) => {
    const { fault, trace = [] } = explore(HEADS, (HOUSES[SHOWN[mutation]] as () => State)(), mutation)
    t.diagnostic(`${fault}: ${trace.join(', ')}`)
    assert.notEqual(fault, undefined)
  })
