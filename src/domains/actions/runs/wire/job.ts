/** Jobs and their steps in REST answers. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { JobRow, RunRow, StepRow, TaskRow } from '../record/tables.ts'
import { apiOf, branchOf, pathOfRun } from './run.ts'
import { presentStatus } from './status.ts'

const OptionalTime = Type.Union([Time, Type.Null()])
const status = {
  status: Type.String({ description: 'queued, waiting, in_progress or completed' }),
  conclusion: Type.Optional(Type.String({ description: 'success, failure, cancelled or skipped' })),
}
const Step = Type.Object(
  {
    name: Type.String(),
    number: Type.Integer(),
    ...status,
    started_at: OptionalTime,
    completed_at: OptionalTime,
  },
  { title: 'ActionWorkflowStep' },
)

export type WorkflowJob = Static<typeof WorkflowJob>
export const WorkflowJob = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    html_url: Type.String(),
    run_id: Type.Integer(),
    run_url: Type.String(),
    name: Type.String(),
    labels: Type.Array(Type.String()),
    run_attempt: Type.Integer(),
    head_sha: Type.String(),
    head_branch: Type.Optional(Type.String()),
    ...status,
    runner_id: Type.Optional(Type.Integer()),
    runner_name: Type.Optional(Type.String()),
    steps: Type.Array(Step),
    created_at: Time,
    started_at: OptionalTime,
    completed_at: OptionalTime,
  },
  { title: 'ActionWorkflowJob' },
)

export const WorkflowJobs = Type.Object(
  { jobs: Type.Array(WorkflowJob), total_count: Type.Integer() },
  { title: 'ActionWorkflowJobsResponse' },
)

/** A job with columns of its run and repository. */
export interface PlacedJob extends JobRow, Pick<RunRow, 'ref' | 'head_sha'> {
  readonly repository_name: string
  readonly owner_login: string
}

export interface AroundJob {
  readonly site: Site
  readonly task: Pick<TaskRow, 'runner_id' | 'runner_name'> | undefined
  readonly steps: readonly StepRow[]
}

export function presentJob(job: PlacedJob, { site, task, steps }: AroundJob): WorkflowJob {
  const repo = { name: job.repository_name, owner: { login: job.owner_login } }
  const api = `${apiOf(repo, site)}/actions`
  return {
    id: job.id,
    url: `${api}/jobs/${job.id}`,
    html_url: `${site.url}${pathOfRun(repo, job.run_id)}/jobs/${job.id}`,
    run_id: job.run_id,
    run_url: `${api}/runs/${job.run_id}`,
    name: job.name,
    labels: job.runs_on,
    run_attempt: job.attempt,
    head_sha: job.head_sha,
    ...branchOf(job.ref),
    ...presentStatus(job.status),
    ...(task?.runner_id ? { runner_id: task.runner_id } : {}),
    ...(task?.runner_name ? { runner_name: task.runner_name } : {}),
    steps: steps.map(presentStep),
    created_at: time(job.created_at),
    started_at: time(job.started_at),
    // Compat: a skipped job has no end.
    completed_at: job.status === 'skipped' ? null : time(job.stopped_at),
  }
}

function presentStep(step: StepRow): Static<typeof Step> {
  return {
    name: step.name,
    number: step.position,
    ...presentStatus(step.status),
    started_at: time(step.started_at),
    completed_at: time(step.stopped_at),
  }
}
