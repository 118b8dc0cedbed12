/** Plans the next jobs of a run: which are ready, which are skipped, and which are added. Pure. */
import { evaluateAll, isTrue, type Outcome } from '../language/expressions.ts'
import type { Input } from '../language/triggers.ts'
import { type Facts, factsOf, isFacts, messageOf } from '../language/values.ts'
import { type Job, readWorkflow } from '../language/workflow.ts'
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'
import { expand, planJobs } from './first-plan.ts'
import { blockedJob, contextsOf, type Place, readyJob, TooMuch } from './ready-job.ts'
import type {
  Call,
  JobChange,
  JobPlan,
  JobState,
  NextPlan,
  NextPlanOrder,
  PlannedJob,
  Status,
} from './types.ts'

type Result = 'success' | 'failure' | 'cancelled' | 'skipped'
const RESULTS: readonly Status[] = ['success', 'failure', 'cancelled', 'skipped']

export function planNext(order: NextPlanOrder): NextPlan {
  return new Planner(order).plan()
}

class Planner {
  private readonly order: NextPlanOrder
  private readonly jobs: Map<number, JobState>
  private readonly places = new Map<number | null, Place>()
  private readonly changes: JobChange[] = []
  private readonly added: PlannedJob[] = []
  private readonly budget = { left: LIMITS.payloads as number }

  constructor(order: NextPlanOrder) {
    this.order = order
    this.jobs = new Map(order.jobs.map((job) => [job.id, job]))
  }

  /** A decision about one job may enable another, so this repeats until nothing changes. */
  plan(): NextPlan {
    for (let before = -1; before !== this.changes.length; ) {
      before = this.changes.length
      for (const job of this.jobs.values()) this.consider(job)
    }
    return { changes: this.changes, added: this.added }
  }

  private consider(job: JobState): void {
    const { calls } = job.plan
    try {
      if (job.status === 'running' && calls !== undefined) this.finishCall(job, calls)
      if (job.status === 'blocked' && !job.is_ready && this.isReached(job)) this.decide(job)
    } catch (error) {
      if (!(error instanceof WorkflowProblem) || error instanceof TooMuch) throw error
      this.end(job, 'failure', { plan: { ...job.plan, problem: messageOf(error) } })
    }
  }

  /** All needed jobs are done, and the parent job is running. */
  private isReached(job: JobState): boolean {
    const parent = job.parent_id === null ? undefined : this.jobs.get(job.parent_id)
    const hasBegun = parent === undefined || parent.status === 'running'
    return hasBegun && this.needsOf(job).every((it) => isDone(it.status))
  }

  private decide(job: JobState): void {
    const place = this.placeOf(job.parent_id)
    const written = place.workflow.jobs.get(job.key)
    if (written === undefined) throw new WorkflowProblem(`job "${job.key}" is not there any more`)
    const needs = this.needsContext(job)
    const contexts = { ...contextsOf(place, job.plan), needs }
    if (!isTrue(written.facts.if, contexts, this.outcomeOf(job))) this.end(job, 'skipped')
    else if (job.plan.is_unexpanded) this.spread(job, place, written, needs)
    else if (job.plan.calls !== undefined) this.call(job, place, written, needs)
    else this.become(job, readyJob(place, written, job.plan, needs))
  }

  /** The placeholder row becomes the first job of the matrix. */
  private spread(job: JobState, place: Place, written: Job, needs: object): void {
    const { is_unexpanded: _, ...base } = job.plan
    const plans = expand(place, written, needs).map((plan) => ({ ...base, ...plan }))
    const [first, ...others] = plans.map((plan) =>
      plan.calls === undefined ? readyJob(place, written, plan, needs) : blockedJob(place, written, plan),
    )
    this.add(others)
    // The matrix may be empty.
    if (first === undefined) this.end(job, 'skipped')
    else this.become(job, first)
  }

  private call(job: JobState, place: Place, written: Job, needs: object): void {
    const calls = job.plan.calls as Call
    const contexts = { ...contextsOf(place, job.plan), needs }
    const called = readWorkflow(calls.files[calls.path] ?? '')
    const trigger = called.triggers.find(({ event }) => event === 'workflow_call')
    if (trigger === undefined) throw new WorkflowProblem(`workflow "${calls.path}" is not on workflow_call`)
    const given = factsOf(evaluateAll(written.facts.with, contexts), `with of job "${job.key}"`)
    const under: Call = {
      ...calls,
      inputs: inputsOf(trigger.inputs ?? {}, given),
      secrets: secretsOf(written.facts.secrets, place),
    }
    const plan = { ...job.plan, calls: under }
    // A rerun already has them.
    const isAgain = this.order.jobs.some(({ parent_id }) => parent_id === job.id)
    if (!isAgain) this.add(planJobs(this.placeUnder({ ...job, plan }, place)))
    this.changes.push({ id: job.id, begins: plan })
    this.jobs.set(job.id, { ...job, status: 'running', plan })
  }

  /** A job that calls a workflow ends with the result of its jobs, and the outputs that the workflow declares. */
  private finishCall(job: JobState, calls: Call): void {
    const inside = [...this.jobs.values()].filter(({ parent_id }) => parent_id === job.id)
    if (inside.length === 0 || !inside.every(({ status }) => isDone(status))) return
    const result = resultOf(inside)
    const jobs = Object.fromEntries(
      [...Map.groupBy(inside, ({ key }) => key)].map(([key, rows]) => [
        key,
        { result: resultOf(rows), outputs: outputsOf(rows) },
      ]),
    )
    const called = readWorkflow(calls.files[calls.path] ?? '')
    const on = isFacts(called.facts.on) ? called.facts.on : {}
    const written = factsOf(factsOf(on.workflow_call, 'workflow_call').outputs, 'outputs')
    const { contexts } = this.placeOf(job.id)
    const outputs = Object.entries(written).map(([name, it]) => [
      name,
      this.outputOf(it, { ...contexts, jobs }),
    ])
    this.end(job, result, { outputs: Object.fromEntries(outputs) })
  }

