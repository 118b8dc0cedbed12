/**
 * The heart of a worker, in a thread of its own with a connection of its own: a node that is busy with something else is
 * not dead. It beats for whoever it was last told of, and stops when it was told nothing for too long: then the node
 * hangs, and others shall have its jobs. It loads the driver and no more: all that a thread loads is memory again.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openPool, type PoolOptions } from '#platform/pool'
import { BEAT } from '#platform/queue/beat'

export interface HeartOrder {
  readonly database: Pick<PoolOptions, 'url' | 'poolMax' | 'connectTimeoutMs' | 'statementTimeoutMs'>
  readonly everyMs: number
  /** Silence of the main thread after which the node counts as hung. */
  readonly hungAfterMs: number
}

/** To the heart: the names to beat for, or that it is over. From it: why it could not beat. */
export type ToHeart = { readonly ids: readonly string[] } | 'stop'
export interface FromHeart {
  readonly failure: string
}

const { database, everyMs, hungAfterMs } = workerData as HeartOrder
const pool = openPool(database)
let ids: readonly string[] = []
let toldAt = performance.now()
let timer: NodeJS.Timeout

parentPort?.on('message', async (told: ToHeart) => {
  if (told !== 'stop') {
    const isNews = told.ids.some((id) => !ids.includes(id))
    ids = told.ids
    toldAt = performance.now()
    // A new name is nobody's until it was heard of.
    if (isNews) await tryToBeat()
    return
  }
  clearTimeout(timer)
  await pool.end().catch(() => undefined)
  parentPort?.close()
})

async function tryToBeat(): Promise<void> {
  if (performance.now() - toldAt > hungAfterMs) return
  await beat(ids).catch((error: Error) => {
    const failure: FromHeart = { failure: error.message }
    parentPort?.postMessage(failure)
  })
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
