/** Which failovers the nodes noticed lately, and what they had acknowledged and miss since. */
import { type FailoverReport, readFailovers } from '#domains/instance/audit'
import type { Config } from '#platform/config'
import { askTime } from '../open-database.ts'
import { withDatabase, withStore } from '../with-world.ts'
import { Warning } from './check.ts'

/** As long as lost packs stay in the store. */
const DAYS = 7
const DAY_MS = 86_400_000
const NAMED_MAX = 5

export function lookAtFailovers(config: Config): Promise<string> {
  return withStore(config, async (store) => {
    const now = await withDatabase(config, (pool) => askTime(pool))
    const reports = await readFailovers(store, new Date(now.getTime() - DAYS * DAY_MS))
    const text = describeFailovers(reports)
    if (reports.some(({ lost }) => lost > 0)) throw new Warning(text)
    return text
  })
}

export function describeFailovers(reports: readonly FailoverReport[]): string {
  if (reports.length === 0) return `no node noticed one in ${DAYS} days`
  const timelines = [...new Set(reports.map(({ before, after }) => `${short(before)} to ${short(after)}`))]
  const noticed = `PostgreSQL changed its timeline in ${DAYS} days: ${timelines.slice(0, NAMED_MAX).join(', ')}`
  const losing = reports.filter(({ lost }) => lost > 0)
  const kept = reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  if (losing.length === 0) return `${noticed}; all of ${kept} operations that nodes remembered are there`
  const lost = losing.reduce((sum, it) => sum + it.lost, 0)
  const operations = losing.flatMap((it) => it.operations)
  const named = operations
    .slice(0, NAMED_MAX)
    .map(({ operation, target, account, at }) => `${operation} ${target} by ${account ?? 'nobody'} at ${at}`)
  return `${noticed}; ${lost} of ${kept} operations that nodes had acknowledged were lost: ${named.join(', ')}${lost > named.length ? ', …' : ''}; ask their authors to repeat them (objects failovers/* of the store list them), and make a standby synchronous`
}

function short(timeline: string): string {
  return String(Number.parseInt(timeline, 16))
}
