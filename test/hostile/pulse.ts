/** How long a forge takes to answer `/healthz`, requested continuously by a separate thread. */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const PAUSE_MS = 10

export class Pulse implements AsyncDisposable {
  private readonly thread: Worker

  constructor(url: string) {
    this.thread = new Worker(new URL(import.meta.url), { workerData: url })
  }

  /** The slowest answer since the last call, in milliseconds. */
  take(): Promise<number> {
    const taken = new Promise<number>((resolve) => this.thread.once('message', resolve))
    this.thread.postMessage('take')
    return taken
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.thread.terminate()
  }
}

async function beat(url: string): Promise<never> {
  let longestMs = 0
  let startedAt = performance.now()
  parentPort?.on('message', () => {
    // A pending request counts as well.
    parentPort?.postMessage(Math.round(Math.max(longestMs, performance.now() - startedAt)))
    longestMs = 0
  })
  for (;;) {
    startedAt = performance.now()
    await new Promise<void>((resolve) => {
      get(`${url}/healthz`, (answer) => answer.resume().once('close', resolve)).once('error', () => resolve())
    })
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    await sleep(PAUSE_MS)
    startedAt = performance.now()
  }
}

if (!isMainThread && typeof workerData === 'string') await beat(workerData)
