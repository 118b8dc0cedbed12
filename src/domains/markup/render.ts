/** Rendering in a thread of its own, so that a text made to be slow holds up nobody but others of its kind. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { invalid } from '#platform/problem'
import { WorkThread } from '#platform/thread'
import type { MarkdownOrder } from './markdown.ts'

export const TEXT_MAX = 512 * 1024

type Said = { readonly html: string } | { readonly failure: string }

const thread = new WorkThread<MarkdownOrder, Said>(new URL('worker.ts', import.meta.url), {
  timeMs: 5_000,
  memoryMb: 256,
  waitingMax: 32,
})

/** What was rendered lately. An order says everything that the answer hangs on, so it is the same for everybody. */
const KEPT_BYTES = 8 * 1024 * 1024
const kept = new LRUCache<string, string>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (html) => html.length + 64,
})

export async function render(order: MarkdownOrder): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(order)).digest('base64')
  const known = kept.get(key)
  if (known !== undefined) return known
  const said = await thread.ask(order)
  if (said === undefined || !('html' in said)) throw invalid('text cannot be rendered')
  kept.set(key, said.html)
  return said.html
}
