/** What is told about runs. */
import type { Status } from './status.ts'

declare module '#events' {
  interface Events {
    /** A run is there, or its status changed. */
    'workflow_run.changed': RunEvent
    /** A job is there, or its status changed. */
    'workflow_job.changed': RunEvent & { readonly job_id: number }
  }
}

export interface RunEvent {
  readonly repository_id: number
  /** Who made the newest attempt happen. */
  readonly actor_id: number
  readonly run_id: number
  readonly attempt: number
  readonly status: Status
}
