/**
 * HTML that is safe by type: a string is text and is escaped, only `Html` is markup. A page is a tree of these until it
 * is sent, so that a region of it can be sent alone, and so that parts still being read can follow later.
 */

/** Values of a template. Lists are joined; null, undefined and false are empty. */
export type Piece =
  | Html
  | string
  | number
  | null
  | undefined
  | false
  | readonly Piece[]
  /** Streamed: everything before it is sent first. */
  | AsyncIterable<Html>

export class Html {
  /** Markup and pieces alternate, markup first. */
  readonly #markup: readonly string[]
  readonly #pieces: readonly Piece[]
  /** Name of the region, if it can be requested alone. */
  readonly region: string | undefined

  private constructor(markup: readonly string[], pieces: readonly Piece[], region?: string) {
    this.#markup = markup
    this.#pieces = pieces
    this.region = region
  }

  static template(markup: readonly string[], pieces: readonly Piece[], region?: string): Html {
    return new Html(markup, pieces, region)
  }

  /** The whole text, if nothing of it is streamed. */
  toString(): string {
    const chunks: (string | AsyncIterable<Html>)[] = []
    this.write(chunks)
    for (const chunk of chunks) if (typeof chunk !== 'string') throw new Error('a part is still to come')
    return chunks.join('')
  }

  write(chunks: (string | AsyncIterable<Html>)[]): void {
    for (let i = 0; i < this.#markup.length; i++) {
      chunks.push(this.#markup[i] ?? '')
      if (i < this.#pieces.length) writePiece(this.#pieces[i], chunks)
    }
  }

  find(region: string): Html | undefined {
    if (this.region === region) return this
    for (const piece of this.#pieces) {
      const found = findIn(piece, region)
      if (found !== undefined) return found
    }
    return undefined
  }
}

export function html(markup: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return Html.template(markup, pieces)
}

export const nothing: Html = html``

/** Treats a text as markup. Invariant: the caller has made the text safe; `src/web/makers.test.ts` lists all callers. */
export function trusted(markup: string): Html {
  return Html.template([markup], [])
}

/** A part that the browser replaces when its content changes: `X-Region` requests it alone. */
export function region(name: string, content: Html): Html {
  return Html.template([`<div id="${escapeText(name)}" data-region>`, '</div>'], [content], name)
}

export function join(pieces: readonly Piece[], between: Html): Html {
  return html`${pieces.map((piece, i) => (i === 0 ? piece : [between, piece]))}`
}

const SPECIAL = /[&<>"']/
export function escapeText(text: string): string {
  const first = text.search(SPECIAL)
  if (first < 0) return text
  let escaped = ''
  let from = 0
  for (let at = first; at < text.length; at++) {
    const entity = entityOf(text.charCodeAt(at))
    if (entity === undefined) continue
    escaped += text.slice(from, at) + entity
    from = at + 1
  }
  return escaped + text.slice(from)
}

/** The entity of one of the five characters of SPECIAL, by its code. */
function entityOf(code: number): string | undefined {
  switch (code) {
    case 34:
      return '&quot;'
    case 38:
      return '&amp;'
    case 39:
      return '&#39;'
    case 60:
      return '&lt;'
    case 62:
      return '&gt;'
    default:
      return undefined
  }
}

function writePiece(piece: Piece, chunks: (string | AsyncIterable<Html>)[]): void {
  if (piece === null || piece === undefined || piece === false) return
  if (typeof piece === 'string') chunks.push(escapeText(piece))
  else if (typeof piece === 'number') chunks.push(String(piece))
  else if (piece instanceof Html) piece.write(chunks)
  else if (isList(piece)) for (const it of piece) writePiece(it, chunks)
  else chunks.push(piece)
}

function findIn(piece: Piece, region: string): Html | undefined {
  if (piece instanceof Html) return piece.find(region)
  if (typeof piece !== 'object' || piece === null || !isList(piece)) return undefined
  for (const it of piece) {
    const found = findIn(it, region)
    if (found !== undefined) return found
  }
  return undefined
}

function isList(piece: object): piece is readonly Piece[] {
  return Array.isArray(piece)
}
