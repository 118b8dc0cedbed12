/** Renders Markdown in a thread, in turns by visitor, and caches results and failures. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { invalid } from '#platform/problem'
import { type Asker, WorkThread } from '#platform/thread'
import type { MarkdownOrder } from './markdown.ts'

export const TEXT_MAX = 512 * 1024

export type Rendered = { readonly html: string } | { readonly failure: string }

const thread = new WorkThread<MarkdownOrder, Rendered>(new URL('worker.ts', import.meta.url), {
  timeMs: 1_000,
  memoryMb: 256,
  waitingMax: 128,
})
const TOO_MUCH = { failure: 'text takes too much time or memory' }

/** Cached by a digest of the order, which determines the result for all readers. */
const KEPT_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 128
const kept = new LRUCache<string, Rendered>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (it) => ENTRY_BYTES + ('html' in it ? it.html.length : it.failure.length),
})

export async function render(asker: Asker, order: MarkdownOrder): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(order)).digest('base64')
  const known = kept.get(key)
  const rendered = known ?? (await thread.ask(order, asker)) ?? TOO_MUCH
  if (known === undefined) kept.set(key, rendered)
  if ('failure' in rendered) throw invalid('text cannot be rendered')
  return rendered.html
}
