/** Which jobs are rerun, and their rows in the next attempt. Pure. */
import type { JobRow, NewJobRow } from '../record/tables.ts'

type Job = Pick<JobRow, 'id' | 'key' | 'needs' | 'status' | 'parent_id'>

/** These jobs and all that need them, transitively; a called workflow is rerun as a whole. */
export function withDependents(jobs: readonly Job[], first: readonly Job[]): ReadonlySet<number> {
  const again = new Set(first.map(({ id }) => id))
  for (let grew = true; grew; ) {
    grew = false
    for (const job of jobs) {
      if (again.has(job.id) || !followsAny(job, jobs, again)) continue
      again.add(job.id)
      grew = true
    }
  }
  return again
}

/** `needs` refer to jobs of the same workflow, that is, with the same parent. */
function followsAny(job: Job, jobs: readonly Job[], again: ReadonlySet<number>): boolean {
  if (job.parent_id !== null && again.has(job.parent_id)) return true
  return jobs.some(
    (other) =>
      again.has(other.id) &&
      ((other.parent_id === job.parent_id && job.needs.includes(other.key)) || other.parent_id === job.id),
  )
}

/** Jobs of a called workflow are created again when the calling job is rerun. */
export function isCalledAgain(job: Job, jobs: readonly Job[], again: ReadonlySet<number>): boolean {
  const parent = job.parent_id === null ? undefined : jobs.find(({ id }) => id === job.parent_id)
  return parent !== undefined && (again.has(parent.id) || isCalledAgain(parent, jobs, again))
}

/** The row of the next attempt. A job that is not rerun keeps its result and its task. */
export function copyOf(job: JobRow, attempt: number, asNew: Partial<JobRow> | null): NewJobRow {
  const { id: _id, plan, permissions, outputs, ...row } = { ...job, ...asNew }
  return {
    ...row,
    attempt,
    plan: JSON.stringify(plan),
    permissions: JSON.stringify(permissions),
    outputs: JSON.stringify(outputs),
  }
}
