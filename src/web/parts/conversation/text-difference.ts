/** Line diff of an edited text, with a few lines of context. */
import { type Html, html } from '#platform/page'
import { compareTexts, type TextLine } from '../../diff/lines.ts'

const AROUND = 3

export function textDifference(old: string, now: string): Html {
  const lines = compareTexts(old, now)
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  return html`<div class="text-difference">${lines.map((line, i) => {
    if (isNear[i] === true) return show(line)
    return (i === 0 || isNear[i - 1] === true) && html`<p class="quiet-text">⋯</p>`
  })}</div>`
}

function show({ kind, text, marks }: TextLine): Html {
  if (kind === 'same') return html`<p>${text}</p>`
  const pieces: Html[] = []
  let at = 0
  for (let i = 0; i + 1 < marks.length; i += 2) {
    const [from, to] = [marks[i] ?? 0, marks[i + 1] ?? 0]
    pieces.push(html`${text.slice(at, from)}<b>${text.slice(from, to)}</b>`)
    at = to
  }
  pieces.push(html`${text.slice(at)}`)
  return kind === 'removed' ? html`<del>${pieces}</del>` : html`<ins>${pieces}</ins>`
}
