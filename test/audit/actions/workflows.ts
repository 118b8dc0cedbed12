/** A repository with workflows, a runner that takes their jobs, and how runs are listed and cancelled. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Audit, until } from '../kit/audit.ts'
import type { Answer, Json, RequestOptions } from '../kit/client.ts'
import { registerRunner, type SimulatedRunner } from '../kit/runner.ts'
import type { Stage } from '../kit/stage.ts'

export const JOBS = 'GET /admin/actions/jobs'
export const ALL_RUNS = 'GET /admin/actions/runs'
export const RUNS = 'GET /repos/{owner}/{repo}/actions/runs'
export const CANCEL = 'POST /repos/{owner}/{repo}/actions/runs/{run}/force-cancel'

const FETCH_MS = 2_000
const TAKE_MS_MAX = 60_000

export interface Workflows {
  readonly place: string
  readonly label: string
  readonly runner: SimulatedRunner
  readonly runs: (query?: string, asking?: RequestOptions) => Promise<Answer>
  readonly allRuns: (query?: string) => Promise<Answer>
  readonly jobs: (query?: string) => Promise<Answer>
  readonly cancel: (id: number | string, asking?: RequestOptions) => Promise<Answer>
  /** Adds a workflow, and ends the run that the push starts. */
  readonly addWorkflow: (name: string, text: string) => Promise<void>
  /** Pushes to start a run; returns its task. */
  readonly pushAndTake: (path: string) => Promise<Json>
  readonly dispatch: (name: string) => Promise<void>
  /** The next job; fails when there is none. */
  readonly take: () => Promise<Json>
  /** Runs of one kind, newest first. */
  readonly list: (query: string) => Promise<Json[]>
}

export function workflowText(name: string, on: string, label: string): string {
  return `name: ${name}\non: ${on}\njobs:\n  one:\n    runs-on: ${label}\n    steps:\n      - run: echo hi\n`
}

export async function prepareWorkflows(audit: Audit, stage: Stage): Promise<Workflows> {
  const { call, request, must, suffix } = audit
  const { alice, bob, makeRepo, addFile } = stage
  const [place, label] = [`${alice}/ci`, `lab-${suffix}`]
  await makeRepo(alice, 'ci')
  const reader = { as: alice, body: { permission: 'read' } }
  await must(request('PUT', `/repos/${place}/collaborators/${bob}`, reader))
  const runner = await registerRunner(audit, `act-${suffix}`, [`${label}:host`], ['cancelling'])
  const take = () => takeTask(runner)
  const runs: Workflows['runs'] = (query = '', asking = {}) =>
    call(RUNS, 'GET', `/repos/${asking.at ?? place}/actions/runs${query}`, { as: alice, ...asking })
  return {
    place,
    label,
    runner,
    take,
    runs,
    allRuns: (query = '') => call(ALL_RUNS, 'GET', `/admin/actions/runs${query}`),
    jobs: (query = '') => call(JOBS, 'GET', `/admin/actions/jobs${query}`),
    cancel: (id, asking = {}) =>
      call(CANCEL, 'POST', `/repos/${asking.at ?? place}/actions/runs/${id}/force-cancel`, {
        as: alice,
        ...asking,
      }),
    addWorkflow: async (name, text) => {
      await addFile(place, `.gitea/workflows/${name}`, text, alice)
      await runner.finish((await take()).id)
    },
    pushAndTake: async (path) => {
      await addFile(place, path, path, alice)
      return take()
    },
    dispatch: async (name) => {
      const path = `/repos/${place}/actions/workflows/${name}/dispatches`
      await must(request('POST', path, { as: alice, body: { ref: 'main' } }))
    },
    list: async (query) => (await runs(query)).json.workflow_runs,
  }
}

/** Ends jobs until none of these runs is open. */
export async function finishRuns({ runner, list }: Workflows, query: string, count: number): Promise<void> {
  await until(async () => {
    const task = await runner.fetch(100)
    if (task !== undefined) await runner.finish(task.id)
    const runs = await list(query)
    return runs.length >= count && runs.every(({ status }) => status === 'completed')
  })
}

async function takeTask(runner: SimulatedRunner): Promise<Json> {
  for (const end = performance.now() + TAKE_MS_MAX; performance.now() < end; await sleep(50)) {
    const task = await runner.fetch(FETCH_MS)
    if (task !== undefined) return task
  }
  throw new Error('no job came')
}
