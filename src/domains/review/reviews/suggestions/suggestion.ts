/** Suggested changes in review comments: a block that replaces the commented line. Pure. */

const BLOCK = /^```suggestion[^\n]*\n([\s\S]*?)^```/m

export function hasSuggestion(body: string): boolean {
  return BLOCK.test(body)
}

export interface Suggestion {
  /** Counted from 1. */
  readonly line: number
  /** The replacement; empty to delete the line. */
  readonly lines: readonly string[]
}

export function suggestionOf(body: string, line: number): Suggestion | undefined {
  const [, text] = BLOCK.exec(body) ?? []
  if (text === undefined) return undefined
  const lines = text.replace(/\n$/, '').split('\n')
  return { line, lines: text === '' ? [] : lines }
}

/** Applied from the end, so that line numbers stay valid; undefined if a line is missing or named twice. */
export function applySuggestions(text: string, suggestions: readonly Suggestion[]): string | undefined {
  const lines = text.split('\n')
  const ordered = suggestions.toSorted((a, b) => b.line - a.line)
  if (new Set(ordered.map(({ line }) => line)).size < ordered.length) return undefined
  for (const { line, lines: others } of ordered) {
    if (line < 1 || line > lines.length) return undefined
    const end = lines[line - 1]?.endsWith('\r') ? '\r' : ''
    lines.splice(line - 1, 1, ...others.map((it) => it + end))
  }
  return lines.join('\n')
}
