/** A parsed workflow: its triggers and jobs. Pure. */
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'
import { readTriggers, type Trigger } from './triggers.ts'
import { type Facts, factsOf, isFacts, readYaml, textsOf } from './values.ts'

export interface Workflow {
  readonly name: string
  readonly triggers: readonly Trigger[]
  readonly jobs: ReadonlyMap<string, Job>
  /** The whole file, unevaluated. */
  readonly facts: Facts
}

export interface Job {
  readonly key: string
  readonly needs: readonly string[]
  /** The reusable workflow that the job calls, if it has no steps. */
  readonly uses: string | undefined
  readonly facts: Facts
}

/** Names that begin with two underscores are reserved. */
const KEY = /^(?!__)[A-Za-z_][A-Za-z0-9_-]*$/

export function readWorkflow(text: string): Workflow {
  const facts = readYaml(text)
  const name = facts.name
  const triggers = readTriggers(facts.on)
  const written = factsOf(facts.jobs, 'jobs')
  const keys = Object.keys(written)
  if (keys.length === 0) throw new WorkflowProblem('workflow has no jobs')
  assertLimit('jobs', keys.length, 'number of jobs')
  const jobs = new Map(keys.map((key) => [key, readJob(key, written[key])]))
  assertOrder(jobs)
  return { name: typeof name === 'string' ? name.slice(0, LIMITS.name) : '', triggers, jobs, facts }
}

function readJob(key: string, value: unknown): Job {
  if (!KEY.test(key) || key.length > LIMITS.name)
    throw new WorkflowProblem(`"${key.slice(0, LIMITS.name)}" is no name of a job`)
  if (!isFacts(value)) throw new WorkflowProblem(`job "${key}" is not a mapping`)
  const { uses, steps } = value
  if (uses !== undefined && typeof uses !== 'string')
    throw new WorkflowProblem(`uses of job "${key}" is not a text`)
  if (uses === undefined && value['runs-on'] === undefined)
    throw new WorkflowProblem(`job "${key}" has no runs-on`)
  if (steps !== undefined && !Array.isArray(steps))
    throw new WorkflowProblem(`steps of job "${key}" is not a list`)
  assertLimit('steps', steps?.length ?? 0, `number of steps of job "${key}"`)
  const needs = [...new Set(textsOf(value.needs, `needs of job "${key}"`))]
  return { key, needs, uses, facts: value }
}

/** Refuses unknown and cyclic `needs`. */
function assertOrder(jobs: ReadonlyMap<string, Job>): void {
  const done = new Set<string>()
  const open = new Set(jobs.keys())
  for (const { key, needs } of jobs.values())
    for (const need of needs)
      if (!jobs.has(need)) throw new WorkflowProblem(`job "${key}" needs "${need}", which is not there`)
  for (let before = -1; before !== done.size; ) {
    before = done.size
    for (const key of open) {
      if (!(jobs.get(key)?.needs.every((need) => done.has(need)) ?? false)) continue
      done.add(key)
      open.delete(key)
    }
  }
  if (open.size > 0) throw new WorkflowProblem(`jobs need each other: ${[...open].slice(0, 5).join(', ')}`)
}
