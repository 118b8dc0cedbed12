/** Jobs and runners over several nodes: a job belongs to one runner, and a runner can rely on the answers it got. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { paused, until } from './kit/faults.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, mustGit } from './kit/git.ts'
import {
  addRun,
  callingAt,
  type Message,
  mustTake,
  registerRunner,
  type SimulatedRunner,
  workflowText,
} from './kit/runner.ts'

export const runners: readonly Attack[] = [
  {
    name: 'a-single-job-from-three-nodes',
    holds: 'an ephemeral runner is given one job, however many nodes it asks at once',
    seconds: 180,
    on: 's3',
    // Too long for CI: four rounds of waiting for jobs that must not come.
    run: askThreeNodes,
  },
  {
    name: 'outputs-that-were-acknowledged',
    holds: 'outputs whose storage was acknowledged to a runner are stored',
    seconds: 90,
    on: 's3',
    isInCi: true,
    run: sendOutputsTwice,
  },
  {
    name: 'a-node-that-stood-still',
    holds: 'a node that stood still does not hand out a job that another runner has',
    seconds: 240,
    on: 's3',
    // Too long for CI: the others have to take the node for dead first.
    isAlone: true,
    run: standStill,
  },
  {
    name: 'a-clock-eleven-minutes-ahead',
    holds:
      'a runner that reports every second keeps its job, also when a node joins whose clock is 11 minutes ahead',
    seconds: 240,
    on: 's3',
    // Too long for CI: the runner reports for 40 s.
    isAlone: true,
    run: joinWithWrongClock,
  },
]

const UNSPECIFIED = 'RESULT_UNSPECIFIED'

async function standStill(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'hands')
  const label = forge.name('label')
  const one = await registerRunner(forge, label)
  const two = await registerRunner(forge, label, { base: forge.otherBase })
  const last = () => forge.sql('select coalesce(max(id), 0) from action_task')
  const before = await last()
  const over = new AbortController()
  const first = fetchUntil(() => one.fetch(300_000, over.signal), over.signal)
  // A delay between taking a job and sending it, as on a busy day: the job's secrets are read late.
  const slow = forge.sql(
    'begin; lock table action_secret in access exclusive mode; select pg_sleep(8); commit',
  )
  const adding = addRun(forge, ann, repository, label, forge.otherBase)
  await until('a task was taken', async () => (await last()) !== before, 60_000, 20)
  const still = paused(forge.pids[0] ?? 0)
  try {
    await adding.catch(() => undefined)
    await slow
    const given = await mustTake(two, 150)
    await two.report(given.id)
    still[Symbol.dispose]()
    const got = await Promise.race([first, sleep(10_000)])
    if (got === undefined) return undefined
    const names = Object.keys(got.secrets ?? {}).join(' ')
    return `runner two works on task ${given.id}; the node went on and gave runner one task ${got.id} of the same job, with its secrets: ${names}`
  } finally {
    over.abort()
    still[Symbol.dispose]()
  }
}

/** The first task; undefined when the time is over before. */
async function fetchUntil(
  fetch: () => Promise<Message | undefined>,
  signal: AbortSignal,
): Promise<Message | undefined> {
  while (!signal.aborted) {
    const task = await fetch().catch(() => undefined)
    if (task !== undefined) return task
    await sleep(100)
  }
  return undefined
}

async function sendOutputsTwice(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'outputs')
  const label = forge.name('label')
  const runner = await registerRunner(forge, label)
  await addRun(forge, ann, repository, label)
  const { id } = await mustTake(runner)
  await runner.report(id)
  const ids = await forge.sql(`select run_id, job_id from action_task
    join action_job on action_job.id = job_id where action_task.id = ${id}`)
  const [runId, jobId] = ids.split('|')
  // The run is locked briefly, as by any of its jobs that ends; the runner times out and sends again.
  const lock = `select 1 from action_run where id = ${runId} for update`
  const held = forge.sql(`begin; ${lock}; select pg_sleep(4); commit`)
  await sleep(700)
  const early = runner.report(id, {}, { a: 'one' })
  await sleep(700)
  const late = runner.report(id, {}, { a: 'one', b: 'two' })
  await held
  const answers = await Promise.all([early, late])
  const stored = JSON.parse(await forge.sql(`select outputs from action_job where id = ${jobId}`)) as object
  const sent = answers.map((it) => (it.sentOutputs ?? []).join('+')).join(' and ')
  return 'a' in stored && 'b' in stored
    ? undefined
    : `answered that ${sent} are stored, there is ${JSON.stringify(stored)}`
}

const CLOCK = new URL('kit/skewed-clock.ts', import.meta.url).href
const REPORTS = 40

async function joinWithWrongClock(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'clocks')
  const label = forge.name('label')
  const base = forge.otherBase
  const one = await registerRunner(forge, label, { base })
  const two = await registerRunner(forge, label, { base })
  await addRun(forge, ann, repository, label, base)
  const { id } = await mustTake(one)
  const result = async () => (await one.report(id)).state?.result ?? UNSPECIFIED
  if ((await result()) !== UNSPECIFIED) throw new Error('the task did not begin')
  const skewed = { NODE_OPTIONS: `--import ${CLOCK}`, SKEW_MS: '660000' }
  // A node that detects that its clock is wrong may refuse to start.
  await forge.serve(['--role', 'worker'], skewed).catch((error: Error) => {
    if (!/clock/i.test(error.message)) throw error
  })
  for (let i = 0; i < REPORTS; i++) {
    const now = await result()
    if (now !== UNSPECIFIED) {
      const other = await two.fetch(5_000)
      return `after ${i} s runner one, which had just reported, is sent ${now}; runner two was given task ${other?.id} of the same job`
    }
    // The cron task runs every five minutes; here it is requested, and any worker may take it.
    await forge.must(forge.admin, 'POST', '/api/v1/admin/cron/stop_zombie_tasks', undefined, { base })
    await sleep(1_000)
  }
  return undefined
}

const ROUNDS = 4
const ASKING_MS = 25_000

async function askThreeNodes(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'single')
  const counts: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const label = forge.name('label')
    const runner = await registerRunner(forge, label, { ephemeral: true })
    const folder = await clone(forge, ann, repository)
    const asking = forge.bases.map((base) => takeOnce(callingAt(runner, base)))
    await sleep(500)
    rmSync(join(folder, '.gitea'), { recursive: true, force: true })
    // Each file is a separate run, which another node need not wait for.
    for (const it of ['a', 'b', 'c', 'd', 'e', 'f'])
      await commitFile(folder, `.gitea/workflows/${it}.yml`, workflowText('push', label))
    await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
    const given = (await Promise.all(asking)).filter((it) => it !== undefined)
    counts.push(given.length)
    if (given.length > 1)
      return `tasks ${given.join(' and ')} were given to one ephemeral runner by ${given.length} nodes (rounds: ${counts.join(' ')})`
  }
  if (counts.every((it) => it === 0)) throw new Error('it was never given a job')
  return undefined
}

/** The task that a node gives; undefined when it refuses, or has none in time. */
async function takeOnce(runner: SimulatedRunner): Promise<string | undefined> {
  for (const end = performance.now() + ASKING_MS; performance.now() < end; ) {
    const task = await runner.fetch(20_000).catch(() => 'refused' as const)
    if (task === 'refused') return undefined
    if (task !== undefined) return task.id as string
  }
  return undefined
}