  private outputOf(output: unknown, contexts: Place['contexts']): string {
    try {
      return String(evaluateAll(factsOf(output, 'output').value, contexts) ?? '')
    } catch (error) {
      if (error instanceof WorkflowProblem) return ''
      throw error
    }
  }

  private needsOf({ needs, parent_id }: JobState): JobState[] {
    return [...this.jobs.values()].filter((it) => it.parent_id === parent_id && needs.includes(it.key))
  }

  private needsContext(job: JobState): object {
    const byKey = Map.groupBy(this.needsOf(job), ({ key }) => key)
    return Object.fromEntries(
      [...byKey].map(([key, rows]) => [key, { result: resultOf(rows), outputs: outputsOf(rows) }]),
    )
  }

  private outcomeOf(job: JobState): Outcome {
    const results = [...Map.groupBy(this.needsOf(job), ({ key }) => key).values()].map(resultOf)
    return {
      success: results.every((it) => it === 'success'),
      failure: results.includes('failure'),
      cancelled: results.includes('cancelled'),
    }
  }

  /** The place of jobs below a parent job; null is the run's own workflow. */
  private placeOf(parentId: number | null): Place {
    const known = this.places.get(parentId)
    if (known !== undefined) return known
    const parent = parentId === null ? undefined : this.jobs.get(parentId)
    const place =
      parent === undefined ? this.rootPlace() : this.placeUnder(parent, this.placeOf(parent.parent_id))
    this.places.set(parentId, place)
    return place
  }

  private rootPlace(): Place {
    const { text, contexts, onlyReads } = this.order
    const all = { ...contexts, gitea: contexts.github }
    return {
      workflow: readWorkflow(text),
      contexts: all,
      onlyReads,
      parentId: null,
      prefix: '',
      call: undefined,
      files: {},
      budget: this.budget,
    }
  }

  private placeUnder(job: JobState, around: Place): Place {
    const call = job.plan.calls
    if (call === undefined) throw new WorkflowProblem(`job "${job.key}" uses no workflow`)
    return {
      workflow: readWorkflow(call.files[call.path] ?? ''),
      contexts: { ...around.contexts, inputs: call.inputs ?? {} },
      onlyReads: around.onlyReads,
      parentId: job.id,
      prefix: `${job.name} / `,
      call,
      files: call.files,
      budget: this.budget,
    }
  }

  private add(jobs: readonly PlannedJob[]): void {
    this.added.push(...jobs)
    assertLimit('jobs', this.jobs.size + this.added.length, 'number of jobs of a run')
  }

  private become(job: JobState, planned: PlannedJob): void {
    if (planned.status === 'failure') {
      this.end(job, 'failure', { plan: planned.plan })
      return
    }
    this.changes.push({ id: job.id, becomes: planned })
    // A job that calls a workflow is handled in the next iteration.
    this.jobs.set(job.id, { ...job, is_ready: planned.payload !== null, plan: planned.plan })
  }

  private end(
    job: JobState,
    ends: Result,
    more: { outputs?: Record<string, string>; plan?: JobPlan } = {},
  ): void {
    this.changes.push({ id: job.id, ends, ...more })
    this.jobs.set(job.id, { ...job, ...more, status: ends })
  }
}

function isDone(status: Status): boolean {
  return RESULTS.includes(status)
}

/** The result of all jobs of a matrix; a failure with `continue-on-error` counts as success. */
function resultOf(jobs: readonly JobState[]): Result {
  const statuses = new Set(
    jobs.map((it) => (it.status === 'failure' && it.continues_on_error ? 'success' : it.status)),
  )
  if (statuses.has('failure')) return 'failure'
  if (statuses.has('cancelled')) return 'cancelled'
  return statuses.has('success') ? 'success' : 'skipped'
}

/** Of the jobs of a matrix, the last non-empty value wins. */
function outputsOf(jobs: readonly JobState[]): Record<string, string> {
  const outputs: Record<string, string> = {}
  for (const job of jobs)
    for (const [name, value] of Object.entries(job.outputs))
      if (value !== '' || !(name in outputs)) outputs[name] = value
  return outputs
}

function inputsOf(declared: Readonly<Record<string, Input>>, given: Facts): Facts {
  const inputs: Record<string, unknown> = {}
  for (const [name, { required, default: fallback, type }] of Object.entries(declared)) {
    const value = given[name] ?? fallback
    if (value === null && required) throw new WorkflowProblem(`input "${name}" is required`)
    inputs[name] = value ?? (type === 'boolean' ? false : type === 'number' ? 0 : '')
  }
  return inputs
}

const SECRET = /^\$\{\{\s*secrets\.([A-Za-z_][\w-]*)\s*\}\}$/

/** Only references to secrets can be passed on: the planner never sees a value. */
function secretsOf(value: unknown, { call }: Place): Record<string, string> | null {
  if (value === 'inherit') return call?.secrets === undefined ? null : call.secrets
  const own: Record<string, string> = {}
  for (const [name, it] of Object.entries(factsOf(value, 'secrets'))) {
    const source = SECRET.exec(String(it))?.[1]
    const known = call?.secrets
    const resolved = source === undefined || known === undefined || known === null ? source : known[source]
    if (resolved !== undefined) own[name] = resolved
  }
  return own
}
