/** The names of a job's steps, from the payload that its runner is sent, so that positions agree. Pure. */
import { readYaml } from '../language/values.ts'
import { LIMITS } from '../limits.ts'

const NAME_MAX = 255

interface Step {
  readonly name?: unknown
  readonly run?: unknown
  readonly uses?: unknown
}

export function stepNames(payload: string): string[] {
  const { jobs } = readYaml(payload, 'payload') as { jobs?: Record<string, unknown> }
  const [job] = Object.values(jobs ?? {}) as ({ steps?: unknown } | null)[]
  const steps = Array.isArray(job?.steps) ? (job.steps as (Step | null)[]) : []
  return steps.slice(0, LIMITS.steps).map((step) => nameOf(step ?? {}).slice(0, NAME_MAX))
}

/** Compat: a step without a name is named after its command or action. */
function nameOf({ name, run, uses }: Step): string {
  if (typeof name === 'string' && name !== '') return name
  if (typeof uses === 'string') return `Run ${uses}`
  const [line = ''] = typeof run === 'string' ? run.trim().split('\n', 1) : []
  return `Run ${line}`
}
