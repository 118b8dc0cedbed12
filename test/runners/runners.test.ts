/**
 * P1 for runners: many runners execute many jobs on three nodes, which are killed with -9 meanwhile. Every job completes
 * once; a job that was lost was reported as lost first, and no job is ever held by two runners at a time.
 *
 * `npm run prove:runners` is the full length. RUNNERS_SEED repeats a random sequence.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startForge } from '#testing'
import { addRun, type Message, SimulatedRunner } from '#testing/slices/runners'
import { ChaosForge } from '../chaos/chaos-forge.ts'
import { Dice } from '../chaos/dice.ts'

const RUNNERS = Number(process.env.RUNNERS ?? 10)
const JOBS = Number(process.env.RUNNER_JOBS ?? 40)
const SEED = Number(process.env.RUNNERS_SEED ?? randomInt(2 ** 32))
const ADDED_AT_ONCE = 20
/** Jobs that end between one kill and the next, on any machine. */
const JOBS_A_KILL = Math.max(20, Math.floor(JOBS / 20))
const MOMENT_MS_MAX = 200
/** Longer than a live runner may be delayed on a busy machine: a slow runner must not be taken for lost. */
const LOST_AFTER_S = RUNNERS > 20 ? 30 : 5
const ALL_MS_MAX = 1_800_000
const dice = new Dice(SEED)

test(`${RUNNERS} runners complete ${JOBS} jobs while nodes are killed: each once, and never two at a time`, {
  timeout: ALL_MS_MAX,
}, async (t) => {
  t.diagnostic(`RUNNERS_SEED=${SEED}`)
  await using forge = await ChaosForge.open(dice.fork(), {
    'actions.unheard_after_s': LOST_AFTER_S,
    'actions.zombie_after_s': LOST_AFTER_S,
    'actions.losses_max': 100,
    'runners.wait_ms': 1_000,
    'runners.poll_ms': 200,
  })
  const repo = await forge.createRepository(await forge.pickNode(dice), 'anvil')
  const answer = await forge.call(
    await forge.pickNode(dice),
    'POST',
    '/admin/actions/runners/registration-token',
  )
  const { token } = (await answer.json()) as { token: string }
  const crew = new Crew(forge)
  const startedAt = performance.now()
  const adding = addAll(forge, repo.id)
  const runners = Promise.all(Array.from({ length: RUNNERS }, () => crew.work(dice.fork(), token)))
  const kills = await killNodes(forge, crew)
  await Promise.all([adding, runners])
  await forge.calm()
  const seconds = (performance.now() - startedAt) / 1000
  const tasks = await forge.db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select(['action_task.id', 'action_task.job_id', 'action_task.status', 'action_task.is_lost'])
    .select(['action_task.started_at', 'action_task.stopped_at', 'action_job.status as job_status'])
    .orderBy('action_task.id')
    .execute()
  const byJob = Map.groupBy(tasks, ({ job_id }) => job_id)
  assert.equal(byJob.size, JOBS)
  for (const [jobId, some] of byJob) {
    assert.equal(some[0]?.job_status, 'success', `job ${jobId}`)
    assert.equal(some.filter(({ is_lost }) => !is_lost).length, 1, `job ${jobId} ended once`)
    for (const [i, task] of some.entries()) {
      const next = some[i + 1]
      assert.ok(task.stopped_at, 'every task has ended')
      assert.ok(next === undefined || next.started_at >= task.stopped_at, `job ${jobId} in two hands`)
    }
  }
  assert.equal(new Set(crew.given).size, crew.given.length, 'a task was given to two runners')
  const isEnded = new Set(tasks.filter((it) => !it.is_lost).map(({ id }) => id))
  for (const id of crew.acknowledged) assert.ok(isEnded.has(id), `the end of task ${id} was acknowledged`)
  assert.ok(kills > 0, 'no node was killed: the test proved nothing')
  const lost = tasks.length - JOBS
  t.diagnostic(`${kills} kills, ${lost} tasks lost and run again, ${seconds.toFixed(1)} s in all`)
})

