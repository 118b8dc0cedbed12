/** Tables of runs, attempts and jobs, and of the tasks in which runners execute jobs. */
import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { Level, Unit } from '#domains/people/access'
import type { Result, Status } from './status.ts'

declare module '#platform/db' {
  interface Tables {
    action_run: RunTable
    action_run_number: { repository_id: number; last: number }
    action_attempt: AttemptTable
    action_job: JobTable
    action_task: TaskTable
    action_step: StepTable
    action_log_piece: LogPieceTable
  }
}

/** Written as JSON text, read as the parsed value. */
type Json<T> = ColumnType<T, string | undefined, string>

interface RunTable {
  id: Generated<number>
  repository_id: number
  number: number
  title: string
  workflow_file: string
  workflow_path: string
  workflow: string
  event: string
  payload: ColumnType<Record<string, unknown>, string, string>
  inputs: Json<Record<string, unknown>>
  ref: string
  head_sha: string
  head_ref: Generated<string>
  base_ref: Generated<string>
  issue_id: number | null
  actor_id: number | null
  is_from_fork: Generated<boolean>
  group_scope: Generated<string>
  start_key: string | null
  needs_approval: Generated<boolean>
  approver_id: number | null
  attempt: Generated<number>
  trigger_actor_id: number | null
  status: Status
  started_at: Date | null
  stopped_at: Date | null
  created_at: Date
  updated_at: Date
}
export type RunRow = Selectable<RunTable>
export type NewRunRow = Insertable<RunTable>

interface AttemptTable {
  run_id: number
  attempt: number
  actor_id: number | null
  status: Status
  repository_id: number
  concurrency_group: string | null
  cancels_others: Generated<boolean>
  started_at: Date | null
  stopped_at: Date | null
  created_at: Date
  updated_at: Date
}
export type AttemptRow = Selectable<AttemptTable>

/** Permissions of a job's token, by unit. */
export type Permissions = Partial<Record<Unit, Extract<Level, 'none' | 'read' | 'write'>>>

interface JobTable {
  id: Generated<number>
  run_id: number
  attempt: number
  repository_id: number
  key: string
  name: string
  needs: Generated<string[]>
  runs_on: Generated<string[]>
  labels_key: Generated<string>
  parent_id: number | null
  status: Status
  plan: Json<Record<string, unknown>>
  payload: string | null
  permissions: Json<Permissions>
  outputs: Json<Record<string, string>>
  continues_on_error: Generated<boolean>
  timeout_minutes: Generated<number>
  concurrency_group: string | null
  task_id: number | null
  losses: Generated<number>
  queued_at: Date | null
  started_at: Date | null
  stopped_at: Date | null
  created_at: Date
  updated_at: Date
}
export type JobRow = Selectable<JobTable>
export type NewJobRow = Insertable<JobTable>
export type JobEdit = Updateable<JobTable>

interface TaskTable {
  id: Generated<number>
  job_id: number
  repository_id: number
  runner_id: number | null
  runner_name: string
  status: 'running' | 'cancelling' | Result
  is_lost: Generated<boolean>
  log_lines: Generated<number>
  log_bytes: Generated<number>
  is_log_done: Generated<boolean>
  /** Those of its pieces, once the log has ended. */
  counted_log_bytes: Generated<number>
  can_cancel: Generated<boolean>
  sealed_masks: string | null
  heard_at: Date
  started_at: Date
  stopped_at: Date | null
}
export type TaskRow = Selectable<TaskTable>

interface StepTable {
  task_id: number
  position: number
  name: string
  status: 'waiting' | 'running' | Result
  log_index: Generated<number>
  log_length: Generated<number>
  started_at: Date | null
  stopped_at: Date | null
}
export type StepRow = Selectable<StepTable>

interface LogPieceTable {
  object_key: string
  task_id: number | null
  first_line: Generated<number>
  lines: Generated<number>
  bytes: Generated<number>
  created_at: Date
}
export type LogPieceRow = Selectable<LogPieceTable>
