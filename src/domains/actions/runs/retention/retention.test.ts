/** Retention of runs and logs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { endJob, makeRun, newJob, takeJob } from '#testing/slices/runs'

const DAY_MS = 86_400_000

let forge: Forge
let anvil: number
let annId: number
before(async () => {
  forge = await startForge({ config: { 'actions.log_days': 10, 'actions.run_days': 30 } })
  annId = (await forge.person('ann')).id
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  anvil = (await forge.call('ann', 'GET', '/repos/ann/anvil')).body.id
})
after(() => forge[Symbol.asyncDispose]())

async function runTasks(...names: string[]): Promise<void> {
  for (const name of names) await forge.runTask(name)
}

test('logs are deleted before runs, and unfinished runs are kept', async () => {
  const done = await makeRun(forge.ctx, anvil, annId, [newJob('build')])
  const open = await makeRun(forge.ctx, anvil, annId, [newJob('build')])
  const { jobs } = (await forge.call('ann', 'GET', `/repos/ann/anvil/actions/runs/${done.id}/jobs`)).body
  const taskId = await takeJob(forge.ctx, jobs[0].id)
  const bytes = Buffer.from('2026-01-02T03:04:05.0000000Z hello\n')
  await forge.world.store.create('logs/one', bytes, { bytes: bytes.length })
  await forge.db
    .insertInto('action_log_piece')
    .values({
      task_id: taskId,
      lines: 1,
      bytes: bytes.length,
      object_key: 'logs/one',
      created_at: forge.ctx.now(),
    })
    .execute()
  await endJob(forge.ctx, jobs[0].id, 'success')
  await forge.makeJobsDue()
  await forge.runJobs()
  const used = async () => {
    const { rows } = await forge.pool.query(`select bytes from account_usage where kind = 'logs'`)
    return rows.map((row) => Number(row.bytes))
  }
  assert.deepEqual(await used(), [bytes.length])
  const log = () => forge.call('ann', 'GET', `/repos/ann/anvil/actions/jobs/${jobs[0].id}/logs`)
  const runs = async () => {
    const { body } = await forge.call('ann', 'GET', '/repos/ann/anvil/actions/runs')
    return body.workflow_runs.map((run: { id: number }) => run.id)
  }
  forge.advance(9 * DAY_MS)
  await runTasks('cleanup_action_logs', 'cleanup_action_runs', 'sweep_action_logs')
  assert.equal((await log()).body, bytes.toString())
  forge.advance(2 * DAY_MS)
  await runTasks('cleanup_action_logs', 'cleanup_action_runs', 'sweep_action_logs')
  await forge.deleteDiscarded()
  assert.equal((await log()).body, null)
  assert.deepEqual(await used(), [0])
  assert.equal(await forge.world.store.stat('logs/one'), undefined)
  assert.deepEqual(await runs(), [open.id, done.id])
  forge.advance(20 * DAY_MS)
  await runTasks('cleanup_action_runs')
  assert.deepEqual(await runs(), [open.id])
})
