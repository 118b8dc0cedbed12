/**
 * After a failover: compares the operations that this process acknowledged with their records. A record is inserted by the
 * transaction of its operation, so a lost record is a lost operation. The result goes to the log and to the object store,
 * where `bloomery doctor` reads it.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { World } from '#platform/context'
import type { Db } from '#platform/db'
import { aside } from '#platform/log'
import type { Failover } from '#platform/timeline'
import type { NewRecord } from '../entry/insert.ts'
import { FAILOVERS, type FailoverReport } from './reports.ts'

const TRIES_MAX = 60
const PAUSE_MS = 1_000
/** Older ones were replicated long ago, and their records may have expired. */
const LATELY_MS = 24 * 3_600_000
const LOGGED_MAX = 20
const REPORTED_MAX = 1_000

/** From now on, after every failover that this process notices. */
export function tellLosses(world: World): void {
  const { timeline, acknowledged, log } = world
  aside(
    log,
    timeline.changed.then(async (failover) => {
      const records = acknowledged.take()
      tellLosses(world)
      await compare(world, failover, records)
    }),
  )
}

/** A primary that has just been promoted may not answer yet. */
async function compare(world: World, failover: Failover, acknowledged: readonly NewRecord[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await report(world, failover, acknowledged)
      return
    } catch (error) {
      if (tries === TRIES_MAX) throw error
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
  }
}

async function report(
  { db, store, log, now }: World,
  failover: Failover,
  acknowledged: readonly NewRecord[],
): Promise<void> {
  const at = now()
  const recent = acknowledged.filter((it) => it.at.getTime() > at.getTime() - LATELY_MS)
  const lost = await findLost(db, recent)
  const told: FailoverReport = {
    at: at.toISOString(),
    ...failover,
    node: hostname(),
    acknowledged: recent.length,
    lost: lost.length,
    operations: lost.slice(0, REPORTED_MAX).map(({ at, operation, account, target }) => ({
      at: at.toISOString(),
      operation,
      account,
      target,
    })),
  }
  const body = Buffer.from(JSON.stringify(told))
  await store.create(`${FAILOVERS}${failover.after}-${randomUUID()}`, body, { bytes: body.length })
  for (const { at, operation, account, target } of told.operations.slice(0, LOGGED_MAX))
    log.error(
      {
        'audit.at': at,
        'audit.operation': operation,
        'audit.account': account,
        'audit.target': target,
      },
      'acknowledged operation was lost in a failover',
    )
}

async function findLost(db: Db, records: readonly NewRecord[]): Promise<NewRecord[]> {
  const { rows } = await sql<Pick<NewRecord, 'at' | 'operation' | 'request_id'>>`
    select at, operation, request_id from audit_record
    where at = any(${records.map(({ at }) => at)}::timestamptz[])`.execute(db)
  const found = new Set(rows.map(nameOf))
  return records.filter((it) => !found.has(nameOf(it)))
}

function nameOf({ at, operation, request_id }: Pick<NewRecord, 'at' | 'operation' | 'request_id'>): string {
  return `${at.getTime()} ${operation} ${request_id}`
}
