/** Runners that execute nothing: they take jobs and return what they received. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, SimulatedRunner } from '#testing/slices/runners'
import { base64, type Person } from './calls.ts'
import { until } from './faults.ts'
import type { Forge } from './forge.ts'

export type { Message, SimulatedRunner }

const FETCH_MS = 5_000

/** A runner of the whole instance, which calls one node. */
export async function registerRunner(
  forge: Forge,
  label: string,
  facts: { base?: string; ephemeral?: boolean } = {},
): Promise<SimulatedRunner> {
  const { base = forge.base, ...more } = facts
  const token = await registrationToken(forge, forge.admin, '/api/v1/admin')
  return SimulatedRunner.register(base, token, { name: forge.name('runner'), labels: [label], ...more })
}

/** A runner for one repository; its label is `ubuntu-latest`. */
export async function runnerOf(forge: Forge, owner: Person, repository: string): Promise<SimulatedRunner> {
  const token = await registrationToken(forge, owner, `/api/v1/repos/${repository}`)
  const labels = ['ubuntu-latest']
  return SimulatedRunner.register(forge.base, token, { name: forge.name('runner'), labels })
}

/** The same runner, calling another node. */
export function callingAt(runner: SimulatedRunner, base: string): SimulatedRunner {
  return Object.assign(Object.create(runner) as SimulatedRunner, { base })
}

async function registrationToken(forge: Forge, who: Person, scope: string): Promise<string> {
  const { json } = await forge.must(who, 'POST', `${scope}/actions/runners/registration-token`)
  return (json as { token: string }).token
}

/** The next job that the runner gets within a number of seconds. */
export async function takeTask(runner: SimulatedRunner, seconds: number): Promise<Message | undefined> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
    const task = await runner.fetch(FETCH_MS)
    if (task !== undefined) return task
  }
  return undefined
}

/** The next job; aborts the attack when there is none. */
export async function mustTake(runner: SimulatedRunner, seconds = 60): Promise<Message> {
  const task = await takeTask(runner, seconds)
  if (task === undefined) throw new Error('no job came')
  return task
}

/** The header with the token of a job. */
export function tokenHeader(task: Message): { authorization: string } {
  return { authorization: `token ${task.secrets.GITHUB_TOKEN}` }
}

/** A workflow of one job. */
export function workflowText(on: string, label = 'ubuntu-latest', command = 'make'): string {
  return `on: ${on}\njobs:\n  build:\n    runs-on: ${label}\n    outputs:\n      a: x\n    steps:\n      - run: ${command}\n`
}

export async function addWorkflow(
  forge: Forge,
  who: Person,
  repository: string,
  text: string,
  { file = `${forge.name('w')}.yml`, base = forge.base } = {},
): Promise<void> {
  const path = `/api/v1/repos/${repository}/contents/.gitea/workflows/${file}`
  const body = { content: base64(text), branch: 'main', message: 'a workflow' }
  await forge.must(who, 'POST', path, body, { base })
}

/** A run of one job, which waits for a runner with this label. */
export async function addRun(
  forge: Forge,
  who: Person,
  repository: string,
  label: string,
  base = forge.base,
): Promise<void> {
  const runs = () => forge.sql('select count(*) from action_run')
  const before = await runs()
  await addWorkflow(forge, who, repository, workflowText('push', label), { base })
  await until('there is a run', async () => (await runs()) !== before)
}
