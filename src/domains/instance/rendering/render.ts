/** Rendering in turn, in a thread of its own: bounded in time, in waiting, and in the size of a text. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { invalid, Problem } from '#platform/problem'
import type { MarkdownOrder } from './markdown.ts'

export const TEXT_MAX = 512 * 1024
const RENDER_MS = 5_000
const WAITING_MAX = 32

type Said = { readonly html: string } | { readonly failure: string }

let thread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

export function render(order: MarkdownOrder): Promise<string> {
  if (waiting >= WAITING_MAX) throw new Problem('unavailable', 'too many texts wait to be rendered')
  waiting++
  const turn = last.then(() => renderNow(order))
  last = turn.catch(() => undefined).finally(() => waiting--)
  return turn
}

async function renderNow(order: MarkdownOrder): Promise<string> {
  thread ??= startThread()
  const worker = thread
  const signal = AbortSignal.timeout(RENDER_MS)
  try {
    worker.postMessage(order)
    const [said] = (await once(worker, 'message', { signal })) as [Said]
    if ('html' in said) return said.html
  } catch {
    // It took too long or broke down: the next text gets a thread of its own.
    thread = undefined
    await worker.terminate()
  }
  throw invalid('the text cannot be rendered')
}

/** It keeps no process alive. */
function startThread(): Worker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  })
  worker.unref()
  return worker
}
