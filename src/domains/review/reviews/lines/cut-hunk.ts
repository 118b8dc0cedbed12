/** Cuts the part of a diff that is shown with a review comment. Pure. */
import type { Hunk } from '#git'
import type { Side } from '../tables.ts'

/** Compat: number of lines shown; the last is the commented line. */
const LINES_MAX = 4

/** Empty if the diff does not contain the line. */
export function cutHunk(hunks: readonly Hunk[] | null, side: Side, line: number): string {
  for (const hunk of hunks ?? []) {
    const shown = linesUpTo(hunk, side, line)
    if (shown !== undefined) return textOf(hunk, shown)
  }
  return ''
}

/** A line of a hunk with its number on each side; on the side that lacks it, the number of the next line. */
interface Numbered {
  readonly text: string
  readonly old: number
  readonly current: number
}

function linesUpTo(hunk: Hunk, side: Side, line: number): Numbered[] | undefined {
  const lines = numbered(hunk)
  const absent = side === 'new' ? '-' : '+'
  const last = lines.findIndex(
    ({ text, old, current }) => text[0] !== absent && (side === 'new' ? current : old) === line,
  )
  return last === -1 ? undefined : lines.slice(0, last + 1)
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
function textOf(hunk: Hunk, lines: readonly Numbered[]): string {
  const shown = lines.slice(-LINES_MAX)
  const [first] = shown
  const isCut = shown.length < lines.length
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
