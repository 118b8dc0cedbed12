/**
 * Faults of what three nodes share, each during work: owners and repositories that are deleted or moved meanwhile, a
 * store that is overloaded, a bus that is unavailable, and a standby of PostgreSQL that is promoted without the last
 * commits.
 *
 * FAULTS_ROUNDS=4 is the full length; without it every operation is killed in one way. FAULTS_SEED repeats a random
 * sequence.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ChaosForge } from '../chaos/chaos-forge.ts'
import { Dice } from '../chaos/dice.ts'
import { GUILD } from './deeds.ts'
import { playFailover } from './failover.ts'
import { playLifecycle } from './lifecycle.ts'
import { Nats } from './nats.ts'
import { playOutage } from './outage.ts'
import { playOverload } from './overload.ts'
import { must, type Scene } from './scene.ts'

const SEED = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 32))

let nats: Nats
let scene: Scene
before(async () => {
  console.log(`FAULTS_SEED=${SEED}`)
  const dice = new Dice(SEED)
  nats = await Nats.open()
  const forge = await ChaosForge.open(dice.fork(), { 'bus.nats_url': nats.url, 'live.poll_ms': 1_000 })
  scene = { forge, dice, rounds: Number(process.env.FAULTS_ROUNDS ?? 1) }
  await must(scene, 'POST', '/orgs', { username: GUILD })
})
after(async () => {
  await scene?.forge[Symbol.asyncDispose]()
  await nats?.kill()
})

test('a node killed during deletion, rename or transfer leaves no partial state and loses nothing', async (t) => {
  for (const line of await playLifecycle(scene)) t.diagnostic(line)
})

test('a store that answers SlowDown and lists late loses no bytes in use', async (t) => {
  for (const line of await playOverload(scene)) t.diagnostic(line)
})

test('a bus outage delays hints and has no other effect', async (t) => {
  for (const line of await playOutage(scene, nats)) t.diagnostic(line)
})

test('after a standby without the last commits is promoted, all nodes serve its state', async (t) => {
  for (const line of await playFailover(scene)) t.diagnostic(line)
})

test('no node exited except by a test', () => {
  assert.deepEqual(
    scene.forge.nodes.flatMap(({ accidents }) => accidents),
    [],
  )
})
