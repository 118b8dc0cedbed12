/** Fair queueing: who is next, by the time used before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visitor } from '../visitor.ts'
import { Turns } from './turns.ts'

const nobody = (key: string): Visitor => ({ lane: 'nobody', key })
const person = (key: string): Visitor => ({ lane: 'person', key })

/** Runs all queued work, each item with its cost; returns the order. */
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

test('a visitor with short work is served several times for each long work of another', () => {
  const turns = new Turns<string>()
  for (const work of ['long1', 'long2']) turns.add(person('a'), work)
  for (const work of ['b1', 'b2', 'b3']) turns.add(person('b'), work)
  assert.equal(
    playOut(turns, (work) => (work.startsWith('long') ? 1000 : 10)),
    'long1 b1 b2 b3 long2',
  )
})

test('all anonymous visitors together get as much time as all signed-in users', () => {
  const turns = new Turns<string>()
  for (let i = 0; i < 4; i++) turns.add(nobody(String(i)), `n${i}`)
  turns.add(person('a'), 'a1')
  turns.add(person('a'), 'a2')
  assert.equal(playOut(turns), 'n0 a1 n1 a2 n2 n3')
})

test('a visitor gets no credit for idle time', () => {
  const turns = new Turns<string>()
  for (let i = 0; i < 5; i++) turns.add(person('a'), `a${i}`)
  for (let i = 0; i < 3; i++) turns.take()?.charge(1000)
  for (let i = 0; i < 3; i++) turns.add(person('b'), `b${i}`)
  assert.equal(
    playOut(turns, () => 1000),
    'b0 a3 b1 a4 b2',
  )
})

test('work added while the same visitor is served waits behind that of others', () => {
  const turns = new Turns<string>()
  turns.add(person('a'), 'a1')
  turns.add(person('b'), 'b1')
  const turn = turns.take()
  turns.add(person('a'), 'a2')
  turn?.charge(10)
  assert.equal(playOut(turns), 'b1 a2')
})

test('dropped work gets no turn and is not charged', () => {
  const turns = new Turns<string>()
  turns.add(person('a'), 'a1')
  turns.add(person('a'), 'a2')
  turns.drop(person('a'), 'a1')
  turns.drop(person('a'), 'a1')
  assert.deepEqual([turns.waiting, turns.waitingOf(person('a')), turns.waitingOf(nobody('a'))], [1, 1, 0])
  assert.equal(playOut(turns), 'a2')
  assert.deepEqual([turns.waiting, turns.waitingOf(person('a'))], [0, 0])
})
