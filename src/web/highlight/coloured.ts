/**
 * A text whose lines are written in colours, one after the other. Invariant: text is escaped here, and classes are letters
 * of our own, so what comes out is markup that says the text.
 */
import { escapeText } from '#platform/page'
import { LETTERS, type Runs } from './tokens.ts'

const OPENINGS = LETTERS.map((letter) => `<span class="t${letter}">`)

/** Places in the text, from and to in turn, in order: they are set apart from what is around them. */
export type Marks = readonly number[]

export const NO_MARKS: Marks = []

export class Coloured {
  readonly text: string
  readonly #runs: Runs
  /** The run that comes next, and the kind of the one that is being written. */
  #next = 0
  #kind = 0
  /** The mark that is next in the line. */
  #mark = 0

  constructor(text: string, runs: Runs) {
    this.text = text
    this.#runs = runs
  }

  /** A line without its end. Lines are asked for in their order; some may be left out. */
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

  /** Marks end with the run and begin again in the next one, so that everything stays nested. */
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
