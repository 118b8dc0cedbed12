/** Makes a job of the workflow file ready for a runner by evaluating its expressions. Pure. */
import { type Contexts, evaluate, evaluateAll, speaksOf } from '../language/expressions.ts'
import { type Combination, nameOf } from '../language/matrix.ts'
import { permissionsOf } from '../language/permissions.ts'
import { factsOf, isFacts, messageOf } from '../language/values.ts'
import type { Job, Workflow } from '../language/workflow.ts'
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'
import { payloadOf } from './payload.ts'
import type { Call, JobPlan, PlannedJob } from './types.ts'

/** Where a job is defined: its workflow and the contexts of its expressions. */
export interface Place {
  readonly workflow: Workflow
  readonly contexts: Contexts
  readonly onlyReads: boolean
  readonly parentId: number | null
  /** Prefix of the names of jobs in a called workflow. */
  readonly prefix: string
  readonly call: Call | undefined
  /** Workflows that can be called, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Characters left for all payloads of a plan. */
  readonly budget: { left: number }
}

const TIMEOUT_MINUTES = 360
const TIMEOUT_MINUTES_MAX = 35 * 24 * 60
const RUNS_ON_MAX = 20

/** A job whose needs are not done yet; evaluates only what does not depend on them. */
export function blockedJob(place: Place, job: Job, plan: JobPlan): PlannedJob {
  const contexts = contextsOf(place, plan)
  const dependsOnNeeds = speaksOf(job.facts['runs-on'], 'needs')
  return {
    parent_id: place.parentId,
    key: job.key,
    name: shownName(place, job, plan, contexts),
    needs: job.needs,
    runs_on: job.uses !== undefined || dependsOnNeeds ? [] : runsOn(job, contexts),
    status: 'blocked',
    payload: null,
    permissions: {},
    continues_on_error: false,
    timeout_minutes: TIMEOUT_MINUTES,
    concurrency_group: null,
    plan,
  }
}

/** Thrown before the payloads of a plan exceed the memory limit. */
export class TooMuch extends WorkflowProblem {}

export function spend({ budget }: Place, chars: number): void {
  budget.left -= chars
  if (budget.left < 0)
    throw new TooMuch(`all jobs together exceed the limit "payloads" of ${LIMITS.payloads}`)
}

/** A job that cannot be evaluated fails at once, with the problem in its plan. */
export function readyJob(place: Place, job: Job, plan: JobPlan, needs: object): PlannedJob {
  const contexts = { ...contextsOf(place, plan), needs }
  try {
    const { facts } = job
    const name = shownName(place, job, plan, contexts)
    const runs_on = runsOn(job, contexts)
    const group = concurrencyOf(facts.concurrency, contexts)
    const matrix = plan.matrix ?? {}
    const payload = payloadOf(place.workflow, job, { name, runs_on, matrix, call: place.call })
    spend(place, payload.length)
    return {
      ...blockedJob(place, job, plan),
      name,
      runs_on,
      payload,
      permissions: permissionsOf(place.workflow.facts.permissions, facts.permissions, place.onlyReads),
      continues_on_error: evaluateAll(facts['continue-on-error'], contexts) === true,
      timeout_minutes: timeoutOf(evaluateAll(facts['timeout-minutes'], contexts)),
      concurrency_group: group?.group ?? null,
      plan: { ...plan, ...(group === null ? {} : { cancels_others: group.cancels_others }) },
    }
  } catch (error) {
    return failedJob(place, job, plan, error)
  }
}

export function failedJob(place: Place, job: Job, plan: JobPlan, error: unknown): PlannedJob {
  if (!(error instanceof WorkflowProblem) || error instanceof TooMuch) throw error
  return {
    parent_id: place.parentId,
    key: job.key,
    name: place.prefix + job.key,
    needs: job.needs,
    runs_on: [],
    status: 'failure',
    payload: null,
    permissions: {},
    continues_on_error: false,
    timeout_minutes: TIMEOUT_MINUTES,
    concurrency_group: null,
    plan: { ...plan, problem: messageOf(error) },
  }
}

export function contextsOf(
  { contexts }: Place,
  { matrix, index, total, max_parallel, fails_fast }: JobPlan,
): Contexts {
  const strategy = {
    'fail-fast': fails_fast ?? true,
    'job-index': index ?? 0,
    'job-total': total ?? 1,
    'max-parallel': max_parallel ?? total ?? 1,
  }
  return { ...contexts, matrix: matrix ?? {}, strategy }
}

/** The concurrency group; null if there is none. */
export function concurrencyOf(value: unknown, contexts: Contexts) {
  if (value === undefined || value === null) return null
  const facts = isFacts(value) ? value : { group: value }
  const group = String(evaluateAll(facts.group ?? '', contexts))
  assertLimit('group', group.length, 'concurrency group')
  const cancels = evaluateAll(facts['cancel-in-progress'], contexts)
  return group === '' ? null : { group, cancels_others: cancels === true || cancels === 'true' }
}

/** Compat: the values of the matrix are appended to a name without expressions. */
function shownName(
  { prefix }: Place,
  { key, facts }: Job,
  { matrix = {} }: JobPlan,
  contexts: Contexts,
): string {
  const written = typeof facts.name === 'string' && facts.name !== '' ? facts.name : key
  const name = written.includes('${{') ? String(evaluate(written, contexts)) : named(written, matrix)
  return (prefix + name).slice(0, LIMITS.name)
}

function named(name: string, matrix: Combination): string {
  return [name, nameOf(matrix)].filter((it) => it !== '').join(' ')
}

/** A label, a list of labels, or the labels of a group. */
function runsOn({ key, facts }: Job, contexts: Contexts): string[] {
  const value = evaluateAll(facts['runs-on'], contexts)
  const labels: unknown = isFacts(value) ? factsOf(value, 'runs-on').labels : value
  const all: unknown[] = Array.isArray(labels) ? labels : [labels]
  const texts = all.filter((it) => it !== undefined && it !== null && it !== '').map(String)
  if (texts.length > RUNS_ON_MAX || texts.some((it) => it.length > LIMITS.name))
    throw new WorkflowProblem(`job "${key}" asks for too many labels, or too long ones`)
  return texts
}

function timeoutOf(value: unknown): number {
  const minutes = Math.trunc(Number(value))
  return minutes > 0 ? Math.min(minutes, TIMEOUT_MINUTES_MAX) : TIMEOUT_MINUTES
}
