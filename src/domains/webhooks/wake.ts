/**
 * Two kinds of jobs: one writes the body of a payload, once for all who are told; the other sends what is due to one
 * hook. There is at most one job of the second kind in hand and one waiting for each hook, however much it has to be
 * told: a dead target costs rows, not jobs, and what it is late with delays nobody else.
 */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { addJobs, KEYED } from '#platform/queue'

export const BUILD_TASK = 'webhook-build'
export const SEND_TASK = 'webhook-send'

export interface BuildOrder {
  readonly payload_id: number
}
export interface SendOrder {
  readonly webhook_id: number
}

/** Events go first: higher numbers come later. */
const PRIORITY = 5

export async function orderBuilding(ctx: TxContext, payloadIds: readonly number[]): Promise<void> {
  const jobs = payloadIds.map((payload_id) => ({
    task: BUILD_TASK,
    payload: { payload_id } satisfies BuildOrder,
    attemptsMax: ctx.config['jobs.attempts_max'],
    priority: PRIORITY,
  }))
  await addJobs(ctx.db, jobs)
}

/** Something is due: the job of a hook comes now, also when it was to come later. */
export async function wakeNow(ctx: TxContext, hookIds: readonly number[]): Promise<void> {
  const jobs = hookIds.map((webhook_id) => ({
    task: SEND_TASK,
    payload: { webhook_id } satisfies SendOrder,
    attemptsMax: ctx.config['jobs.attempts_max'],
    priority: PRIORITY,
    key: nameOf(webhook_id),
    queue: nameOf(webhook_id),
  }))
  await addJobs(ctx.db, jobs)
}

/**
 * The job of a hook, from inside it, sends for the next one. If somebody has sent for it in the meantime, that one stays
 * as it is: it comes no later. The queue goes by the clock of the database, so the wait is told, not the time.
 */
export async function wakeLater(ctx: TxContext, hookId: number, waitMs: number): Promise<void> {
  const order: SendOrder = { webhook_id: hookId }
  await sql`select graphile_worker.add_job(${SEND_TASK}, ${JSON.stringify(order)}::json,
    queue_name => ${nameOf(hookId)}, run_at => now() + ${waitMs}::bigint * interval '1 millisecond',
    max_attempts => ${ctx.config['jobs.attempts_max']}::integer, priority => ${PRIORITY}::integer,
    job_key => ${nameOf(hookId)}, job_key_mode => 'preserve_run_at', flags => array[${KEYED}])`.execute(
    ctx.db,
  )
}

function nameOf(hookId: number): string {
  return `webhook:${hookId}`
}
