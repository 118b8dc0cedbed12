/** Detects moved lines: runs that a file lost in one place and gained in another. Pure. */
import type { PatchHunk } from './patch.ts'

/** Minimum of non-blank lines and of characters of a run, because brackets are everywhere. */
const LINES_MIN = 3
const CHARACTERS_MIN = 20
/** Maximum number of candidate positions for a line. */
const PLACES_MAX = 8

/** Flags by line position, counted over all hunks plus one after each; undefined if no line was moved. */
export function findMoved(hunks: readonly PatchHunk[]): Uint8Array | undefined {
  // A separator, so that no run continues into the next hunk.
  const lines = hunks.flatMap((hunk) => [...hunk.lines, '@'])
  const removed = placesOf(lines)
  if (removed.size === 0) return undefined
  const moved = new Uint8Array(lines.length)
  let isAny = false
  for (let at = 0; at < lines.length; ) {
    const places = mayBegin(lines, at, '+') ? removed.get(textAt(lines, at)) : undefined
    const run = places === undefined ? NONE : longestOf(lines, moved, places, at)
    if (run.length === 0) {
      at += 1
      continue
    }
    isAny = true
    moved.fill(1, run.from, run.from + run.length).fill(1, at, at + run.length)
    at += run.length
  }
  return isAny ? moved : undefined
}

/** Positions of removed lines, by text. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const removed = new Map<string, number[]>()
  for (let at = 0; at < lines.length; at++) {
    if (!mayBegin(lines, at, '-')) continue
    const text = textAt(lines, at)
    const places = removed.get(text)
    if (places === undefined) removed.set(text, [at])
    else if (places.length < PLACES_MAX) places.push(at)
  }
  return removed
}

/** A run begins with a non-empty line, followed by at least two lines with the same mark. */
function mayBegin(lines: readonly string[], at: number, mark: '+' | '-'): boolean {
  const line = lines[at]
  return line?.[0] === mark && line.length > 1 && lines[at + 1]?.[0] === mark && lines[at + 2]?.[0] === mark
}

function textAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? '').slice(1)
}

interface Run {
  readonly from: number
  readonly length: number
}

const NONE: Run = { from: 0, length: 0 }

function longestOf(lines: readonly string[], moved: Uint8Array, places: readonly number[], at: number): Run {
  let longest = NONE
  for (const from of places) {
    const length = lengthOf(lines, moved, from, at)
    if (length > longest.length) longest = { from, length }
  }
  return longest
}

/** Length of the moved run; 0 if it is below the minimum. */
function lengthOf(lines: readonly string[], moved: Uint8Array, from: number, at: number): number {
  let [length, filled, characters] = [0, 0, 0]
  for (; ; length++) {
    const [old, now] = [lines[from + length], lines[at + length]]
    if (old?.[0] !== '-' || now?.[0] !== '+' || moved[from + length] === 1) break
    if (old.length !== now.length || old.slice(1) !== now.slice(1)) break
    const { length: size } = old.trimEnd()
    if (size > 1) filled += 1
    characters += size - 1
  }
  return filled >= LINES_MIN && characters >= CHARACTERS_MIN ? length : 0
}
