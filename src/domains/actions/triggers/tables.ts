/** Tables of schedules and disabled workflows. */
import type { Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    action_workflow_off: { repository_id: number; workflow_file: string }
    action_schedule: ScheduleTable
  }
}

interface ScheduleTable {
  repository_id: number
  workflow_file: string
  cron: string
  actor_id: number | null
  next_at: Date
}
export type ScheduleRow = Selectable<ScheduleTable>
