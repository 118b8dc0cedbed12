/**
 * Two kinds of jobs: `webhook-build` builds the body of a payload once for all its deliveries; `webhook-send` sends the
 * due deliveries of one hook. Each hook has at most one running and one queued send job: a dead target costs delivery
 * rows, not jobs, and does not delay other hooks.
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

/** A delivery is due: runs the hook's job now, even if it was scheduled for later. */
export async function enqueueSend(ctx: TxContext, hookIds: readonly number[]): Promise<void> {
  await addJobs(
    ctx,
    hookIds.map((id) => sending(ctx, id)),
  )
}

/**
 * Called by a hook's job to schedule the next one. A job that was queued meanwhile keeps its time, which is not later.
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
