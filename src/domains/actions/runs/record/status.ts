/** The statuses of jobs, attempts and runs, and what those of the jobs amount to. */

/**
 * `blocked`: something must happen first, such as another job or an approval. `waiting`: for a runner. `cancelling`: its
 * runner was told, and has not answered yet.
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

/** Invariant: what is done never changes again. Running it again is another attempt, with jobs of its own. */
export function isDone(status: Status): status is Result {
  return RESULTS.includes(status)
}

interface Part {
  readonly status: Status
  readonly continues_on_error: boolean
}

/** What the jobs of an attempt amount to. */
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
