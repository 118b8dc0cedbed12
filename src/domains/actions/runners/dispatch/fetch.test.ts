/** How runners fetch jobs, end to end, on two nodes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Forge, startForge, waitForLock } from '#testing'
import { addRun, type Message, SimulatedRunner } from '#testing/slices/runners'
import { stopZombieTasks } from '../../runs/tasks/lost.ts'

let forge: Forge
let repo: number
let other: number
let site: string
before(async () => {
  forge = await startForge({
    nodes: 2,
    config: { 'runners.wait_ms': 400, 'runners.poll_ms': 50, 'database.lock_timeout_ms': 600_000 },
  })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.person('bob')
  repo = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })).body.id
  other = (await forge.call('bob', 'POST', '/user/repos', { name: 'bellows' })).body.id
  site = await tokenOf('root', '/admin')
})
after(() => forge[Symbol.asyncDispose]())

async function tokenOf(as: string, root: string): Promise<string> {
  return (await forge.call(as, 'POST', `${root}/actions/runners/registration-token`)).body.token
}

const register = (facts: object = {}, token = site) =>
  SimulatedRunner.register(forge.base, token, { labels: ['linux', 'ARM'], ...facts })

async function runnerWithJob(runner: SimulatedRunner): Promise<Message> {
  await addRun(forge.ctx, repo)
  return runner.untilTask()
}

/** Leaves no job for the next test. */
async function finishAll(runner: SimulatedRunner, task: Message | undefined): Promise<void> {
  for (let next = task; next !== undefined; next = await runner.fetch(1_000)) await runner.finish(next.id)
}

test('a waiting runner is given a job as soon as there is one, with token, context, payload and steps', async () => {
  const runner = await register()
  const waits = runner.fetch()
  await sleep(100)
  const run = await addRun(forge.ctx, repo)
  const task = await waits
  assert.ok(task)
  assert.equal(task.context.repository, 'ann/anvil')
  assert.equal(task.context.run_id, String(run.id))
  assert.equal(task.context.gitea_default_actions_url, 'https://github.com')
  assert.match(task.secrets.GITHUB_TOKEN, /^gjt_/)
  assert.equal(task.context.token, task.secrets.GITEA_TOKEN)
  const [, claims = ''] = task.context.gitea_runtime_token.split('.')
  assert.match(JSON.parse(Buffer.from(claims, 'base64url').toString()).scp, /^Actions\.Results:\d+:\d+$/)
  assert.match(Buffer.from(task.workflowPayload, 'base64').toString(), /make test/)
  const steps = await forge.db
    .selectFrom('action_step')
    .select(['name', 'status'])
    .where('task_id', '=', Number(task.id))
    .orderBy('position')
    .execute()
  assert.deepEqual(steps, [
    { name: 'first', status: 'waiting' },
    { name: 'Run make test', status: 'waiting' },
  ])
  await runner.finish(task.id)
})

test('a runner that gets no job is answered before its timeout, with tasksVersion 1', async () => {
  const runner = await register()
  const { status, body } = await runner.call('FetchTask', { tasksVersion: '1' })
  assert.equal(status, 200)
  assert.deepEqual(body, { tasksVersion: '1' })
  const startedAt = performance.now()
  assert.equal(await runner.fetch(200), undefined)
  assert.ok(performance.now() - startedAt < 390, 'it is answered when half of its time is over')
})

test('each of 40 jobs goes to exactly one of 12 runners on two nodes', async () => {
  const runners = await Promise.all(Array.from({ length: 12 }, () => register()))
  for (const [i, runner] of runners.entries()) runner.base = forge.bases[i % 2] ?? ''
  const runs = await Promise.all(Array.from({ length: 20 }, () => addRun(forge.ctx, repo, [{}, {}])))
  const given: string[] = []
  await Promise.all(
    runners.map(async (runner) => {
      // On a busy machine a request may end before it is given a job.
      for (let tries = 0; tries < 100 && given.length < 40; tries++) {
        const task = await runner.fetch()
        if (task === undefined) continue
        given.push(task.id)
        await runner.finish(task.id)
      }
    }),
  )
  assert.equal(new Set(given).size, 40)
  assert.equal(given.length, 40)
  const statuses = await forge.db
    .selectFrom('action_run')
    .select('status')
    .where(
      'id',
      'in',
      runs.map(({ id }) => id),
    )
    .execute()
  assert.ok(statuses.every(({ status }) => status === 'success'))
})

