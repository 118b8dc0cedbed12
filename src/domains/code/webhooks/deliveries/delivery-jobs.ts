/**
 * Two kinds of jobs: one writes the body of a payload, once for all who are told; the other sends what is due to one
 * hook. There is at most one job of the second kind in hand and one waiting for each hook, however much it has to be
 * told: a dead target costs rows, not jobs, and what it is late with delays nobody else.
 */
import type { TxContext } from '#platform/context'
import { addJobs, type NewJob } from '#platform/queue'

export const BUILD_JOB = 'webhook-build'
export const SEND_JOB = 'webhook-send'

export interface BuildOrder {
  readonly payload_id: number
}
export interface SendOrder {
  readonly webhook_id: number
}

export async function enqueueBuild(ctx: TxContext, payloadIds: readonly number[]): Promise<void> {
  const jobs = payloadIds.map((payload_id) => ({
    kind: BUILD_JOB,
    payload: { payload_id } satisfies BuildOrder,
    attemptsMax: ctx.config['jobs.attempts_max'],
  }))
  await addJobs(ctx, jobs)
}

/** Something is due: the job of a hook comes now, also when it was to come later. */
export async function enqueueSend(ctx: TxContext, hookIds: readonly number[]): Promise<void> {
  await addJobs(
    ctx,
    hookIds.map((id) => sending(ctx, id)),
  )
}

/**
 * The job of a hook, from inside it, sends for the next one. If somebody has sent for it in the meantime, that one stays
 * as it is: it comes no later.
 */
export async function scheduleSend(ctx: TxContext, hookId: number, waitMs: number): Promise<void> {
  await addJobs(ctx, [{ ...sending(ctx, hookId), waitMs, keepsTime: true }])
}

function sending(ctx: TxContext, webhook_id: number): NewJob {
  return {
    kind: SEND_JOB,
    payload: { webhook_id } satisfies SendOrder,
    attemptsMax: ctx.config['jobs.attempts_max'],
    key: `webhook:${webhook_id}`,
    group: String(webhook_id),
    isSerial: true,
  }
}
