/** Cuts the part of a diff that is shown with a review comment. Pure. */
import type { Hunk } from '#git'
import type { Side } from '../tables.ts'

/** Compat: number of lines shown of a comment on one line, which is the last of them. */
const LINES_MAX = 4

/** With `start`, all lines from there to `line`. Empty if no hunk of the diff contains them. */
export function cutHunk(
  hunks: readonly Hunk[] | null,
  side: Side,
  line: number,
  start: number | null = null,
): string {
  for (const hunk of hunks ?? []) {
    const lines = numbered(hunk)
    const last = indexOf(lines, side, line)
    const first = start === null ? Math.max(0, last + 1 - LINES_MAX) : indexOf(lines, side, start)
    if (first !== -1 && last !== -1) return textOf(hunk, lines.slice(first, last + 1), first > 0)
  }
  return ''
}

/** A line of a hunk with its number on each side; on the side that lacks it, the number of the next line. */
interface Numbered {
  readonly text: string
  readonly old: number
  readonly current: number
}

function indexOf(lines: readonly Numbered[], side: Side, line: number): number {
  const absent = side === 'new' ? '-' : '+'
  return lines.findIndex(
    ({ text, old, current }) => text[0] !== absent && (side === 'new' ? current : old) === line,
  )
}

function numbered({ oldStart, newStart, lines }: Hunk): Numbered[] {
  let [old, current] = [oldStart, newStart]
  return lines.flatMap((text) => {
    if (text.startsWith('\\')) return []
    const it = { text, old, current }
    if (text[0] !== '+') old += 1
    if (text[0] !== '-') current += 1
    return [it]
  })
}

/** Compat: keeps the header of the whole hunk unless lines were cut from its start. */
function textOf(hunk: Hunk, shown: readonly Numbered[], isCut: boolean): string {
  const [first] = shown
  const countOf = (absent: string) => shown.filter(({ text }) => text[0] !== absent).length
  const old = isCut ? `${first?.old},${countOf('+')}` : `${hunk.oldStart},${hunk.oldCount}`
  const current = isCut ? `${first?.current},${countOf('-')}` : `${hunk.newStart},${hunk.newCount}`
  return [`@@ -${old} +${current} @@`, ...shown.map(({ text }) => text)].join('\n')
}

/** The lines of one side in a hunk; the last is the commented line. */
export function textsOf(diffHunk: string, side: Side): string[] {
  const absent = side === 'new' ? '-' : '+'
  return diffHunk
    .split('\n')
    .slice(1)
    .filter((line) => line[0] !== absent)
    .map((line) => line.slice(1))
}
