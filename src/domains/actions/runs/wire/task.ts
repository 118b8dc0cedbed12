/** Tasks in REST answers. Pure. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { RunRow, TaskRow } from '../record/tables.ts'
import { branchOf, pathOfRun } from './run.ts'

const Task = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    head_branch: Type.String(),
    head_sha: Type.String(),
    run_number: Type.Integer(),
    event: Type.String(),
    display_title: Type.String(),
    status: Type.String(),
    workflow_id: Type.String(),
    url: Type.String(),
    created_at: Time,
    updated_at: Time,
    run_started_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'ActionTask' },
)

export const Tasks = Type.Object(
  { workflow_runs: Type.Array(Task), total_count: Type.Integer() },
  { title: 'ActionTaskResponse' },
)

export interface ListedTask
  extends Pick<TaskRow, 'id' | 'status' | 'started_at' | 'stopped_at' | 'heard_at'>,
    Pick<RunRow, 'ref' | 'head_sha' | 'number' | 'event' | 'title' | 'workflow_file'> {
  readonly job_name: string
  readonly run_id: number
}

interface Place {
  readonly name: string
  readonly owner: { readonly login: string }
}

export function presentTask(task: ListedTask, repo: Place, site: Site): Static<typeof Task> {
  return {
    id: task.id,
    name: task.job_name,
    head_branch: branchOf(task.ref).head_branch ?? '',
    head_sha: task.head_sha,
    run_number: task.number,
    event: task.event,
    display_title: task.title,
    status: task.status,
    workflow_id: task.workflow_file,
    url: `${site.url}${pathOfRun(repo, task.run_id)}`,
    created_at: time(task.started_at),
    updated_at: time(task.stopped_at ?? task.heard_at),
    run_started_at: time(task.started_at),
  }
}
