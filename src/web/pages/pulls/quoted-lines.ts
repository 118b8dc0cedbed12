/** The lines that a review comment is about, quoted from its hunk with their numbers. Pure. */
import { type Html, html, nothing } from '#platform/page'

/** Of a comment on one line, which is the last; the hunk of a comment on several has only these. */
const QUOTED_LINES = 4
const HEADING = /^@@ -(\d+)(?:,\d+)? \+(\d+)/

export function quotedLines(hunk: string, isRange: boolean): Html {
  const lines = numbered(hunk)
  if (lines.length === 0) return nothing
  const shown = isRange ? lines : lines.slice(-QUOTED_LINES)
  const digits = Math.max(3, ...shown.map(({ old, now }) => String(Math.max(old, now)).length))
  const one = ({ text, old, now }: Numbered): Html => {
    const mark = text[0]
    const content = text.slice(1)
    const numbers = [mark === '+' ? 0 : old, mark === '-' ? 0 : now].map((it) =>
      (it === 0 ? '' : String(it)).padStart(digits),
    )
    const place = `${numbers.join(' ')} ${mark} `
    if (mark === '+') return html`<ins data-l="${place}">${content}</ins>`
    if (mark === '-') return html`<del data-l="${place}">${content}</del>`
    return html`<span data-l="${place}">${content}</span>`
  }
  return html`<div class="diff-lines quoted-lines" translate="no" style="--w:${2 * digits + 4}">${shown.map(one)}</div>`
}

interface Numbered {
  readonly text: string
  readonly old: number
  readonly now: number
}

/** Imported hunks may lack the heading; then lines have no numbers. */
function numbered(hunk: string): Numbered[] {
  const [heading = '', ...rest] = hunk.split('\n')
  const [, oldStart = 0, newStart = 0] = HEADING.exec(heading) ?? []
  let [old, now] = [Number(oldStart), Number(newStart)]
  const isNumbered = old + now > 0
  const lines = isNumbered ? rest : hunk.split('\n').filter((it) => it !== '')
  return lines.flatMap((text) => {
    if (text.startsWith('\\')) return []
    const it = isNumbered ? { text, old, now } : { text, old: 0, now: 0 }
    if (text[0] !== '+') old += 1
    if (text[0] !== '-') now += 1
    return [it]
  })
}
