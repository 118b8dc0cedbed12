/** Task reports of runners, and tasks whose runners stop reporting. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '#platform/context'
import { type Forge, startForge, waitForLock } from '#testing'
import { addRun, type Message, SimulatedRunner } from '#testing/slices/runners'
import { changeJobs, lockRun } from '../../runs/record/change.ts'
import type { Status } from '../../runs/record/status.ts'
import { endTasks } from '../../runs/tasks/end-tasks.ts'

let forge: Forge
let repo: number
let runner: SimulatedRunner
before(async () => {
  forge = await startForge({ config: { 'runners.wait_ms': 300, 'runners.poll_ms': 50 } })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  repo = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })).body.id
  const { token } = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body
  runner = await SimulatedRunner.register(forge.base, token)
})
after(() => forge[Symbol.asyncDispose]())

async function take(jobs: Parameters<typeof addRun>[2] = [{}], facts = {}): Promise<Message> {
  const run = await addRun(forge.ctx, repo, jobs, facts)
  const task = await runner.untilTask()
  return { ...task, run_id: run.id }
}

async function jobOf(task: Message) {
  return forge.db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select(['action_job.id', 'action_job.status', 'action_job.losses', 'action_job.outputs'])
    .select(['action_job.attempt', 'action_task.status as task_status', 'action_task.is_lost'])
    .where('action_task.id', '=', Number(task.id))
    .executeTakeFirstOrThrow()
}

/** Cancels as the REST API does: at once (`cancelled`) or through the runner (`cancelling`). */
async function cancel(task: Message, status: Status): Promise<void> {
  const job = await jobOf(task)
  await transact(forge.ctx, async (ctx) => {
    const run = await lockRun(ctx.db, task.run_id)
    assert.ok(run)
    if (status === 'cancelled') await endTasks(ctx, [job.id], 'cancelled')
    else
      await ctx.db
        .updateTable('action_task')
        .set({ status: 'cancelling' })
        .where('job_id', '=', job.id)
        .execute()
    await changeJobs(ctx, run, [{ job, set: { status } }])
  })
}

const step = (id: number, more: object = {}) => ({
  id: String(id),
  startedAt: '2026-01-01T00:00:01Z',
  logIndex: String(id),
  logLength: '1',
  ...more,
})

test('steps are updated while the job runs, and the job token is revoked when it ends', async () => {
  const task = await take()
  const running = await runner.report(task.id, { steps: [step(0)] })
  assert.equal(running.state.result ?? 'RESULT_UNSPECIFIED', 'RESULT_UNSPECIFIED')
  const steps = () =>
    forge.db
      .selectFrom('action_step')
      .select(['status', 'log_length'])
      .where('task_id', '=', Number(task.id))
      .orderBy('position')
      .execute()
  assert.deepEqual(await steps(), [
    { status: 'running', log_length: 1 },
    { status: 'waiting', log_length: 0 },
  ])
  const done = { stoppedAt: '2026-01-01T00:00:02Z', result: 'RESULT_SUCCESS' }
  const ended = await runner.report(task.id, { result: 'RESULT_SUCCESS', steps: [step(0, done)] })
  assert.equal(ended.state.result, 'RESULT_SUCCESS')
  assert.deepEqual(
    (await steps()).map(({ status }) => status),
    ['success', 'skipped'],
  )
  assert.equal((await jobOf(task)).status, 'success')
  assert.equal(
    (
      await forge.call(null, 'GET', '/user', undefined, {
        authorization: `token ${task.secrets.GITHUB_TOKEN}`,
      })
    ).status,
    401,
    'the token ends with the task',
  )
})

test('outputs are limited in size, set once, and all acknowledged so that none is sent again', async () => {
  const task = await take([{ key: 'first' }, { key: 'second', needs: ['first'], status: 'blocked' }])
  const long = 'x'.repeat(1_048_577)
  const { sentOutputs } = await runner.report(task.id, {}, { answer: '42', long })
  assert.deepEqual([...sentOutputs].sort(), ['answer', 'long'])
  await runner.finish(task.id, 'RESULT_SUCCESS', { answer: '43', more: 'yes' })
  assert.deepEqual((await jobOf(task)).outputs, { answer: '42', more: 'yes' })
  await transact(forge.ctx, async (ctx) => {
    const run = await lockRun(ctx.db, task.run_id)
    assert.ok(run)
    const job = await ctx.db
      .selectFrom('action_job')
      .selectAll()
      .where('run_id', '=', run.id)
      .where('key', '=', 'second')
      .executeTakeFirstOrThrow()
    await changeJobs(ctx, run, [{ job, set: { status: 'waiting' } }])
  })
  const second = await runner.untilTask()
  assert.deepEqual(second.needs, {
    first: { outputs: { answer: '42', more: 'yes' }, result: 'RESULT_SUCCESS' },
  })
  await runner.finish(second.id)
})

test('the outputs of two concurrent reports are all kept', async () => {
  const task = await take()
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const held = transact(forge.ctx, async (ctx) => {
    await lockRun(ctx.db, task.run_id)
    isLocked.resolve()
    await isOver
  })
  await isLocked.promise
  const both = [runner.report(task.id, {}, { first: 'one' }), runner.report(task.id, {}, { second: 'two' })]
  await waitForLock(forge.db).finally(() => sleep(300).then(release))
  await held
  await Promise.all(both)
  assert.deepEqual((await jobOf(task)).outputs, { first: 'one', second: 'two' })
  await runner.finish(task.id)
})

