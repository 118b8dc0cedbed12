/** Suggested changes in review comments: a block that replaces the commented lines. Pure. */

/** A line that opens or closes a block. A longer fence can hold lines that begin with three backticks. */
const FENCE = /^(`{3,})(suggestion)?[^\n]*$/gm

/** A comment around its first suggestion. */
interface Split {
  readonly before: string
  /** The replacement; empty to delete the lines. */
  readonly lines: readonly string[]
  readonly after: string
}

/** Undefined without a suggestion. Reads the comment once, whatever its fences are: pages split many comments. */
export function splitSuggestion(body: string): Split | undefined {
  const fences = [...body.matchAll(FENCE)]
  const [opening, ...later] = fences.slice(findOpening(fences) ?? fences.length)
  const closing = later.find((it) => lengthOf(it) >= lengthOf(opening))
  if (opening === undefined || closing === undefined) return undefined
  const text = body.slice(opening.index + opening[0].length + 1, closing.index)
  return {
    before: body.slice(0, opening.index),
    lines: text === '' ? [] : text.replace(/\n$/, '').split('\n'),
    after: body.slice(closing.index + closing[0].length),
  }
}

/** The first fence of a suggestion that a later fence closes. */
function findOpening(fences: readonly RegExpExecArray[]): number | undefined {
  let found: number | undefined
  let longest = 0
  for (let i = fences.length - 1; i >= 0; i--) {
    const [, , isSuggestion] = fences[i] ?? []
    const length = lengthOf(fences[i])
    if (isSuggestion && length <= longest) found = i
    longest = Math.max(longest, length)
  }
  return found
}

function lengthOf(fence: RegExpExecArray | undefined): number {
  return fence?.[1]?.length ?? 0
}

export interface Suggestion {
  /** The first and the last line that are replaced, counted from 1. */
  readonly start: number
  readonly line: number
  readonly lines: readonly string[]
}

/** Applied from the end, so that line numbers stay valid; undefined if a line is missing or replaced twice. */
export function applySuggestions(text: string, suggestions: readonly Suggestion[]): string | undefined {
  const lines = text.split('\n')
  const ordered = suggestions.toSorted((a, b) => b.line - a.line)
  let next = lines.length + 1
  for (const { start, line, lines: others } of ordered) {
    if (start < 1 || line < start || line >= next) return undefined
    next = start
    const end = lines[line - 1]?.endsWith('\r') ? '\r' : ''
    lines.splice(start - 1, line - start + 1, ...others.map((it) => it + end))
  }
  return lines.join('\n')
}
