/** What people's data needs from the clock. */
import type { CronTask } from '#platform/cron'
import { sweepFailures } from './throttle.ts'

export const userTasks: readonly CronTask[] = [
  { name: 'sweep_sign_in_failures', schedule: '@every 1h', run: sweepFailures },
]
