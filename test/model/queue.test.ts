/**
 * The model of the merge queue, explored exhaustively with the forge's own decision function (`plan.ts`): workers that
 * act on what they read before, pushes to the base and to heads, failing checks, conflicts, crashes. In any order, the
 * base only moves to what was tested on top of it, each pull request lands once, none leaves because of another, and none
 * waits for nothing. And each known mistake is detected.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explore } from './explore.ts'
import { canonical, findFault, MUTATIONS, type Mutation, type State, start } from './queue.ts'
import { stepsOf } from './queue-steps.ts'

const QUEUE = { canonical, stepsOf, findFault }
const NOTHING = { push: 0, head: 0, requeue: 0, fail: 0, conflict: 0, die: 0 }

const HOUSES: Readonly<Record<string, () => State>> = {
  'three, of which some fail': () => start(3, 1, { ...NOTHING, fail: 2, conflict: 1 }),
  'three, and a push to the base': () => start(3, 1, { ...NOTHING, push: 1, fail: 1 }),
  'two workers and a push to the base': () => start(2, 2, { ...NOTHING, push: 1, fail: 1, die: 1 }),
  'two workers and a push to a head': () => start(2, 2, { ...NOTHING, head: 1, fail: 1 }),
  'two workers, and one that comes back': () => start(2, 2, { ...NOTHING, requeue: 1, conflict: 1 }),
}

/** The scenario in which each mistake shows. */
const SHOWN: Readonly<Record<Mutation, keyof typeof HOUSES>> = {
  'the base moves though it is not what was built upon': 'two workers and a push to the base',
  'rows are not looked at again when they land': 'two workers and a push to a head',
  'a push to the head changes nothing': 'two workers and a push to a head',
  'what was said of it upon another parent counts': 'three, and a push to the base',
  'those behind one that left are not tried again': 'three, of which some fail',
  'what is pending lands with what passed': 'three, of which some fail',
  'whoever failed leaves at once': 'three, of which some fail',
  'the base moves and pull requests are marked in two transactions': 'three, and a push to the base',
  'a row is written before its ref': 'three, and a push to the base',
  'a ref is taken away though it came back': 'two workers, and one that comes back',
}

for (const [house, begin] of Object.entries(HOUSES))
  test(`no fault in any order: ${house}`, (t) => {
    const explored = explore(QUEUE, begin())
    t.diagnostic(`${explored.states} states`)
    assert.equal(explored.fault, undefined, explored.trace?.join('\n') ?? '')
    assert.ok(explored.states > 1_000, 'this explores nothing')
  })

for (const mutation of MUTATIONS)
  test(`the fault is detected when ${mutation}`, (t) => {
    const { fault, trace = [] } = explore(QUEUE, (HOUSES[SHOWN[mutation]] as () => State)(), mutation)
    t.diagnostic(`${fault}: ${trace.join(', ')}`)
    assert.notEqual(fault, undefined)
  })
