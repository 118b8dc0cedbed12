/** The table of cron tasks. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    cron_task: CronTaskTable
  }
}

interface CronTaskTable {
  name: string
  position: number
  schedule: Generated<string>
  next_at: Date | null
  prev_at: Date | null
  runs: Generated<number>
}
export type CronTaskRow = Selectable<CronTaskTable>
