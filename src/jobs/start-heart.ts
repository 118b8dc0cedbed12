/** Starts the heartbeat thread of a worker, and restarts it when it fails. */
import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import type { Context } from '#platform/context'
import type { FromHeart, HeartOrder, ToHeart } from './heart.ts'

export interface Heart {
  /** The worker ids to beat for from now on. */
  tell(ids: readonly string[]): void
  stop(): Promise<void>
}

/** Multiple of the silence after which a worker counts as dead. */
const HUNG_AFTER = 20
const RESTART_PAUSE_MS = 1_000
const STOP_MS_MAX = 5_000

export function startHeart(ctx: Context, everyMs: number): Heart {
  const { config, log } = ctx
  const order: HeartOrder = {
    database: {
      url: config['database.url'],
      poolMax: 1,
      connectTimeoutMs: config['database.connect_timeout_ms'],
      statementTimeoutMs: config['database.statement_timeout_ms'],
    },
    everyMs,
    hungAfterMs: config['jobs.dead_after_ms'] * HUNG_AFTER,
  }
  let told: ToHeart = { ids: [] }
  let isStopping = false
  const start = () => {
    const started = new Thread(new URL('heart.ts', import.meta.url), { workerData: order })
    started.on('message', ({ failure }: FromHeart) =>
      log.warn({ 'job.failure': failure }, 'heartbeat failed'),
    )
    started.on('error', (error) => log.error({ err: error }, 'worker heartbeat thread failed'))
    started.on('exit', () => !isStopping && setTimeout(again, RESTART_PAUSE_MS))
    started.postMessage(told)
    return started
  }
  const again = () => {
    if (!isStopping) thread = start()
  }
  let thread = start()
  return {
    tell(ids) {
      told = { ids }
      thread.postMessage(told)
    },
    async stop() {
      isStopping = true
      const ended = once(thread, 'exit', { signal: AbortSignal.timeout(STOP_MS_MAX) }).catch(() => undefined)
      thread.postMessage('stop' satisfies ToHeart)
      await ended
      await thread.terminate()
    },
  }
}
