/** Masks code and comments of Markdown, in which references and mentions do not count. */

interface Fence {
  readonly sign: string
  readonly length: number
}

const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/
/** Quote markers and one list marker may precede a fence. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?<fence>`{3,}|~{3,})(?<after>.*)$/
const INDENTED = /^(?: {4}|\t)/

/** Replaces them with spaces. Linear: every line is visited twice, and every run of backticks once. */
export function maskCode(text: string): string {
  if (!/[`~]{3}|`|^(?: {4}|\t)|<!--/m.test(text)) return text
  const kept: string[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) kept.push(maskSpans(paragraph.join('\n')))
    paragraph = []
  }
  for (const line of maskIndented(maskFences(text.split('\n')))) {
    if (line.trim() !== '') paragraph.push(line)
    else {
      endParagraph()
      kept.push('')
    }
  }
  endParagraph()
  return maskComments(kept.join('\n'))
}

function maskFences(lines: readonly string[]): string[] {
  let fence: Fence | undefined
  return lines.map((line) => {
    const isInside = fence !== undefined
    if (fence === undefined) fence = fenceIn(line)
    else if (closes(line, fence)) fence = undefined
    return isInside || fence !== undefined ? '' : line
  })
}

/** Indented code follows a blank line; in a list, indented lines belong to the list. */
function maskIndented(lines: readonly string[]): string[] {
  let isInList = false
  let isAfterBlank = true
  return lines.map((line) => {
    const isBlank = line.trim() === ''
    const isIndented = !isInList && isAfterBlank && INDENTED.test(line)
    isAfterBlank = isBlank || isIndented
    if (LIST_ITEM.test(line)) isInList = true
    else if (!isBlank && !/^[ \t]/.test(line)) isInList = false
    return isIndented ? '' : line
  })
}

function fenceIn(line: string): Fence | undefined {
  const { fence, after } = FENCE.exec(line)?.groups ?? {}
  const sign = fence?.[0]
  if (fence === undefined || sign === undefined) return undefined
  // Backticks after the fence make it an inline span.
  return sign === '`' && after?.includes('`') ? undefined : { sign, length: fence.length }
}

function closes(line: string, { sign, length }: Fence): boolean {
  const found = fenceIn(line)
  return found?.sign === sign && found.length >= length && line.trimEnd().endsWith(sign.repeat(3))
}

/** A span ends with the next run of equal length, which is precomputed for each run. */
function maskSpans(text: string): string {
  const runs = [...text.matchAll(/(?<!`)`+/g)]
  if (runs.length < 2) return text
  const ends = nextOfSameLength(runs.map(([run]) => run.length))
  let masked = ''
  let at = 0
  for (let i = 0; i < runs.length; i++) {
    const start = runs[i]?.index ?? 0
    const end = ends[i]
    const isEscaped = text[start - 1] === '\\' && runs[i]?.[0].length === 1
    if (end === undefined || isEscaped) continue
    const last = runs[end]
    masked += `${text.slice(at, start)}    `
    at = (last?.index ?? 0) + (last?.[0].length ?? 0)
    i = end
  }
  return masked + text.slice(at)
}

function nextOfSameLength(lengths: readonly number[]): (number | undefined)[] {
  const last = new Map<number, number>()
  const next: (number | undefined)[] = []
  for (let i = lengths.length - 1; i >= 0; i--) {
    const length = lengths[i] ?? 0
    next[i] = last.get(length)
    last.set(length, i)
  }
  return next
}

function maskComments(text: string): string {
  let masked = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start < 0 ? -1 : text.indexOf('-->', start)
    if (end < 0) return masked + text.slice(at)
    masked += `${text.slice(at, start)} `
    at = end + 3
  }
}
