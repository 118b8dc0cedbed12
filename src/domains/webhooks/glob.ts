/**
 * Patterns for branches: `*` any letters, `?` one letter, `[a-z]` one of some, `[!a]` none of some, `{a,b}` either, `\`
 * before a letter that is meant as it is.
 *
 * A pattern is matched by the set of places it can have come to, so the work grows with its length times the length of
 * the name, whatever it says; a regular expression could be made to take forever.
 */
import { invalid } from '#platform/problem'

export type Glob = readonly Piece[]

type Piece =
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly fits: (letter: string) => boolean }
  | { readonly kind: 'either'; readonly choices: readonly Glob[] }

const GROUPS_DEEP_MAX = 8

export function parseGlob(pattern: string): Glob {
  return readSequence(new Reader(pattern), 0)
}

export function matches(glob: Glob, text: string): boolean {
  const letters = [...text]
  return walk(glob, letters, new Set([0])).has(letters.length)
}

/** From the places reached before a sequence to those reached after it. */
function walk(glob: Glob, letters: readonly string[], from: ReadonlySet<number>): ReadonlySet<number> {
  let places = from
  for (const piece of glob) {
    if (places.size === 0) break
    places = step(piece, letters, places)
  }
  return places
}

function step(piece: Piece, letters: readonly string[], places: ReadonlySet<number>): ReadonlySet<number> {
  if (piece.kind === 'either') {
    const reached = piece.choices.map((choice) => walk(choice, letters, places))
    return new Set(reached.flatMap((it) => [...it]))
  }
  if (piece.kind === 'any') {
    const first = Math.min(...places)
    return new Set(Array.from({ length: letters.length - first + 1 }, (_, i) => first + i))
  }
  const fitting = [...places].filter((at) => at < letters.length && piece.fits(letters[at] ?? ''))
  return new Set(fitting.map((at) => at + 1))
}

class Reader {
  private readonly letters: readonly string[]
  private at = 0

  constructor(pattern: string) {
    this.letters = [...pattern]
  }

  peek(): string | undefined {
    return this.letters[this.at]
  }

  take(): string | undefined {
    const letter = this.letters[this.at]
    this.at += 1
    return letter
  }

  /** The letter behind a backslash. */
  takeEscaped(): string {
    const letter = this.take()
    if (letter === undefined) throw malformed('nothing follows the backslash')
    return letter
  }
}

/** Inside a group, ends before the comma or brace that ends the choice. */
function readSequence(reader: Reader, depth: number): Piece[] {
  const pieces: Piece[] = []
  for (;;) {
    const letter = reader.peek()
    if (letter === undefined || (depth > 0 && (letter === ',' || letter === '}'))) return pieces
    reader.take()
    pieces.push(readPiece(reader, letter, depth))
  }
}

function readPiece(reader: Reader, letter: string, depth: number): Piece {
  if (letter === '*') return { kind: 'any' }
  if (letter === '?') return { kind: 'one', fits: () => true }
  if (letter === '[') return { kind: 'one', fits: readClass(reader) }
  if (letter === '{') return { kind: 'either', choices: readChoices(reader, depth + 1) }
  const wanted = letter === '\\' ? reader.takeEscaped() : letter
  return { kind: 'one', fits: (it) => it === wanted }
}

function readChoices(reader: Reader, depth: number): Glob[] {
  if (depth > GROUPS_DEEP_MAX) throw malformed('its groups are nested too deeply')
  const choices: Glob[] = []
  for (;;) {
    choices.push(readSequence(reader, depth))
    const end = reader.take()
    if (end === '}') return choices
    if (end === undefined) throw malformed('a group is not closed')
  }
}

function readClass(reader: Reader): (letter: string) => boolean {
  const isNegated = reader.peek() === '!'
  if (isNegated) reader.take()
  const ranges: Range[] = []
  for (let letter = reader.take(); letter !== ']'; letter = reader.take()) {
    if (letter === undefined) throw malformed('a class of letters is not closed')
    ranges.push(...readRange(reader, letter))
  }
  if (ranges.length === 0) throw malformed('a class of letters is empty')
  return (letter) => ranges.some(({ first, last }) => first <= letter && letter <= last) !== isNegated
}

interface Range {
  readonly first: string
  readonly last: string
}

function readRange(reader: Reader, letter: string): Range[] {
  const first = letter === '\\' ? reader.takeEscaped() : letter
  const alone = { first, last: first }
  if (reader.peek() !== '-') return [alone]
  reader.take()
  // A dash at the end is only a dash.
  if (reader.peek() === ']') return [alone, { first: '-', last: '-' }]
  const end = reader.take()
  if (end === undefined) throw malformed('a class of letters is not closed')
  const last = end === '\\' ? reader.takeEscaped() : end
  if (last < first) throw malformed('a range of letters is upside down')
  return [{ first, last }]
}

function malformed(why: string) {
  return invalid('the branch filter is malformed', { why })
}
