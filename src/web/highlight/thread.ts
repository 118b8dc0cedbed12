/** Worker thread that highlights files and code blocks. */
import { answerOrders } from '#platform/thread'
import { loadHighlighter, type Runs } from './tokens.ts'

export interface HighlightOrder {
  readonly text: string
  /** `path` for a file, or else `language` as its author named it. */
  readonly path?: string
  readonly language?: string
}

answerOrders(async ({ text, path = '', language }: HighlightOrder): Promise<Runs> => {
  const { languageOf, runsOf } = await loadHighlighter()
  return runsOf(language ?? languageOf(path, text), text)
})
