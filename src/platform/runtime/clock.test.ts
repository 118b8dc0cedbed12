/** Nodes with wrong clocks share PostgreSQL's time, and a node whose clock is far off takes no work. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { internalOperations, type OpenWorld, openWorld, rawRoutes, routes, web, workOf } from '#cli'
import { buildApp } from '#http'
import { startWorker } from '#jobs'
import { Clock } from '#platform/clock'
import { type Context, transact } from '#platform/context'
import { openLog } from '#platform/log'
import { addJobs, type JobKind } from '#platform/queue'
import { startForge, until } from '#testing'
import { addRun, SimulatedRunner } from '#testing/slices/runners'

const AHEAD_MS = 660_000

/** A node on the database of a forge, on a machine whose clock the test sets. */
async function withNode(
  forge: Awaited<ReturnType<typeof startForge>>,
  machine: { aheadMs: number },
  work: (node: OpenWorld & { base: string; ctx: Context }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-clock-'))
  const open = await openWorld(forge.world.config, {
    listening: { host: '127.0.0.1', port: 0 },
    cacheFolder: folder,
    // biome-ignore lint/plugin: the machine's clock is what is wrong here
    machineClock: () => Date.now() + machine.aheadMs,
  })
  const app = buildApp({
    world: open.world,
    routes,
    internalOperations,
    rawRoutes,
    web,
    isReady: async () => open.world.clock.refusal(),
  })
  try {
    await open.world.clock.start()
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    await work({ ...open, base, ctx: { ...open.world, actor: null, signal: new AbortController().signal } })
  } finally {
    await app.close()
    await open.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test("the time is PostgreSQL's, however wrong the machine clock is", async () => {
  await using forge = await startForge({ config: { 'log.level': 'silent' } })
  await withNode(forge, { aheadMs: AHEAD_MS }, async ({ world, base }) => {
    // biome-ignore lint/plugin: the machine's clock is right here, and PostgreSQL is on it
    assert.ok(Math.abs(world.now().getTime() - Date.now()) < 2_000)
    const ready = await fetch(`${base}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /clock differs from the database by 6[56]\d{4} ms/)
  })
})

test('a node whose clock is far off runs no jobs and assigns none to runners until it is corrected', async () => {
  await using forge = await startForge({
    config: {
      'log.level': 'silent',
      'runners.wait_ms': 300,
      'runners.poll_ms': 50,
      'jobs.dead_after_ms': 1_000,
    },
  })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  const { id } = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })).body
  const token = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body.token
  let runs = 0
  const count: JobKind = { name: 'count', run: async () => void runs++ }
  const machine = { aheadMs: AHEAD_MS }
  await withNode(forge, machine, async ({ base, ctx, database }) => {
    const work = { ...workOf([]), jobs: [count] }
    const worker = await startWorker(ctx, database.queue, work)
    try {
      const order = () =>
        transact(ctx, (ctx) => addJobs(ctx, [{ kind: 'count', payload: {}, attemptsMax: 1 }]))
      const runner = await SimulatedRunner.register(base, token)
      await order()
      await addRun(ctx, id)
      assert.equal(await runner.fetch(), undefined)
      await sleep(1_500)
      assert.equal(runs, 0)

      machine.aheadMs = 0
      await until(() => runs === 1)
      const task = await runner.untilTask()
      await runner.finish(task.id)

      machine.aheadMs = -AHEAD_MS
      assert.match(ctx.clock.refusal() ?? '', /by -6[56]\d{4} ms/)
      // The worker polls several times before it counts as dead.
      await sleep(1_500)
      await order()
      await sleep(1_500)
      assert.equal(runs, 1)
      machine.aheadMs = 0
      await until(() => runs === 2)
    } finally {
      await worker.stop()
    }
  })
})

test('a slow reading does not move the clock, and neither does one that agrees', async () => {
  let [time, tookMs] = [1_000_000, 0]
  const began = performance.now()
  const ask = async () => {
    if (tookMs > 0) await sleep(tookMs)
    return new Date(time + performance.now() - began)
  }
  const clock = new Clock({ ask, log: openLog('silent'), machine: () => time + performance.now() - began })
  await clock.read()
  assert.ok(Math.abs(clock.skewMs()) < 50)
  // PostgreSQL's clock was changed, but its answer is slow.
  time += 60_000
  tookMs = 2_100
  await clock.read()
  assert.ok(Math.abs(clock.skewMs() - 60_000) < 100, `${clock.skewMs()}`)
  assert.notEqual(clock.refusal(), undefined)
  tookMs = 0
  await clock.read()
  assert.ok(Math.abs(clock.skewMs()) < 50)
  assert.equal(clock.refusal(), undefined)
})
