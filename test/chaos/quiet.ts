/** After the faults: waits until everything was delivered, with the forge's own waits shortened. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { ChaosForge } from './chaos-forge.ts'

/** Job kinds that deliver events to consumers. */
const KINDS = ['deliver', 'deliver-to', 'deliver-late', 'webhook-build']
/**
 * The job kind that sends to receivers. It waits because a receiver fails, not because of a failure of ours; the
 * deliveries show whether it is done.
 */
const SEND_JOB = 'webhook-send'
/** Without any progress: a busy machine is slow, but it goes on. */
const STALLED_MS_MAX = 240_000
const TOLD_MS_MAX = 900_000
const LOOK_MS = 250
/** One poll in this many makes time pass: a failed job gets a moment before its retry. */
const LOOKS_A_HASTE = 8
const HASTEN_PAUSE_MS = 500
const SHOWN_MAX = 10

/** During faults retries come soon. Failed jobs wait as usual: their attempts must not be used up in one outage. */
export async function hastenAllTheTime({ db }: ChaosForge, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await hasten(db, [SEND_JOB])
    await sleep(HASTEN_PAUSE_MS)
  }
}

/**
 * Waits until everything was delivered, or until that stalls; then returns what is left. There are no faults now, so
 * dead jobs count, too.
 */
export async function untilTold(forge: ChaosForge): Promise<string[]> {
  const began = performance.now()
  let changed = { at: began, left: '' }
  for (let looks = 0; ; looks++) {
    if (looks % LOOKS_A_HASTE === 0) await hasten(forge.db, [...KINDS, SEND_JOB])
    const left = await findUntold(forge)
    if (left.length === 0) return findGivenUp(forge.db)
    const now = performance.now()
    if (left.join() !== changed.left) changed = { at: now, left: left.join() }
    if (now - changed.at > STALLED_MS_MAX || now - began > TOLD_MS_MAX)
      return [...left, ...(await findGivenUp(forge.db))]
    await sleep(LOOK_MS)
  }
}

/** Receivers that are still paused although they no longer fail. */
export async function findResting(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_circuit')
    .select(['key', 'failures'])
    .where('open_until', 'is not', null)
    .execute()
  return rows.map(({ key, failures }) => `${key} still rests after ${failures} failures`)
}

/**
 * As if time had passed for everything that waits. Locked rows are skipped, so that no transaction that locks several of
 * them ever waits for this one.
 */
async function hasten(db: Db, kinds: readonly string[]): Promise<void> {
  await sql`update webhook_circuit set open_until = now() where key in (
    select key from webhook_circuit where open_until > now() for update skip locked)`.execute(db)
  await sql`update webhook_delivery set next_at = now() where id in (
    select id from webhook_delivery where state = 'waiting' and next_at > now() for update skip locked)`.execute(
    db,
  )
  await sql`update job set run_at = now() where id in (
    select id from job where kind = any(${kinds}) and run_at > now() and worker is null
    for update skip locked)`.execute(db)
}

/** Jobs, including those that deliver events to consumers, and deliveries: each with what is known of it. */
async function findUntold({ db }: ChaosForge): Promise<string[]> {
  const { rows } = await sql<{ left: string }>`
    (select format('job %s, %s %s, tried %s times, held by %s since %s: %s', id, kind, payload, attempts, worker,
        held_at, error) as left
      from job where kind = any(${KINDS}) order by id limit ${SHOWN_MAX})
    union all
    (select format('delivery %s of hook %s, tried %s times: %s', uuid, webhook_id, attempts, error)
      from webhook_delivery where state = 'waiting' order by id limit ${SHOWN_MAX})`.execute(db)
  return rows.map(({ left }) => left)
}

async function findGivenUp(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .select(['uuid', 'error'])
    .where('state', '=', 'failed')
    .limit(SHOWN_MAX)
    .execute()
  return rows.map(({ uuid, error }) => `delivery ${uuid} has failed for good: ${error}`)
}
