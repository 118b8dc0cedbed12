/** Rendering in a thread of its own, so that a text made to be slow holds up nobody but others of its kind. */
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

export async function render(order: MarkdownOrder): Promise<string> {
  const said = await thread.ask(order)
  if (said === undefined || !('html' in said)) throw invalid('text cannot be rendered')
  return said.html
}
