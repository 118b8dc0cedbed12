/**
 * Renders a file of a patch as lines, one element each: `ins`, `del`, or `span` for context. Line numbers are an
 * attribute that the style sheet shows, so they are neither copied nor read aloud. Changes are grouped, for the
 * side-by-side layout. A page has tens of thousands of lines, so the work for each line is minimal.
 */
import { escapeText } from '#platform/page'
import { Coloured, type Marks, NO_MARKS } from '../highlight/coloured.ts'
import { type Highlighter, loadHighlighter } from '../highlight/tokens.ts'
import { diffWords as words } from '../words/diff.ts'
import { findMoved } from './moved.ts'
import type { FilePatch, PatchHunk } from './patch.ts'
import { compareWords, type Line } from './words.ts'

export interface RenderedFile {
  readonly markup: string
  /** Height in lines. */
  readonly lines: number
  /** Width of the line numbers in characters. */
  readonly width: number
  /** The file is truncated. */
  readonly isCut: boolean
}

/** Where lines are omitted: before the first hunk, between two, or after the last. */
export type Gap = 'top' | 'middle' | 'end'
/** Placeholder for omitted lines, which a page replaces with links. Text is escaped, so it cannot look like it. */
export const GAP = /<a data-more="(top|middle|end)">⋯<\/a>/g

/** Bidirectional control characters are made visible, so that code reads as it runs. */
const TURN = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/
const TURNS = new RegExp(TURN, 'g')
/** Lines of context after a change, as git writes them. */
const CONTEXT = 3
/** Height of a hunk heading in lines: a little more than one, so that it can be clicked. */
const HEADING_LINES = 1.2
/** Changed words are searched in at most this many lines of a file. */
const COMPARED_MAX = 5_000

/** `hasMore`: the file has lines that the patch omits. */
export async function renderFile(
  { path, hunks, isCut }: Pick<FilePatch, 'path' | 'hunks' | 'isCut'>,
  hasMore = false,
): Promise<RenderedFile> {
  const highlighter = await loadHighlighter()
  const language = highlighter.languageOf(path, firstLineOf(hunks))
  const digits = digitsOf(hunks)
  const writer = new FileWriter(digits, hasMore)
  const moved = findMoved(hunks)
  let first = 0
  for (const hunk of hunks) {
    const hasOld = hunk.lines.some((it) => it[0] === '-')
    const old = hasOld ? sideOf(highlighter, language, hunk, '+') : new Side('', [])
    const isMoved = moved?.subarray(first, first + hunk.lines.length)
    writer.addHunk(hunk, old, sideOf(highlighter, language, hunk, '-'), isMoved)
    first += hunk.lines.length + 1
  }
  if (hasMore && !isCut && mayGoOn(hunks.at(-1))) writer.addGap('', true)
  return { markup: writer.markup, lines: writer.lines, width: 2 * digits + 4, isCut }
}

/** May identify the language of the file. */
function firstLineOf([first]: readonly PatchHunk[]): string {
  const line = first?.lines.find((it) => it[0] !== '-') ?? first?.lines[0]
  return line?.slice(1) ?? ''
}

function digitsOf(hunks: readonly PatchHunk[]): number {
  const last = hunks.at(-1)
  const most = last === undefined ? 1 : Math.max(last.oldStart, last.newStart) + last.lines.length
  return Math.max(3, String(most).length)
}

/** Fewer context lines than usual after the last change mean that the file ends there. */
function mayGoOn(last: PatchHunk | undefined): boolean {
  return (
    last !== undefined &&
    last.lines.length >= CONTEXT &&
    last.lines.slice(-CONTEXT).every((it) => it[0] === ' ')
  )
}

/** Each side is highlighted separately; context lines are taken from the new side. */
function sideOf(
  { runsOf }: Highlighter,
  language: string | undefined,
  { lines }: PatchHunk,
  without: '+' | '-',
): Side {
  const own = lines.filter((it) => it[0] !== without && it[0] !== '\\')
  const text = own.map((it) => it.slice(1)).join('\n')
  return new Side(text, runsOf(language, text))
}

/** The lines of one side of a hunk, in order. */
class Side {
  readonly #coloured: Coloured
  readonly #hasTurns: boolean
  /** Where the next line begins. */
  #at = 0

  constructor(text: string, runs: readonly number[]) {
    this.#coloured = new Coloured(text, runs)
    this.#hasTurns = TURN.test(text)
  }

