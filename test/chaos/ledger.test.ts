/** Control tests: a ledger that could not detect a loss would prove nothing, so each kind of loss is faked once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutcomeUnknown } from '#platform/context'
import { type Answer, type Evidence, Ledger, type Move, NONE } from './ledger.ts'
import { readAnswers } from './porcelain.ts'

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]
const MAIN = 'refs/heads/main'
const TOPIC = 'refs/heads/topic'
const create = (ref: string, oid: string): Move => ({ ref, old: NONE, new: oid })
const all = (answer: Answer) => new Map([MAIN, TOPIC].map((ref) => [ref, answer]))

/** Two branches were created at once, and one of them was moved on. */
function honest(): { ledger: Ledger; evidence: Evidence } {
  const ledger = new Ledger()
  const first = [create(MAIN, A), create(TOPIC, A)]
  const second = [{ ref: MAIN, old: A, new: B }]
  ledger.record(
    { moves: first, isAtomic: true },
    all('acknowledged'),
    new Map([
      [MAIN, A],
      [TOPIC, A],
    ]),
  )
  ledger.record({ moves: second, isAtomic: false }, all('acknowledged'), new Map([[MAIN, B]]))
  const refs = new Map([
    [MAIN, B],
    [TOPIC, A],
  ])
  return { ledger, evidence: { refs, events: [first, second], branches: 2, tags: 0 } }
}

test('a correct state passes', () => {
  const { ledger, evidence } = honest()
  assert.deepEqual(ledger.check(evidence), [])
})

for (const [loss, doctor] of [
  [
    'an acknowledged push is gone',
    (it: Evidence) => ({
      ...it,
      refs: new Map([
        [MAIN, A],
        [TOPIC, A],
      ]),
    }),
  ],
  ['a branch is gone', (it: Evidence) => ({ ...it, refs: new Map([[MAIN, B]]), branches: 1 })],
  [
    'there is a branch nobody pushed',
    (it: Evidence) => ({ ...it, refs: new Map([...it.refs, ['refs/x', C]]) }),
  ],
  ['an event is missing', (it: Evidence) => ({ ...it, events: it.events.slice(1) })],
  ['an event was told twice', (it: Evidence) => ({ ...it, events: [...it.events, ...it.events.slice(1)] })],
  [
    'an event leaves out a ref',
    (it: Evidence) => ({ ...it, events: it.events.map((moves) => moves.slice(0, 1)) }),
  ],
  ['the counter of branches is off', (it: Evidence) => ({ ...it, branches: 3 })],
  ['the counter of tags is off', (it: Evidence) => ({ ...it, tags: 1 })],
] as const)
  test(`the ledger detects it when ${loss}`, () => {
    const { ledger, evidence } = honest()
    assert.notDeepEqual(ledger.check(doctor(evidence)), [])
  })

for (const [what, answer, seen, isFault] of [
  ['acknowledged and not there on another node', 'acknowledged', A, true],
  ['refused and yet done', 'refused', C, true],
  ['refused and not done', 'refused', B, false],
  ['unknown and done', 'unknown', C, false],
  ['unknown and not done', 'unknown', B, false],
  ['unknown and neither', 'unknown', A, true],
] as const)
  test(`a push that is ${what} is ${isFault ? 'a fault' : 'no fault'}`, () => {
    const { ledger } = honest()
    ledger.record(
      { moves: [{ ref: MAIN, old: B, new: C }], isAtomic: false },
      all(answer),
      new Map([[MAIN, seen]]),
    )
    assert.equal(ledger.faults.length > 0, isFault)
  })

test('a partly applied atomic push is detected', () => {
  const { ledger } = honest()
  const moves = [
    { ref: MAIN, old: B, new: C },
    { ref: TOPIC, old: A, new: C },
  ]
  ledger.record(
    { moves, isAtomic: true },
    all('unknown'),
    new Map([
      [MAIN, C],
      [TOPIC, A],
    ]),
  )
  assert.match(ledger.faults.join(), /half of an atomic push/)
})

test('an unknown outcome is resolved once, and must not change afterwards', () => {
  const { ledger, evidence } = honest()
  const move = { ref: MAIN, old: B, new: C }
  ledger.record({ moves: [move], isAtomic: false }, all('unknown'), new Map([[MAIN, C]]))
  const events = [...evidence.events, [move]]
  assert.notDeepEqual(ledger.check({ ...evidence, events }), [], 'it went back')
  assert.deepEqual(
    ledger.check({
      ...evidence,
      events,
      refs: new Map([
        [MAIN, C],
        [TOPIC, A],
      ]),
    }),
    [],
  )
})

test("only the forge's own messages count as a refusal", () => {
  const told = readAnswers(
    [
      'To http://forge.test/a/b.git',
      `*\t${A}:refs/heads/new\t[new branch]`,
      '-\t:refs/heads/old\t[deleted]',
      `!\t${A}:refs/pull/1/head\t[remote rejected] (refusing to update a hidden ref)`,
      `!\t${A}:refs/heads/half\t[remote rejected] (proc-receive failed to report status)`,
      `!\t${A}:refs/heads/cut\t[remote failure] (remote failed to report status)`,
      `!\t${A}:refs/heads/unanswered\t[remote rejected] (${new OutcomeUnknown(null).message})`,
      `!\t${A}:refs/heads/again\t[remote rejected] (ref was updated concurrently: fetch first)`,
      'Done',
    ].join('\n'),
  )
  assert.deepEqual(Object.fromEntries(told), {
    'refs/heads/new': 'acknowledged',
    'refs/heads/old': 'acknowledged',
    'refs/pull/1/head': 'refused',
    'refs/heads/half': 'unknown',
    'refs/heads/cut': 'unknown',
    'refs/heads/unanswered': 'unknown',
    'refs/heads/again': 'unknown',
  })
})
