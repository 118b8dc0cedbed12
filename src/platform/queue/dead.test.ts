/** Dead letters are jobs that failed for the last time, not jobs replaced by newer ones. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { addJobs, freeLostJobs, listDead, readQueue } from '#platform/queue'
import { type Forge, startForge } from '#testing'

const SEND = 'webhook-send'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

const jobsOf = async (task: string) =>
  (await sql<{ id: number }>`select id from job where kind = ${task}`.execute(forge.db)).rows
/** As if a worker had taken them an hour ago, and died. */
const takeAndDie = () =>
  sql`update job set held_at = now() - interval '1 hour', worker = 'gone',
    attempts = attempts + 1`.execute(forge.db)

const freeLost = () => freeLostJobs(forge.db, { ids: [], heldIds: [], silenceMs: 1_000 })

test('a job replaced while its worker dies is no dead letter and is deleted', async () => {
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json' }
  const hook = { type: 'gitea', config, events: ['push'], active: true }
  const { body } = await forge.call('ann', 'POST', '/repos/ann/anvil/hooks', hook)
  const ring = async () =>
    assert.equal((await forge.call('ann', 'POST', `/repos/ann/anvil/hooks/${body.id}/tests`)).status, 204)
  await ring()
  // The receiver does not answer, so the delivery is retried later; the second test call schedules it for now.
  await forge.runJobs()
  // A finished job is deleted a moment later.
  while ((await jobsOf(SEND)).length > 1) await sleep(20)
  assert.equal((await jobsOf(SEND)).length, 1)
  await takeAndDie()
  await ring()
  await forge.runJobs()
  while ((await jobsOf(SEND)).length > 2) await sleep(20)
  assert.equal((await jobsOf(SEND)).length, 2, 'the one that was taken, and the one that took its place')
  await freeLost()
  assert.deepEqual(await listDead(forge.db), [])
  const [send] = (await readQueue(forge.db)).filter(({ kind }) => kind === SEND)
  assert.deepEqual([(send?.waiting ?? 0) + (send?.later ?? 0), send?.dead], [1, 0])
  assert.equal((await jobsOf(SEND)).length, 1)
})

test('a job whose worker dies at its last attempt is a dead letter, with or without a key', async () => {
  const order = { kind: 'errand', payload: {}, attemptsMax: 1 }
  await transact(forge.ctx, (ctx) => addJobs(ctx, [order, { ...order, key: 'errand:1' }]))
  await takeAndDie()
  assert.deepEqual(await listDead(forge.db), [], 'somebody has them in hand')
  await freeLost()
  const dead = await listDead(forge.db)
  assert.deepEqual(
    dead.map(({ kind }) => kind),
    ['errand', 'errand'],
  )
})
