/** Line diff of two texts that are not in a repository. Pure. */
import { type Marks, NO_MARKS } from '../highlight/coloured.ts'
import { keepCommon } from './myers.ts'
import { compareWords } from './words.ts'

export interface TextLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** Changed words of a line that was modified. */
  readonly marks: Marks
}

/** Texts with too little in common are shown as removed and added. */
export function compareTexts(old: string, now: string): TextLine[] {
  const [a, b] = [linesOf(old), linesOf(now)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [oldPart, newPart] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return [...a.slice(0, start).map(same), ...weave(oldPart, newPart), ...a.slice(a.length - end).map(same)]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function same(text: string): TextLine {
  return { kind: 'same', text, marks: NO_MARKS }
}

function weave(old: readonly string[], now: readonly string[]): TextLine[] {
  const kept = { old: new Set<number>(), now: new Set<number>() }
  const isSame = (i: number, j: number) => old[i] === now[j]
  const keep = (i: number, j: number) => {
    kept.old.add(i)
    kept.now.add(j)
  }
  keepCommon({ isSame, keep }, 0, old.length, now.length)
  const lines: TextLine[] = []
  let [x, y] = [0, 0]
  while (x < old.length || y < now.length) {
    const removed: string[] = []
    const added: string[] = []
    while (x < old.length && !kept.old.has(x)) removed.push(old[x++] ?? '')
    while (y < now.length && !kept.now.has(y)) added.push(now[y++] ?? '')
    lines.push(...changed(removed, added))
    if (x < old.length) lines.push(same(old[x] ?? ''))
    x += 1
    y += 1
  }
  return lines
}

/** Lines at the same position of both sides are a modification if they have enough in common. */
function changed(removed: readonly string[], added: readonly string[]): TextLine[] {
  const line = (text: string) => ({ text, from: 0, to: text.length })
  const words = removed.map((text, i) =>
    added[i] === undefined ? undefined : compareWords(line(text), line(added[i])),
  )
  return [
    ...removed.map((text, i) => ({ kind: 'removed' as const, text, marks: words[i]?.removed ?? NO_MARKS })),
    ...added.map((text, i) => ({ kind: 'added' as const, text, marks: words[i]?.added ?? NO_MARKS })),
  ]
}
