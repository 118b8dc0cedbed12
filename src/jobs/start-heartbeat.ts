/** Starts the heartbeat thread of a worker, and restarts it when it fails. */
import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import type { Context } from '#platform/context'
import { RepeatedWork } from '#platform/log'
import type { FromHeartbeat, HeartbeatOptions, ToHeartbeat } from './heartbeat-thread.ts'

export interface Heartbeat {
  /** The worker ids to beat for from now on. */
  beatFor(ids: readonly string[]): void
  stop(): Promise<void>
}

/** Multiple of the silence after which a worker counts as dead. */
const HUNG_AFTER = 20
const RESTART_PAUSE_MS = 1_000
const STOP_MS_MAX = 5_000

export function startHeartbeat(ctx: Context, everyMs: number): Heartbeat {
  const { config, log } = ctx
  const options: HeartbeatOptions = {
    database: {
      url: config['database.url'],
      poolMax: 1,
      connectTimeoutMs: config['database.connect_timeout_ms'],
      statementTimeoutMs: config['database.statement_timeout_ms'],
    },
    everyMs,
    hungAfterMs: config['jobs.dead_after_ms'] * HUNG_AFTER,
  }
  let message: ToHeartbeat = { ids: [] }
  let isStopping = false
  const beating = new RepeatedWork(log, { failed: 'heartbeat failed', works: 'heartbeat works again' })
  const start = () => {
    const started = new Thread(new URL('heartbeat-thread.ts', import.meta.url), { workerData: options })
    started.on('message', ({ failure }: FromHeartbeat) => {
      if (failure === undefined) beating.worked()
      else beating.failed({ 'job.failure': failure })
    })
    started.on('error', (error) => log.error({ err: error }, 'worker heartbeat thread failed'))
    started.on('exit', () => !isStopping && setTimeout(again, RESTART_PAUSE_MS))
    started.postMessage(message)
    return started
  }
  const again = () => {
    if (!isStopping) thread = start()
  }
  let thread = start()
  return {
    beatFor(ids) {
      message = { ids }
      thread.postMessage(message)
    },
    async stop() {
      isStopping = true
      const ended = once(thread, 'exit', { signal: AbortSignal.timeout(STOP_MS_MAX) }).catch(() => undefined)
      thread.postMessage('stop' satisfies ToHeartbeat)
      await ended
      await thread.terminate()
    },
  }
}
