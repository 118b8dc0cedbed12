/** The thread that renders Markdown. */
import { answerOrders } from '#platform/thread'
import { type MarkdownOrder, renderMarkdown } from './markdown.ts'
import type { Rendered } from './render.ts'

answerOrders(async (order: MarkdownOrder): Promise<Rendered> => {
  try {
    return { html: await renderMarkdown(order) }
  } catch (error) {
    // Deeply nested text overflows the stack.
    return { failure: error instanceof Error ? error.message : String(error) }
  }
})
