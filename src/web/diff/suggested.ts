/** A change that a review comment suggests, as a diff of the lines it replaces. */
import { type Html, html, trusted } from '#platform/page'
import { renderFile } from './render.ts'

interface Suggested {
  readonly path: string
  /** The number of the first line. */
  readonly start: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** `renderFile` escapes all text. */
export async function suggestedChange({ path, start, removed, added }: Suggested): Promise<Html> {
  const lines = [...removed.map((it) => `-${it}`), ...added.map((it) => `+${it}`)]
  const hunk = { oldStart: start, newStart: start, heading: '', lines }
  const { markup, width } = await renderFile({ path, hunks: [hunk], isCut: false })
  // The mark of omitted lines above: here nothing is omitted.
  const shown = markup.replace(/^<p>.*?<\/p>/, '')
  return html`<div class="diff-lines suggested" translate="no" style="--w:${width}">${trusted(shown)}</div>`
}