  take(marked: string): Line {
    const from = this.#at
    const to = from + marked.length - 1
    this.#at = to + 1
    return { text: this.#coloured.text, from, to }
  }

  write({ from, to }: Line, marks: Marks): string {
    const markup = this.#coloured.line(from, to, marks)
    return this.#hasTurns ? showTurns(markup) : markup
  }
}

interface Changed {
  readonly line: Line
  marks: Marks
  readonly end: string
  /** Additional markup in the element, besides the numbers. */
  readonly more: string
}

/** Pieces are joined in batches: a long rope of small strings is expensive for the garbage collector. */
const JOINED = 256

class FileWriter {
  lines = 0
  readonly #chunks: string[] = []
  readonly #pieces: string[] = []
  #compared = 0
  readonly #digits: number
  readonly #none: string
  readonly #hasMore: boolean

  constructor(digits: number, hasMore: boolean) {
    this.#digits = digits
    this.#hasMore = hasMore
    this.#none = ' '.repeat(digits)
  }

  get markup(): string {
    return this.#chunks.join('') + this.#pieces.join('')
  }

  addGap(heading: string, isEnd = false): void {
    const gap: Gap = isEnd ? 'end' : this.lines === 0 ? 'top' : 'middle'
    const mark = this.#hasMore ? `<a data-more="${gap}">⋯</a>` : '⋯'
    this.#write(`<p>${mark} ${showTurns(escapeText(heading))}</p>`)
    this.lines += HEADING_LINES
  }

  addHunk(hunk: PatchHunk, oldSide: Side, nowSide: Side, isMoved: Uint8Array | undefined): void {
    const { lines, heading } = hunk
    if (heading !== '' || hunk.oldStart > 1) this.addGap(heading)
    let [old, now] = [hunk.oldStart, hunk.newStart]
    const removed: Changed[] = []
    const added: Changed[] = []
    const flush = () => {
      if (removed.length === 0 && added.length === 0) return
      this.#compare(removed, added)
      this.#write('<div>')
      this.#addRemoved(removed, oldSide, old - removed.length)
      this.#addAdded(added, nowSide, now - added.length)
      this.#write('</div>')
      removed.length = 0
      added.length = 0
    }
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as string
      const mark = line[0]
      if (mark === '\\') continue
      const end = endAfter(lines, i)
      const more = isMoved?.[i] === 1 ? ` class="moved" title="${escapeText(words.moved)}"` : ''
      if (mark === '-') {
        if (added.length > 0) flush()
        removed.push({ line: oldSide.take(line), marks: NO_MARKS, end, more })
        old += 1
      } else if (mark === '+') {
        added.push({ line: nowSide.take(line), marks: NO_MARKS, end, more })
        now += 1
      } else {
        flush()
        oldSide.take(line)
        const markup = nowSide.write(nowSide.take(line), NO_MARKS)
        this.#write(`<span data-l="${this.#number(old++)} ${this.#number(now++)}   ">${markup}${end}</span>`)
        this.lines += 1
      }
    }
    flush()
  }

  #compare(removed: readonly Changed[], added: readonly Changed[]): void {
    const pairs = Math.min(removed.length, added.length, COMPARED_MAX - this.#compared)
    this.#compared += pairs
    for (let i = 0; i < pairs; i++) {
      const [before, after] = [removed[i] as Changed, added[i] as Changed]
      const words = compareWords(before.line, after.line)
      if (words === undefined) continue
      before.marks = words.removed
      after.marks = words.added
    }
  }

  #addRemoved(removed: readonly Changed[], side: Side, first: number): void {
    let number = first
    for (const { line, marks, end, more } of removed)
      this.#write(
        `<del data-l="${this.#number(number++)} ${this.#none} - "${more}>${side.write(line, marks)}${end}</del>`,
      )
    this.lines += removed.length
  }

  #addAdded(added: readonly Changed[], side: Side, first: number): void {
    let number = first
    for (const { line, marks, end, more } of added)
      this.#write(
        `<ins data-l="${this.#none} ${this.#number(number++)} + "${more}>${side.write(line, marks)}${end}</ins>`,
      )
    this.lines += added.length
  }

  #write(piece: string): void {
    if (this.#pieces.push(piece) < JOINED) return
    this.#chunks.push(this.#pieces.join(''))
    this.#pieces.length = 0
  }

  #number(line: number): string {
    return String(line).padStart(this.#digits)
  }
}

function endAfter(lines: readonly string[], i: number): string {
  return lines[i + 1]?.[0] === '\\' ? `<i>${escapeText(words.noLineEnd)}</i>` : ''
}

function showTurns(markup: string): string {
  return markup.replace(TURNS, showTurn)
}

function showTurn(it: string): string {
  return `<bdi data-u="U+${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}">${it}</bdi>`
}
