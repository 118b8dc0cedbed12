/**
 * The heartbeat of a worker, in its own thread with its own connection: a node with a blocked event loop is not dead. It
 * beats for the worker ids it was last sent, and stops when the main thread has been silent for too long: then the node
 * hangs, and other workers shall take its jobs. It loads only the driver, because a thread's modules take memory again.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openPool, type PoolOptions } from '#platform/pool'
import { BEAT } from '#platform/queue/beat'

export interface HeartbeatOptions {
  readonly database: Pick<PoolOptions, 'url' | 'poolMax' | 'connectTimeoutMs' | 'statementTimeoutMs'>
  readonly everyMs: number
  /** Silence of the main thread after which the node counts as hung. */
  readonly hungAfterMs: number
}

/** To the thread: the worker ids to beat for, or stop. From it after each beat: why it failed, or undefined. */
export type ToHeartbeat = { readonly ids: readonly string[] } | 'stop'
export interface FromHeartbeat {
  readonly failure: string | undefined
}

const { database, everyMs, hungAfterMs } = workerData as HeartbeatOptions
const pool = openPool(database)
let ids: readonly string[] = []
let messageAt = performance.now()
let timer: NodeJS.Timeout

parentPort?.on('message', async (message: ToHeartbeat) => {
  if (message !== 'stop') {
    const isNews = message.ids.some((id) => !ids.includes(id))
    ids = message.ids
    messageAt = performance.now()
    // A new id must have a row before its jobs are safe.
    if (isNews) await tryToBeat()
    return
  }
  clearTimeout(timer)
  await pool.end().catch(() => undefined)
  parentPort?.close()
})

async function tryToBeat(): Promise<void> {
  if (performance.now() - messageAt > hungAfterMs) return
  const failure = await beat(ids).then(
    () => undefined,
    (error: Error) => error.message,
  )
  parentPort?.postMessage({ failure } satisfies FromHeartbeat)
}

async function beat(workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return
  await pool.query(BEAT, [workerIds])
}

async function goOn(): Promise<void> {
  await tryToBeat()
  timer = setTimeout(goOn, everyMs)
}
timer = setTimeout(goOn, 0)
