/** Slots to run git: one for each request, limits for anonymous visitors and for each visitor, and a bounded queue. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, loadConfig } from '#platform/config'
import type { Context, Visitor } from '#platform/context'
import { SETTINGS } from '../config.ts'
import { Places } from './places.ts'

const BUSY = { kind: 'unavailable' }

function open(overrides: Partial<Config> = {}) {
  const config = {
    'git.places_max': 4,
    'git.places_nobody_max': 2,
    'git.places_visitor_max': 3,
    'git.waiting_max': 8,
    'git.waiting_ms_max': 30_000,
    ...overrides,
  }
  const places = new Places(loadConfig({ settings: SETTINGS, environment: {}, overrides: config }).values)
  const enter = (visitor: Visitor | undefined, signal = new AbortController().signal) =>
    places.enter({ ...(visitor && { visitor }), signal } as Context)
  return { places, enter }
}

const somebody = (key: string): Visitor => ({ lane: 'person', key })
const nobody = (key = '192.0.2.1'): Visitor => ({ lane: 'nobody', key })

/** Whether the promise has settled, without waiting for it. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const not = Symbol('not')
  return (
    (await Promise.race([promise.catch(() => undefined), new Promise((r) => setImmediate(r, not))])) !== not
  )
}

test('a request takes one slot, however often it enters', async () => {
  const { enter } = open({ 'git.places_max': 2, 'git.places_visitor_max': 1 })
  const ann = somebody('ann')
  const leaves = [await enter(ann), await enter(ann), await enter(ann)]
  const second = enter(somebody('ann'))
  assert.equal(await isSettled(second), false)
  leaves[0]?.()
  leaves[0]?.()
  leaves[1]?.()
  assert.equal(await isSettled(second), false, 'the first is still there')
  leaves[2]?.()
  await second
})

test('anonymous visitors and each visitor are limited to a share of the slots', async () => {
  const { enter } = open()
  const leave = await enter(nobody('192.0.2.1'))
  await enter(nobody('192.0.2.2'))
  const third = enter(nobody('192.0.2.3'))
  const people = [await enter(somebody('ann')), await enter(somebody('bob'))]
  const fifth = enter(somebody('cat'))
  assert.equal(await isSettled(third), false)
  assert.equal(await isSettled(fifth), false)
  leave()
  await fifth
  assert.equal(await isSettled(third), false, 'who has said who they are comes first')
  people[0]?.()
  await third
})

test('the queue is bounded, and each visitor may use a quarter of it', async () => {
  const { enter } = open({ 'git.places_nobody_max': 1 })
  await enter(nobody())
  const waiting = [enter(nobody()), enter(nobody())]
  await assert.rejects(enter(nobody()), BUSY)
  for (const key of ['a', 'b', 'c']) waiting.push(enter(nobody(key)), enter(nobody(key)))
  await assert.rejects(enter(nobody('d')), BUSY)
  assert.ok((await Promise.all(waiting.map(isSettled))).every((it) => !it))
})

test('waiting ends after git.waiting_ms_max and when the request is aborted', async () => {
  const { enter } = open({ 'git.places_max': 2, 'git.places_visitor_max': 1, 'git.waiting_ms_max': 50 })
  const leave = await enter(somebody('ann'))
  await assert.rejects(enter(somebody('ann')), BUSY)
  const gone = new AbortController()
  const left = enter(somebody('ann'), gone.signal)
  gone.abort()
  await assert.rejects(left, BUSY)
  leave()
  await enter(somebody('ann'))
})

test('background work of the forge never waits for a slot', async () => {
  const { enter } = open({ 'git.places_max': 2, 'git.waiting_max': 0 })
  await Promise.all(['ann', 'bob'].map((key) => enter(somebody(key))))
  for (let i = 0; i < 10; i++) await enter(undefined)
  await assert.rejects(enter(somebody('cat')), BUSY)
})
