/** A thread that renders, so that a text made to be slow holds up nobody but itself. */
import { parentPort } from 'node:worker_threads'
import { type MarkdownOrder, renderMarkdown } from './markdown.ts'

parentPort?.on('message', async (order: MarkdownOrder) => {
  try {
    parentPort?.postMessage({ html: await renderMarkdown(order) })
  } catch (error) {
    // Text that is nested too deeply overflows the stack.
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) })
  }
})
