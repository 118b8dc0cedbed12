/** Events about runs. */
import type { Status } from './status.ts'

declare module '#events' {
  interface Events {
    /** A run was created, or its status changed. */
    'workflow_run.changed': RunEvent
    /** A job was created, or its status changed. */
    'workflow_job.changed': RunEvent & { readonly job_id: number }
    /** A run is about to be deleted: its rows still exist. */
    'workflow_run.deleting': { readonly repository_id: number; readonly run_id: number }
  }
}

export interface RunEvent {
  readonly repository_id: number
  /** The account that triggered the newest attempt. */
  readonly actor_id: number
  readonly run_id: number
  readonly attempt: number
  readonly status: Status
}