test('a run from a fork gets no secrets except its job token', async () => {
  await forge.call('ann', 'PUT', '/repos/ann/anvil/actions/secrets/PASSPHRASE', { data: 'hush-hush' })
  await forge.call('ann', 'POST', '/repos/ann/anvil/actions/variables/COLOUR', { value: 'blue' })
  const own = await take()
  assert.deepEqual([own.secrets.PASSPHRASE, own.vars], ['hush-hush', { COLOUR: 'blue' }])
  await runner.finish(own.id)
  const fork = await take([{}], { is_from_fork: true })
  assert.deepEqual(Object.keys(fork.secrets).sort(), ['GITEA_TOKEN', 'GITHUB_TOKEN'])
  await runner.finish(fork.id)
})

test('a cancelled job stays cancelled whatever its runner reports afterwards', async () => {
  const task = await take()
  await runner.log(task.id, 0, ['before'])
  await cancel(task, 'cancelled')
  for (let i = 0; i < 5; i++) {
    assert.equal((await runner.report(task.id, { steps: [step(0)] })).state.result, 'RESULT_CANCELLED')
    assert.equal(await runner.log(task.id, 1, ['after']), 2)
  }
  assert.equal(
    (await runner.finish(task.id, 'RESULT_SUCCESS', { answer: '1' })).state.result,
    'RESULT_CANCELLED',
  )
  const job = await jobOf(task)
  assert.deepEqual([job.status, job.task_status, job.outputs], ['cancelled', 'cancelled', {}])
  const lines = await forge.db
    .selectFrom('action_task')
    .select('log_lines')
    .where('id', '=', Number(task.id))
    .executeTakeFirstOrThrow()
  assert.equal(lines.log_lines, 1)
})

test('a job that is being cancelled ends as cancelled even if its runner reports success', async () => {
  const task = await take()
  await cancel(task, 'cancelling')
  assert.equal((await runner.report(task.id)).state.result, 'RESULT_CANCELLED')
  assert.equal((await jobOf(task)).status, 'cancelling')
  await runner.finish(task.id, 'RESULT_SUCCESS')
  assert.equal((await jobOf(task)).status, 'cancelled')
})

test('a runner cannot report on the job of another runner', async () => {
  const task = await take()
  const { token } = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body
  const thief = await SimulatedRunner.register(forge.base, token)
  const message = { state: { id: task.id, result: 'RESULT_FAILURE' } }
  assert.equal((await thief.call('UpdateTask', message)).body.code, 'not_found')
  assert.equal(
    (await thief.call('UpdateLog', { taskId: task.id, index: '0', rows: [] })).body.code,
    'not_found',
  )
  await runner.finish(task.id)
})

test('a job whose runner never reports is run again twice and fails after the third loss', async () => {
  let task = await take()
  for (const losses of [1, 2]) {
    forge.advance(61_000)
    await forge.runTask('stop_zombie_tasks')
    const job = await jobOf(task)
    assert.deepEqual(
      [job.status, job.losses, job.is_lost, job.task_status],
      ['waiting', losses, true, 'failure'],
    )
    assert.equal((await runner.finish(task.id)).state.result, 'RESULT_FAILURE', 'what it says is too late')
    task = await runner.untilTask()
  }
  forge.advance(61_000)
  await forge.runTask('stop_zombie_tasks')
  assert.deepEqual([(await jobOf(task)).status, (await jobOf(task)).losses], ['failure', 3])
})

test('a runner that has reported once may be silent for ten minutes before its job is declared lost', async () => {
  const task = await take()
  await runner.report(task.id)
  forge.advance(300_000)
  await forge.runTask('stop_zombie_tasks')
  await runner.report(task.id)
  forge.advance(590_000)
  await forge.runTask('stop_zombie_tasks')
  assert.equal((await jobOf(task)).status, 'running')
  forge.advance(20_000)
  await forge.runTask('stop_zombie_tasks')
  assert.equal((await jobOf(task)).status, 'waiting')
  const again = await runner.untilTask()
  await runner.finish(again.id)
})

test('a job that exceeds its timeout fails, and a job that no runner takes is cancelled', async () => {
  const task = await take([{ timeout_minutes: 5 }])
  await runner.report(task.id)
  forge.advance(5 * 60_000)
  await forge.runTask('stop_endless_tasks')
  assert.equal((await jobOf(task)).status, 'running', 'its runner has a minute to end it itself')
  forge.advance(60_000)
  await forge.runTask('stop_endless_tasks')
  assert.equal((await jobOf(task)).status, 'failure')
  assert.equal((await runner.report(task.id)).state.result, 'RESULT_FAILURE')
  const run = await addRun(forge.ctx, repo, [{ runs_on: ['nobody-has-this'] }])
  forge.advance(25 * 3_600_000)
  await forge.runTask('cancel_abandoned_jobs')
  const { status } = await forge.db
    .selectFrom('action_run')
    .select('status')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  assert.equal(status, 'cancelled')
})
