/** Maps a line of the old side to the new side, so that a review comment follows its code. Pure. */

/** Changed lines with their context. Hunks of a file do not overlap, and are in order. */
export interface Hunk {
  /** The first line, counted from 1; when this side has no lines, the line before. */
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** Each with its marker: a space for context, «-», «+», or «\» for git's remark about the preceding line. */
  readonly lines: readonly string[]
}

/** Undefined when the line was deleted, or when the file was not compared. */
export function mapLine(hunks: readonly Hunk[] | null, line: number): number | undefined {
  if (hunks === null) return undefined
  let shift = 0
  for (const hunk of hunks) {
    const first = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart
    if (line < first) break
    if (line < first + hunk.oldCount) return mapInside(hunk, line)
    shift += hunk.newCount - hunk.oldCount
  }
  return line + shift
}

function mapInside({ oldStart, newStart, lines }: Hunk, line: number): number | undefined {
  let [old, current] = [oldStart, newStart]
  for (const { 0: mark } of lines) {
    if (mark === '+') current += 1
    else if (mark === '-' && old === line) return undefined
    else if (mark === '-') old += 1
    else if (mark === ' ' && old === line) return current
    else if (mark === ' ') [old, current] = [old + 1, current + 1]
  }
  return undefined
}
