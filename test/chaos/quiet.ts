/** After a storm: waiting until everybody has been told everything, with the waits of the forge made short. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { ChaosForge } from './chaos-forge.ts'

/** What carries news on, from events to those who hear them. */
const KINDS = ['deliver', 'deliver-to', 'deliver-late', 'webhook-build']
/**
 * What carries them on to receivers. It waits because somebody out there fails, not because something of ours has
 * failed; whether it is done is seen by the deliveries.
 */
const SEND_JOB = 'webhook-send'
const TOLD_MS_MAX = 240_000
const LOOK_MS = 250
/** Of so many looks one makes time pass: a job that fails has a moment until it is tried again. */
const LOOKS_A_HASTE = 8
const HASTEN_PAUSE_MS = 500
const SHOWN_MAX = 10

/** In a storm retries come soon. Jobs that failed wait as they would: their tries must not be used up in one storm. */
export async function hastenAllTheTime({ db }: ChaosForge, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await hasten(db, [SEND_JOB])
    await sleep(HASTEN_PAUSE_MS)
  }
}

/**
 * Waits until nothing of what happened is untold, or until it has waited long enough; then it says what is left. The
 * weather is fair, so what was given up is a fault, too.
 */
export async function untilTold(forge: ChaosForge): Promise<string[]> {
  const began = performance.now()
  for (let looks = 0; ; looks++) {
    if (looks % LOOKS_A_HASTE === 0) await hasten(forge.db, [...KINDS, SEND_JOB])
    const left = await findUntold(forge)
    if (left.length === 0) return findGivenUp(forge.db)
    if (performance.now() - began > TOLD_MS_MAX) return [...left, ...(await findGivenUp(forge.db))]
    await sleep(LOOK_MS)
  }
}

/** Receivers that are still left alone although nobody has failed any more. */
export async function findResting(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_circuit')
    .select(['key', 'failures'])
    .where('open_until', 'is not', null)
    .execute()
  return rows.map(({ key, failures }) => `${key} still rests after ${failures} failures`)
}

/**
 * As if time had passed for whatever waits for its time. Whoever works on a row just now is not waited for, so nobody
 * who locks several of them ever waits for us.
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

/** Jobs, those that hand events to consumers among them, and deliveries: each with what is known of it. */
async function findUntold({ db }: ChaosForge): Promise<string[]> {
  const { rows } = await sql<{ left: string }>`
    (select format('job %s, %s %s, tried %s times: %s', id, kind, payload, attempts, error) as left
      from job where kind = any(${KINDS}) limit ${SHOWN_MAX})
    union all
    (select format('delivery %s of hook %s, tried %s times: %s', uuid, webhook_id, attempts, error)
      from webhook_delivery where state = 'waiting' limit ${SHOWN_MAX})`.execute(db)
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
