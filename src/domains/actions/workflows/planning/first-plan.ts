/** Plans the jobs of a workflow when a run starts: expands matrices, and makes jobs without `needs` ready. Pure. */
import { evaluate, evaluateAll, speaksOf } from '../language/expressions.ts'
import { combine } from '../language/matrix.ts'
import { type Facts, isFacts } from '../language/values.ts'
import { type Job, readWorkflow } from '../language/workflow.ts'
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'
import { blockedJob, concurrencyOf, contextsOf, failedJob, type Place, readyJob, spend } from './ready-job.ts'
import type { Call, FirstPlan, FirstPlanOrder, JobPlan, PlannedJob } from './types.ts'

export function planFirst({ text, files, contexts, onlyReads }: FirstPlanOrder): FirstPlan {
  const workflow = readWorkflow(text)
  const all = { ...contexts, gitea: contexts.github }
  const place: Place = {
    workflow,
    contexts: all,
    onlyReads,
    parentId: null,
    prefix: '',
    call: undefined,
    files,
    budget: { left: LIMITS.payloads },
  }
  const jobs = planJobs(place)
  const runName = workflow.facts['run-name']
  return {
    name: workflow.name,
    title: typeof runName === 'string' ? String(evaluate(runName, all)).slice(0, LIMITS.name) : '',
    concurrency: concurrencyOf(workflow.facts.concurrency, all),
    jobs,
  }
}

/** All jobs of one workflow. */
export function planJobs(place: Place): PlannedJob[] {
  const jobs = [...place.workflow.jobs.values()].flatMap((job) => spread(place, job))
  assertLimit('jobs', jobs.length, 'number of jobs')
  return jobs
}

/** One job for each combination of the matrix; a single job if the matrix depends on other jobs. */
function spread(place: Place, job: Job): PlannedJob[] {
  const base: JobPlan = {}
  try {
    const calls = job.uses === undefined ? {} : { calls: callOf(place, job.uses) }
    const { strategy } = job.facts
    if (speaksOf(strategy, 'needs')) return [blockedJob(place, job, { ...calls, is_unexpanded: true })]
    // Compat: the `if` of a job without `needs` is evaluated by the runner, so the job waits for one.
    return expand(place, job, {}).map((plan) =>
      job.needs.length > 0 || job.uses !== undefined
        ? blockedJob(place, job, { ...plan, ...calls })
        : readyJob(place, job, plan, {}),
    )
  } catch (error) {
    return [failedJob(place, job, base, error)]
  }
}

/** One plan for each combination of the matrix. */
export function expand(place: Place, job: Job, needs: object): JobPlan[] {
  const strategy = job.facts.strategy
  if (!isFacts(strategy)) return [{}]
  const contexts = { ...contextsOf(place, {}), needs }
  const combinations = combine(evaluateAll(strategy.matrix, contexts))
  const most = Number(evaluateAll(strategy['max-parallel'], contexts))
  const shared = {
    ...(most >= 1 ? { max_parallel: Math.trunc(most) } : {}),
    fails_fast: evaluateAll(strategy['fail-fast'], contexts) !== false,
    total: combinations.length,
  }
  return combinations.map((matrix, index) => ({ ...shared, matrix, index }))
}

const LOCAL = /^\.\/(\.(?:bloomery|gitea|github)\/workflows\/[\w.-]+\.ya?ml)$/

/**
 * A reusable workflow of the same commit, with all workflows it uses: they are stored, so a run does not change with
 * the files.
 */
function callOf(place: Place, uses: string): Call {
  const path = LOCAL.exec(uses)?.[1]
  if (path === undefined)
    throw new WorkflowProblem(`"${uses.slice(0, 200)}" is no workflow of this repository`)
  const depth = (place.call?.depth ?? 0) + 1
  assertLimit('nesting', depth, 'workflows that use each other')
  const files: Record<string, string> = {}
  collect(place.files, path, files, depth)
  spend(
    place,
    Object.values(files).reduce((sum, it) => sum + it.length, 0),
  )
  return { path, files, depth }
}

function collect(all: Facts, path: string, into: Record<string, string>, depth: number): void {
  assertLimit('nesting', depth, 'workflows that use each other')
  const text = Object.hasOwn(all, path) ? all[path] : undefined
  if (typeof text !== 'string') throw new WorkflowProblem(`workflow "${path}" is not there`)
  into[path] = text
  assertLimit(
    'payload',
    Object.values(into).reduce((sum, it) => sum + it.length, 0),
    'workflows that are used',
  )
  for (const { uses } of readWorkflow(text).jobs.values()) {
    const next = uses === undefined ? undefined : LOCAL.exec(uses)?.[1]
    if (next !== undefined) collect(all, next, into, depth + 1)
  }
}
