/**
 * Writes the lines of a text with syntax highlighting, in order. Invariant: text is escaped here and class names are
 * constants, so the output is safe markup.
 */
import { escapeText } from '#platform/page'
import { LETTERS, type Runs } from './tokens.ts'

const OPENINGS = LETTERS.map((letter) => `<span class="t${letter}">`)

/** Ranges in the text, from and to in turn, in order, that are marked. */
export type Marks = readonly number[]

export const NO_MARKS: Marks = []

export class Coloured {
  readonly text: string
  readonly #runs: Runs
  /** The next run, and the kind of the current one. */
  #next = 0
  #kind = 0
  /** The next mark in the line. */
  #mark = 0

  constructor(text: string, runs: Runs) {
    this.text = text
    this.#runs = runs
  }

  /** A line without its line end. Lines must be requested in order; some may be skipped. */
  line(from: number, to: number, marks = NO_MARKS): string {
    const runs = this.#runs
    let markup = ''
    this.#mark = 0
    for (let at = from; at < to; ) {
      while (this.#next < runs.length && (runs[this.#next] as number) <= at) {
        this.#kind = runs[this.#next + 1] as number
        this.#next += 2
      }
      const until = this.#next < runs.length ? Math.min(runs[this.#next] as number, to) : to
      const part =
        marks.length === 0 ? escapeText(this.text.slice(at, until)) : this.#marked(at, until, marks)
      markup += this.#kind === 0 ? part : `${OPENINGS[this.#kind]}${part}</span>`
      at = until
    }
    return markup
  }

  /** Marks end with a run and reopen in the next one, so that elements nest. */
  #marked(from: number, to: number, marks: Marks): string {
    let markup = ''
    let at = from
    while (at < to && this.#mark < marks.length) {
      const [start, end] = [marks[this.#mark] as number, marks[this.#mark + 1] as number]
      if (start >= to) break
      if (start > at) markup += escapeText(this.text.slice(at, start))
      const until = Math.min(end, to)
      markup += `<b>${escapeText(this.text.slice(Math.max(at, start), until))}</b>`
      at = until
      if (end <= to) this.#mark += 2
    }
    return at < to ? markup + escapeText(this.text.slice(at, to)) : markup
  }
}
