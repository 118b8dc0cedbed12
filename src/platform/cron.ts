/** Scheduled tasks: their definition, and when they run next. */

import { Cron } from 'croner'
import type { Context } from '#platform/context'
import { must } from '#platform/must'

export interface CronTask {
  /** Rendered to administrators, who start tasks by it. */
  readonly name: string
  /** `@every 10m`, `@midnight`, five fields of cron in UTC, or empty for a task that runs only on request. */
  readonly schedule: string
  readonly run: (ctx: Context) => Promise<void>
}

const EVERY = /^@every (\d+)([smh])$/
const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }
const MIDNIGHT = '@midnight'

/** The first time after `from`; null for a task without a schedule. */
export function nextRun(schedule: string, from: Date): Date | null {
  if (schedule === '') return null
  const [, amount, unit = ''] = EVERY.exec(schedule) ?? []
  if (amount !== undefined)
    return new Date(from.getTime() + Number(amount) * must(UNIT_MS[unit], 'a unit of EVERY'))
  const pattern = schedule === MIDNIGHT ? '0 0 * * *' : schedule
  return new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(from)
}