test('waiting runners cost nothing each, and get a new job at once', async (t) => {
  const waiting = Math.min(RUNNERS * 5, 200)
  await using forge = await startForge()
  await forge.person('root', { is_admin: true })
  const { id } = (await forge.call('root', 'POST', '/user/repos', { name: 'anvil' })).body
  const { token } = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body
  let isOver = false
  const had: number[] = []
  let addedAt = 0
  const runners = await Promise.all(
    Array.from({ length: waiting }, () => SimulatedRunner.register(forge.base, token)),
  )
  const all = Promise.all(
    runners.map(async (runner) => {
      while (!isOver) {
        const task = await runner.fetch()
        if (task === undefined) continue
        had.push(performance.now() - addedAt)
        await runner.finish(task.id)
      }
    }),
  )
  await sleep(1_000)
  const measuredMs = 3_000
  const statements = await forge.countQueries(() => sleep(measuredMs))
  for (let jobs = 1; jobs <= 15; jobs++) {
    addedAt = performance.now()
    await addRun(forge.ctx, id)
    for (let looks = 0; had.length < jobs && looks < 500; looks++) await sleep(10)
  }
  isOver = true
  await all
  assert.equal(had.length, 15)
  const median = had.sort((a, b) => a - b)[7] ?? 0
  const perSecond = statements / (measuredMs / 1000)
  t.diagnostic(`${waiting} runners that wait: ${perSecond.toFixed(1)} statements a second in all`)
  t.diagnostic(`from before a job's commit until a runner has it: ${median.toFixed(0)} ms (median)`)
  assert.ok(perSecond < 40, `${perSecond} statements a second`)
})

/** Realistic runners: they retry without an answer, and continue their job whatever happens to a node. */
class Crew {
  readonly given: number[] = []
  readonly acknowledged: number[] = []
  private readonly forge: ChaosForge

  constructor(forge: ChaosForge) {
    this.forge = forge
  }

  get isDone(): boolean {
    return this.acknowledged.length >= JOBS
  }

  async work(luck: Dice, token: string): Promise<void> {
    const runner = await this.again(luck, async (base) => SimulatedRunner.register(base, token))
    while (!this.isDone) {
      const task = await this.try(luck, async (base) => {
        runner.base = base
        return runner.fetch(2_500, AbortSignal.timeout(4_000))
      })
      if (task === undefined) continue
      this.given.push(Number(task.id))
      await this.carryOut(luck, runner, task)
    }
  }

  private async carryOut(luck: Dice, runner: SimulatedRunner, task: Message): Promise<void> {
    await sleep(luck.below(100))
    const lines = ['first line', 'second line']
    const say = async (base: string) => {
      runner.base = base
      return runner.log(task.id, 0, lines, true)
    }
    assert.equal(await this.again(luck, say), lines.length)
    const told = await this.again(luck, async (base) => {
      runner.base = base
      return runner.finish(task.id)
    })
    // A repeated report of the end is still acknowledged; one of a lost task is not.
    if (told.state.result === 'RESULT_SUCCESS') this.acknowledged.push(Number(task.id))
  }

  /** Retries until a node answers. */
  private async again<T>(luck: Dice, ask: (base: string) => Promise<T>): Promise<T> {
    for (;;) {
      const said = await this.try(luck, ask)
      if (said !== undefined) return said
      await sleep(50)
    }
  }

  private async try<T>(luck: Dice, ask: (base: string) => Promise<T>): Promise<T | undefined> {
    const { url } = await this.forge.pickNode(luck)
    try {
      return await ask(url)
    } catch {
      await sleep(20)
      return undefined
    }
  }
}

async function addAll(forge: ChaosForge, repositoryId: number): Promise<void> {
  for (let added = 0; added < JOBS; added += ADDED_AT_ONCE) {
    const count = Math.min(ADDED_AT_ONCE, JOBS - added)
    // Half of them in one run, like a matrix; the others alone.
    const together = Math.ceil(count / 2)
    await addRun(
      forge.ctx,
      repositoryId,
      Array.from({ length: together }, () => ({})),
    )
    for (let i = together; i < count; i++) await addRun(forge.ctx, repositoryId)
  }
}

async function killNodes(forge: ChaosForge, crew: Crew): Promise<number> {
  let kills = 0
  const endsAt = performance.now() + ALL_MS_MAX
  for (let next = 10; !crew.isDone && performance.now() < endsAt; await sleep(50)) {
    if (process.env.RUNNERS_PROGRESS) progress(crew)
    const [sweeper] = forge.live
    // The schedule would run it every five minutes.
    if (sweeper !== undefined && dice.below(20) === 0)
      await forge.call(sweeper, 'POST', '/admin/cron/stop_zombie_tasks').catch(() => undefined)
    if (crew.acknowledged.length < next || forge.live.length < 2) continue
    await sleep(dice.below(MOMENT_MS_MAX))
    const node = dice.pick(forge.live)
    if (await node.kill()) kills++
    void node.start()
    next = crew.acknowledged.length + JOBS_A_KILL
  }
  return kills
}

let told = 0
function progress(crew: Crew): void {
  if (performance.now() - told < 10_000) return
  told = performance.now()
  console.error(`${crew.given.length} given, ${crew.acknowledged.length} of ${JOBS} ended`)
}
