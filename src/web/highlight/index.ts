/** Code in colours: language by name and first line, kinds of its parts, each line as HTML. */
import { type Html, html, join, trusted } from '#platform/page'
import { Coloured } from './coloured.ts'
import { loadHighlighter, type Runs } from './tokens.ts'

/** A file, line by line, without the ends of its lines. The last line counts only where something stands in it. */
export async function highlightLines(path: string, text: string): Promise<readonly Html[]> {
  const { languageOf, runsOf } = await loadHighlighter()
  return linesOf(text, runsOf(languageOf(path, text), text))
}

/** Code inside a text, by the name that its writer gave its language. */
export async function highlightCode(language: string, text: string): Promise<Html> {
  const { runsOf } = await loadHighlighter()
  return join(linesOf(text, runsOf(language, text)), html`\n`)
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
