/** Statuses of jobs, attempts and runs, and how those of jobs are combined. */

/**
 * `blocked`: waits for another job, a group or an approval. `waiting`: waits for a runner. `cancelling`: the runner
 * was requested to stop and has not reported yet.
 */
export const STATUSES = [
  'blocked',
  'waiting',
  'running',
  'cancelling',
  'success',
  'failure',
  'cancelled',
  'skipped',
] as const
export type Status = (typeof STATUSES)[number]
export type Result = Extract<Status, 'success' | 'failure' | 'cancelled' | 'skipped'>

const RESULTS: readonly string[] = ['success', 'failure', 'cancelled', 'skipped'] satisfies Result[]

/** Invariant: a finished job or attempt never changes again. A rerun is another attempt, with its own jobs. */
export function isDone(status: Status): status is Result {
  return RESULTS.includes(status)
}

interface Part {
  readonly status: Status
  readonly continues_on_error: boolean
}

/** The status of an attempt from those of its jobs. */
export function combine(jobs: readonly Part[]): Status {
  const statuses = new Set(jobs.map(countedAs))
  const open = (['running', 'cancelling', 'waiting', 'blocked'] as const).find((it) => statuses.has(it))
  if (open !== undefined) return open
  if (statuses.has('cancelled')) return 'cancelled'
  if (statuses.has('failure')) return 'failure'
  return statuses.size > 0 && [...statuses].every((it) => it === 'skipped') ? 'skipped' : 'success'
}

function countedAs({ status, continues_on_error }: Part): Status {
  return status === 'failure' && continues_on_error ? 'success' : status
}
