/** Where a line went: what lets a remark follow the code it is about. Pure. */

/** Lines that changed, with some around them that did not. Hunks of a file do not overlap, and are in order. */
export interface Hunk {
  /** The first line, counted from 1; when there is none on this side, the one it would follow. */
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** Each after its mark: a blank for one that stays, «-», «+»; «\» for what git says about the line before it. */
  readonly lines: readonly string[]
}

/** The line of the new side that a line of the old side has become; undefined when it is gone, or nobody can say. */
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
