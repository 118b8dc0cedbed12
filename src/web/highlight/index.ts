/** Syntax highlighting: detects the language, finds tokens, and renders each line as HTML. */
import { type Html, html, join, trusted } from '#platform/page'
import { Problem } from '#platform/problem'
import { type Asker, WorkThread } from '#platform/thread'
import { Coloured } from './coloured.ts'
import type { HighlightOrder } from './thread.ts'
import type { Runs } from './tokens.ts'

const thread = new WorkThread<HighlightOrder, Runs>(new URL('thread.ts', import.meta.url), {
  timeMs: 2_000,
  memoryMb: 256,
  waitingMax: 128,
})

/** The lines of a file, without line ends. An empty last line is not counted. */
export async function highlightLines(asker: Asker, path: string, text: string): Promise<readonly Html[]> {
  return linesOf(text, await findRuns(asker, { path, text }))
}

/** A code block in a text, by the language that its author named. */
export async function highlightCode(asker: Asker, language: string, text: string): Promise<Html> {
  return join(linesOf(text, await findRuns(asker, { language, text })), html`\n`)
}

/** Text that takes or waits too long is shown without highlighting. */
async function findRuns(asker: Asker, order: HighlightOrder): Promise<Runs> {
  const runs = await thread.ask(order, asker).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
  })
  return runs ?? []
}

function linesOf(text: string, runs: Runs): Html[] {
  const coloured = new Coloured(text, runs)
  const lines: Html[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    lines.push(trusted(coloured.line(start, end)))
    start = end + 1
  }
  return lines
}
