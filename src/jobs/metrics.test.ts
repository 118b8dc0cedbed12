/** Metrics of the queue. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { startForge } from '#testing'
import { observeQueue } from './metrics.ts'

test('a waiting job is counted with its age, by one statement for each scrape', async () => {
  await using forge = await startForge()
  const { telemetry } = forge.world
  observeQueue(forge.world)
  await transact(forge.ctx, (ctx) => addJobs(ctx, [{ kind: 'errand', payload: {}, attemptsMax: 1 }]))
  const text = await telemetry.scrape()
  assert.match(text, /^bloomery_jobs\{kind="errand",state="waiting"\} 1$/m)
  assert.match(text, /^bloomery_job_oldest_seconds\{kind="errand"\} \d/m)
  assert.equal(await forge.countQueries(() => telemetry.scrape()), 1)
  assert.equal(await forge.countQueries(() => telemetry.snapshot({ withForge: false })), 0)
})
