/** Cron tasks, on a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForge } from '#testing'
import { planTasks, startDueTasks } from './cron.ts'

test('a due task runs once, whatever the number of nodes', async () => {
  let runs = 0
  const task = { name: 'count_sheep', schedule: '@every 10m', run: async () => void runs++ }
  await using forge = await startForge({ tasks: [task] })
  await planTasks(forge.ctx, [task])
  await startDueTasks(forge.ctx)
  await forge.runJobs()
  assert.equal(runs, 0, 'it is not due yet')

  forge.advance(10 * 60_000)
  await Promise.all(Array.from({ length: 8 }, () => startDueTasks(forge.ctx)))
  await forge.runJobs()
  assert.equal(runs, 1)

  await startDueTasks(forge.ctx)
  await forge.runJobs()
  assert.equal(runs, 1, 'it was moved on to its next time')
})

test('only a site administrator can list tasks and run one', async () => {
  let runs = 0
  const task = { name: 'count_sheep', schedule: '', run: async () => void runs++ }
  await using forge = await startForge({ tasks: [task] })
  await planTasks(forge.ctx, [task])
  await forge.person('root', { is_admin: true })
  await forge.person('eve')

  assert.equal((await forge.call(null, 'GET', '/admin/cron')).status, 401)
  assert.equal((await forge.call('eve', 'GET', '/admin/cron')).status, 403)
  assert.equal((await forge.call('eve', 'POST', '/admin/cron/count_sheep')).status, 403)
  assert.equal((await forge.call('root', 'POST', '/admin/cron/count_wolves')).status, 404)
  assert.equal((await forge.call('root', 'POST', '/admin/cron/count_sheep')).status, 204)
  await forge.runJobs()
  assert.equal(runs, 1)
  const listed = await forge.call('root', 'GET', '/admin/cron')
  assert.deepEqual(listed.body, [
    { name: 'count_sheep', schedule: '-', next: null, prev: '2026-01-01T00:00:00Z', exec_times: 1 },
  ])
})
