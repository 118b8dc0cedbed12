/** Suggested changes in review comments: a block that replaces the commented lines. Pure. */

/** A longer fence can hold lines that begin with three backticks. */
const BLOCK = /^(`{3,})suggestion[^\n]*\n([\s\S]*?)^\1[^\n]*$/m

/** A comment around its first suggestion. */
interface Split {
  readonly before: string
  /** The replacement; empty to delete the lines. */
  readonly lines: readonly string[]
  readonly after: string
}

/** Undefined without a suggestion. */
export function splitSuggestion(body: string): Split | undefined {
  const found = BLOCK.exec(body)
  if (found === null) return undefined
  const [block, , text = ''] = found
  return {
    before: body.slice(0, found.index),
    lines: text === '' ? [] : text.replace(/\n$/, '').split('\n'),
    after: body.slice(found.index + block.length),
  }
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
