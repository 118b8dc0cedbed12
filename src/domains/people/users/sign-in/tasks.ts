/** Periodic tasks of users. */
import type { Context } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { sweepKnownNetworks } from './known-networks.ts'
import { sweepFailures } from './throttle.ts'

export const userTasks: readonly CronTask[] = [
  { name: 'sweep_sign_in_failures', schedule: '@every 1h', run: sweep },
]

async function sweep(ctx: Context): Promise<void> {
  await sweepFailures(ctx)
  await sweepKnownNetworks(ctx)
}
