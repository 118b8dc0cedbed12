/** Runs the queue measurement for some seconds: jobs are done, effects appear, and every figure is a number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureRate, measureRest } from './rate.ts'
import { RatedForge } from './rated-forge.ts'

const OPTIONS = { writers: 2, seconds: 4, people: 3, repositories: 2, statisticsMs: 1_500 }

test('with two writers the queue drains, every effect appears, and the cost is counted', async () => {
  await using forge = await RatedForge.open({ nodes: 1, store: 'disk' })
  const figures = await measureRate(forge, OPTIONS)
  const rest = await measureRest(forge, 1)
  for (const [name, value] of Object.entries({ ...figures, ...rest }))
    assert.ok(Number.isFinite(value) && value >= 0, `${name} is ${value}`)
  assert.equal(figures['jobs left'], 0)
  const { 'jobs finished in all': jobs = 0, 'requests done': requests = 0 } = figures
  assert.ok(requests > 0, 'no request succeeded')
  assert.ok(jobs >= requests, `${requests} requests had ${jobs} jobs`)
  for (const effect of ['notification', 'webhook', 'run']) {
    assert.notEqual(figures[`${effect}: samples`], 0, `no ${effect} appeared`)
    assert.equal(figures[`${effect}: not seen`], 0, `a ${effect} is missing`)
  }
})
