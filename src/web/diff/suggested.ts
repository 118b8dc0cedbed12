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
  const [above, below] = sameEnds(removed, added)
  const lines = [
    ...removed.slice(0, above).map((it) => ` ${it}`),
    ...removed.slice(above, removed.length - below).map((it) => `-${it}`),
    ...added.slice(above, added.length - below).map((it) => `+${it}`),
    ...removed.slice(removed.length - below).map((it) => ` ${it}`),
  ]
  const hunk = { oldStart: start, newStart: start, heading: '', lines }
  const { markup, width } = await renderFile({ path, hunks: [hunk], isCut: false })
  // The mark of omitted lines above: here nothing is omitted.
  const shown = markup.replace(/^<p>.*?<\/p>/, '')
  return html`<div class="diff-lines suggested" translate="no" style="--w:${width}">${trusted(shown)}</div>`
}

/** How many lines at the beginning and at the end are kept. */
function sameEnds(removed: readonly string[], added: readonly string[]): [above: number, below: number] {
  const most = Math.min(removed.length, added.length)
  let above = 0
  while (above < most && removed[above] === added[above]) above += 1
  let below = 0
  while (below < most - above && removed.at(-1 - below) === added.at(-1 - below)) below += 1
  return [above, below]
}