test('a job goes only to a runner that has all its labels, ignoring case', async () => {
  const runner = await register()
  await addRun(forge.ctx, repo, [{ runs_on: ['linux', 'gpu'] }])
  assert.equal(await runner.fetch(), undefined)
  await addRun(forge.ctx, repo, [{ runs_on: ['Linux', 'arm'] }])
  await finishAll(runner, await runner.untilTask())
  const gpu = await register({ labels: ['gpu', 'linux'] })
  const task = await gpu.untilTask()
  await gpu.finish(task.id)
})

test('runners of a repository or an owner are given no jobs of other owners', async () => {
  const ofAnvil = await register({}, await tokenOf('ann', '/repos/ann/anvil'))
  const ofAnn = await register({}, await tokenOf('ann', '/user'))
  await addRun(forge.ctx, other)
  assert.deepEqual(await Promise.all([ofAnvil.fetch(), ofAnn.fetch()]), [undefined, undefined])
  for (const runner of [ofAnvil, ofAnn]) {
    await addRun(forge.ctx, repo)
    const task = await runner.untilTask()
    assert.equal(task.context.repository, 'ann/anvil')
    await runner.finish(task.id)
  }
  const ofBob = await register({}, await tokenOf('bob', '/user'))
  await finishAll(ofBob, await ofBob.untilTask())
})

test('no job is handed out while its runner or the actions unit of its repository is disabled, or it is quarantined', async () => {
  const runner = await register()
  const disable = (disabled: boolean) =>
    forge.call('root', 'PATCH', `/admin/actions/runners/${runner.id}`, { disabled })
  assert.equal((await disable(true)).status, 200)
  await addRun(forge.ctx, repo)
  assert.equal(await runner.fetch(), undefined)
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/anvil', { has_actions: false })).status, 200)
  await disable(false)
  assert.equal(await runner.fetch(), undefined)
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/anvil', { has_actions: true })).status, 200)
  const quarantine = (quarantine_reason: string | null) =>
    forge.db.updateTable('repository').set({ quarantine_reason }).where('name', '=', 'anvil').execute()
  await quarantine('mines coins')
  assert.equal(await runner.fetch(), undefined)
  await quarantine(null)
  const task = await runner.untilTask()
  await runner.finish(task.id)
})

test('an ephemeral runner is given one job and is then deleted', async () => {
  const runner = await register({ ephemeral: true })
  await addRun(forge.ctx, repo, [{}, {}])
  const tasks = (await Promise.all([runner.fetch(), runner.fetch()])).filter((it) => it !== undefined)
  assert.ok(tasks.length <= 1, `${tasks.length} jobs`)
  const task = tasks[0] ?? (await runner.untilTask())
  assert.equal(await runner.log(task.id, 0, ['done'], true), 1)
  await runner.finish(task.id)
  assert.equal((await forge.call('root', 'GET', `/admin/actions/runners/${runner.id}`)).status, 404)
  assert.equal((await runner.call('FetchTask', {})).body.code, 'unauthenticated')
  assert.equal(
    (await runner.finish(task.id)).state.result,
    'RESULT_SUCCESS',
    'its last words are heard twice',
  )
  const last = await register()
  await finishAll(last, await last.untilTask())
})

test('an ephemeral runner that polls two nodes at once is given one job', async () => {
  const runner = await register({ ephemeral: true })
  await Promise.all([addRun(forge.ctx, repo), addRun(forge.ctx, repo)])
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  // Makes both nodes block on inserting the task.
  const held = forge.db.transaction().execute(async (tx) => {
    await sql`lock table action_task in share mode`.execute(tx)
    isLocked.resolve()
    await isOver
  })
  await isLocked.promise
  const asking = forge.bases.map((base) => Object.assign(Object.create(runner), { base }).fetch())
  await waitForLock(forge.db)
  await sleep(150)
  release()
  await held
  const tasks = (await Promise.all(asking)).filter((it) => it !== undefined)
  assert.ok(tasks.length <= 1, `${tasks.length} jobs`)
  // On a busy machine both requests time out before the lock is released.
  const task = tasks[0] ?? (await runner.untilTask())
  await runner.finish(task.id)
  const last = await register()
  await finishAll(last, await last.untilTask())
})

/** Runs `work` while no node can read `action_secret`, which is needed to hand out a job that was taken. */
async function withoutSecrets(work: () => Promise<void>): Promise<void> {
  await forge.db.transaction().execute(async (tx) => {
    await sql`lock table action_secret in access exclusive mode`.execute(tx)
    await work()
  })
}

