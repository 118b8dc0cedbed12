/** The thread that finds the colours of files and of code in texts. */
import { answerOrders } from '#platform/thread'
import { loadHighlighter, type Runs } from './tokens.ts'

export interface HighlightOrder {
  readonly text: string
  /** Of a file; or else the language that the writer of the text named. */
  readonly path?: string
  readonly language?: string
}

answerOrders(async ({ text, path = '', language }: HighlightOrder): Promise<Runs> => {
  const { languageOf, runsOf } = await loadHighlighter()
  return runsOf(language ?? languageOf(path, text), text)
})
