/**
 * Word diff of two lines, by Myers' algorithm. Lines are slices of a larger text, and words are numbers in arrays
 * that are reused for every pair, so comparing many lines allocates almost nothing.
 */
import { type Marks, NO_MARKS } from '../highlight/coloured.ts'
import { keepCommon } from './myers.ts'

/** A line as a slice of a text. */
export interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Changed ranges, as positions in the texts. */
export interface WordDifference {
  readonly removed: Marks
  readonly added: Marks
}

/** Limit for a pair of lines together; beyond it their words are not compared. */
const WORDS_MAX = 500
/** Minimum share of common characters for lines to count as modified. */
const COMMON_MIN = 0.3
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** Classes of ASCII characters; an OTHER character is a word by itself. */
const [OTHER, LETTER, BLANK] = [0, 1, 2]
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\w/.test(character)) return LETTER
  return /\s/.test(character) ? BLANK : OTHER
})

/** The words of a line. */
class Words {
  count = 0
  text = ''
  /** Start of each word, followed by the end of the line. */
  readonly starts = new Int32Array(WORDS_MAX + 1)
  /** Hash of each word. */
  readonly sums = new Int32Array(WORDS_MAX)
  readonly isBlank = new Uint8Array(WORDS_MAX)
  readonly isKept = new Uint8Array(WORDS_MAX)

  /** False if the line has no words or too many. */
  read({ text, from, to }: Line): boolean {
    this.text = text
    this.count = 0
    for (let at = from; at < to; ) {
      if (this.count === WORDS_MAX) return false
      const kind = KINDS[text.charCodeAt(at)]
      let end = at + 1
      if (kind !== OTHER) while (end < to && KINDS[text.charCodeAt(end)] === kind) end += 1
      // Non-ASCII lines take the slower path by regular expression.
      if (kind === undefined || (kind !== OTHER && text.charCodeAt(end) >= KINDS.length))
        return this.#readAny(text, from, to)
      this.#add(at, end, kind === BLANK)
      at = end
    }
    return this.count > 0
  }

  #readAny(text: string, from: number, to: number): boolean {
    const words = text.slice(from, to).match(WORD) ?? []
    this.count = 0
    if (words.length > WORDS_MAX) return false
    let at = from
    for (const word of words) {
      this.#add(at, at + word.length, word.trim() === '')
      at += word.length
    }
    return this.count > 0
  }

  #add(from: number, to: number, isBlank: boolean): void {
    let sum = 0
    for (let at = from; at < to; at++) sum = (Math.imul(sum, 31) + this.text.charCodeAt(at)) | 0
    const { count } = this
    this.starts[count] = from
    this.starts[count + 1] = to
    this.sums[count] = sum
    this.isBlank[count] = isBlank ? 1 : 0
    this.isKept[count] = 0
    this.count = count + 1
  }

  /** Length of a word in characters. */
  length(word: number): number {
    return (this.starts[word + 1] as number) - (this.starts[word] as number)
  }

  /** Length of the line without surrounding blanks. */
  get trimmedLength(): number {
    const { count, starts, isBlank } = this
    const first = isBlank[0] === 1 ? 1 : 0
    const end = isBlank[count - 1] === 1 ? count - 1 : count
    return end <= first ? 0 : (starts[end] as number) - (starts[first] as number)
  }

  /** Length of the kept words, without blanks. */
  get keptLength(): number {
    let length = 0
    for (let i = 0; i < this.count; i++)
      if (this.isKept[i] === 1 && this.isBlank[i] === 0) length += this.length(i)
    return length
  }

  /** Ranges of words that are not kept; empty if that is the whole line. */
  marks(): Marks {
    const { count, starts, isKept } = this
    const marks: number[] = []
    for (let i = 0; i < count; i++) {
      if (isKept[i] === 1) continue
      const start = starts[i] as number
      while (i + 1 < count && isKept[i + 1] === 0) i += 1
      marks.push(start, starts[i + 1] as number)
    }
    return marks[0] === starts[0] && marks[1] === starts[count] ? NO_MARKS : marks
  }
}

// Invariant: comparing is synchronous, so these are free again before the next pair is read.
const a = new Words()
const b = new Words()

export function compareWords(old: Line, now: Line): WordDifference | undefined {
  if (!a.read(old) || !b.read(now) || a.count + b.count > WORDS_MAX) return undefined
  const most = Math.min(a.count, b.count)
  let start = 0
  while (start < most && isSame(start, start)) keep(start, start++)
  let end = 0
  while (end < most - start && isSame(a.count - 1 - end, b.count - 1 - end))
    keep(a.count - 1 - end, b.count - 1 - end++)
  if (!keepCommon(PAIR, start, a.count - end - start, b.count - end - start)) return undefined
  if (a.keptLength < COMMON_MIN * Math.max(a.trimmedLength, b.trimmedLength)) return undefined
  return { removed: a.marks(), added: b.marks() }
}

function keep(i: number, j: number): void {
  a.isKept[i] = 1
  b.isKept[j] = 1
}

function isSame(i: number, j: number): boolean {
  if (a.sums[i] !== b.sums[j] || a.length(i) !== b.length(j)) return false
  const [from, other] = [a.starts[i] as number, b.starts[j] as number]
  for (let at = a.length(i) - 1; at >= 0; at--)
    if (a.text.charCodeAt(from + at) !== b.text.charCodeAt(other + at)) return false
  return true
}

const PAIR = { isSame, keep }