test('a stalled node does not hand out a job that was declared lost meanwhile', async () => {
  const [slow, quick] = await Promise.all([register(), register()])
  let first: Promise<Message | undefined> | undefined
  await withoutSecrets(async () => {
    first = slow.fetch()
    await addRun(forge.ctx, repo)
    await waitForLock(forge.db)
    forge.advance(61_000)
    await stopZombieTasks(forge.ctx)
  })
  assert.equal(await first, undefined)
  const task = await quick.untilTask()
  await quick.finish(task.id)
})

test("a node does not hand out a job after the runner's deadline to report on it", async (t) => {
  const runner = await register()
  const run = await addRun(forge.ctx, repo, [{ status: 'blocked' }])
  let first: Promise<Message | undefined> | undefined
  await withoutSecrets(async () => {
    first = runner.fetch()
    await forge.db.updateTable('action_job').set({ status: 'waiting' }).where('run_id', '=', run.id).execute()
    await waitForLock(forge.db)
    const { now } = performance
    t.mock.method(performance, 'now', () => now.call(performance) + 61_000)
  })
  assert.equal(await first, undefined)
  t.mock.restoreAll()
  const { losses } = await forge.db
    .selectFrom('action_job')
    .select('losses')
    .where('run_id', '=', run.id)
    .executeTakeFirstOrThrow()
  assert.equal(losses, 0, 'it was never given away')
  const task = await runner.untilTask()
  await runner.finish(task.id)
})

test('no job is lost when a runner disconnects while it waits', async () => {
  const [leaving, staying] = await Promise.all([register(), register()])
  for (let i = 0; i < 10; i++) {
    const controller = new AbortController()
    const left = leaving.fetch(5_000, controller.signal).catch(() => undefined)
    await sleep(60)
    const added = addRun(forge.ctx, repo)
    setTimeout(() => controller.abort(), i)
    const had = await left
    await added
    // The job reached this runner, or another runner gets it at once rather than after it is declared lost.
    const runner = had === undefined ? staying : leaving
    const task = had ?? (await staying.untilTask())
    await runner.finish(task.id)
  }
})

test('nodes hand out jobs while another transaction holds the job that looks for lost tasks', async () => {
  const runner = await register()
  await finishAll(runner, await runnerWithJob(runner))
  await forge.db.transaction().execute(async (tx) => {
    const { rows } = await sql`select 1 from job where key = 'stop_lost_tasks' for update`.execute(tx)
    assert.equal(rows.length, 1)
    for (let jobs = 0; jobs < 2; jobs++) await runner.finish((await runnerWithJob(runner)).id)
  })
})

test('a runner whose wait ends while a job is handed to it gets the job', async () => {
  const runner = await register()
  await addRun(forge.ctx, repo)
  let asked: Promise<Message | undefined> | undefined
  await forge.db.transaction().execute(async (tx) => {
    await sql`lock table action_task in share mode`.execute(tx)
    asked = runner.fetch()
    await waitForLock(forge.db)
    await sleep(500)
  })
  const task = await asked
  assert.ok(task)
  await runner.finish(task.id)
})

test('runners that leave before many jobs are handed out get fewer at a time', async () => {
  await sql`create function take_long() returns trigger language plpgsql as
    $$begin perform pg_sleep(0.2); return new; end$$`.execute(forge.db)
  await sql`create trigger take_long before insert on job_token for each row execute function take_long()`.execute(
    forge.db,
  )
  const runners = await Promise.all(Array.from({ length: 16 }, () => register()))
  await addRun(
    forge.ctx,
    repo,
    runners.map(() => ({})),
  )
  await Promise.all(
    runners.map(async (runner) => {
      for (let tries = 0; tries < 100; tries++) {
        runner.base = forge.base
        const task = await runner.fetch(2_500, AbortSignal.timeout(2_500)).catch(() => undefined)
        if (task !== undefined) return runner.finish(task.id)
      }
      assert.fail('no job was handed out')
    }),
  )
  await sql`drop function take_long cascade`.execute(forge.db)
})

test('two hundred waiting runners take about as many queries as one', async () => {
  const runners = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const runner = await register()
      runner.base = forge.base
      return runner
    }),
  )
  const cost = async (some: readonly SimulatedRunner[]) => {
    const count = await forge.countQueries(() => Promise.all(some.map((runner) => runner.fetch())))
    return count
  }
  await cost(runners)
  const one = await cost(runners.slice(0, 1))
  const all = await cost(runners)
  // Polls every 50 ms for 400 ms; new requests are looked up in batches of 50 ms.
  assert.ok(all < one + 40, `one costs ${one} statements, 200 cost ${all}`)
})
