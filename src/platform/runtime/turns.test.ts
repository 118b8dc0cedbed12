/** Turns: who is next, by what was used before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visitor } from '../visitor.ts'
import { Turns } from './turns.ts'

const nobody = (key: string): Visitor => ({ lane: 'nobody', key })
const person = (key: string): Visitor => ({ lane: 'person', key })

/** Everything that waits, in the order of its turns, each of which takes as long as it says. */
function playOut(turns: Turns<string>, costOf: (work: string) => number = () => 10): string {
  const order: string[] = []
  for (let turn = turns.take(); turn !== undefined; turn = turns.take()) {
    order.push(turn.work)
    turn.charge(costOf(turn.work))
  }
  return order.join(' ')
}

test('visitors take turns, each in its own order', () => {
  const turns = new Turns<string>()
  for (const work of ['a1', 'a2', 'a3']) turns.add(person('a'), work)
  for (const work of ['b1', 'b2']) turns.add(person('b'), work)
  assert.equal(playOut(turns), 'a1 b1 a2 b2 a3')
})

test('whose work is short is served several times for one long one', () => {
  const turns = new Turns<string>()
  for (const work of ['long1', 'long2']) turns.add(person('a'), work)
  for (const work of ['b1', 'b2', 'b3']) turns.add(person('b'), work)
  assert.equal(
    playOut(turns, (work) => (work.startsWith('long') ? 1000 : 10)),
    'long1 b1 b2 b3 long2',
  )
})

test('many strangers have together what the people have', () => {
  const turns = new Turns<string>()
  for (let i = 0; i < 4; i++) turns.add(nobody(String(i)), `n${i}`)
  turns.add(person('a'), 'a1')
  turns.add(person('a'), 'a2')
  assert.equal(playOut(turns), 'n0 a1 n1 a2 n2 n3')
})

test('a visitor has no credit for the time before', () => {
  const turns = new Turns<string>()
  for (let i = 0; i < 5; i++) turns.add(person('a'), `a${i}`)
  for (let i = 0; i < 3; i++) turns.take()?.charge(1000)
  for (let i = 0; i < 3; i++) turns.add(person('b'), `b${i}`)
  assert.equal(
    playOut(turns, () => 1000),
    'b0 a3 b1 a4 b2',
  )
})

test('work that comes while the same visitor is served waits behind others', () => {
  const turns = new Turns<string>()
  turns.add(person('a'), 'a1')
  turns.add(person('b'), 'b1')
  const turn = turns.take()
  turns.add(person('a'), 'a2')
  turn?.charge(10)
  assert.equal(playOut(turns), 'b1 a2')
})

test('dropped work has no turn, and is not counted', () => {
  const turns = new Turns<string>()
  turns.add(person('a'), 'a1')
  turns.add(person('a'), 'a2')
  turns.drop(person('a'), 'a1')
  turns.drop(person('a'), 'a1')
  assert.deepEqual([turns.waiting, turns.waitingOf(person('a')), turns.waitingOf(nobody('a'))], [1, 1, 0])
  assert.equal(playOut(turns), 'a2')
  assert.deepEqual([turns.waiting, turns.waitingOf(person('a'))], [0, 0])
})
