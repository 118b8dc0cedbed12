/**
 * Parses filters of RFC 7644, section 3.4.2.2. The text is bounded, and so are its terms and its nesting, so the parser,
 * which reads each character once, runs on the main thread.
 */
import { badRequest, type ScimErrorType } from '../protocol/problems.ts'

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]
export type Literal = string | number | boolean | null

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | {
      readonly kind: 'compare'
      readonly path: string
      readonly operator: Operator
      readonly value: Literal
    }
  | { readonly kind: 'present'; readonly path: string }
  /** `emails[type eq "work"]`: one value of the attribute meets all of the filter. */
  | { readonly kind: 'each'; readonly path: string; readonly part: Filter }

const TEXT_MAX = 4_000
const TERMS_MAX = 50
const DEPTH_MAX = 10
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([\w:.$-]+))/y

/** `kind` is how a mistake is called: a filter of a list, or a path of a PATCH. */
export function parseFilter(text: string, kind: ScimErrorType = 'invalidFilter'): Filter {
  const parser = new Parser(text, kind)
  const filter = parser.or(0)
  parser.end()
  return filter
}

class Parser {
  readonly #tokens: readonly string[]
  readonly #kind: ScimErrorType
  #at = 0
  #terms = 0

  constructor(text: string, kind: ScimErrorType) {
    this.#kind = kind
    this.#tokens = this.#split(text)
  }

  or(depth: number): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#term(depth)))
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw this.#mistake()
  }

  #joined(word: 'and' | 'or', next: () => Filter): Filter {
    const parts = [next()]
    while (this.#peek().toLowerCase() === word) {
      this.#take()
      parts.push(next())
    }
    const [first] = parts
    return parts.length === 1 && first !== undefined ? first : { kind: word, parts }
  }

  #term(depth: number): Filter {
    this.#terms += 1
    if (depth > DEPTH_MAX || this.#terms > TERMS_MAX) throw this.#mistake()
    const token = this.#take()
    if (token === '(') {
      const inner = this.or(depth + 1)
      this.#expect(')')
      return inner
    }
    if (token.toLowerCase() === 'not' && this.#peek() === '(') {
      this.#take()
      const part = this.or(depth + 1)
      this.#expect(')')
      return { kind: 'not', part }
    }
    if (!/^[a-z]/i.test(token)) throw this.#mistake()
    return this.#comparison(token, depth)
  }

  #comparison(path: string, depth: number): Filter {
    if (this.#peek() === '[') {
      this.#take()
      const part = this.or(depth + 1)
      this.#expect(']')
      return { kind: 'each', path, part }
    }
    const word = this.#take().toLowerCase()
    if (word === 'pr') return { kind: 'present', path }
    const operator = OPERATORS.find((it) => it === word)
    if (operator === undefined) throw this.#mistake()
    return { kind: 'compare', path, operator, value: this.#literal(this.#take()) }
  }

  #literal(token: string): Literal {
    if (token.startsWith('"')) {
      try {
        return String(JSON.parse(token))
      } catch {
        throw this.#mistake()
      }
    }
    const word = token.toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(token)) return Number(token)
    throw this.#mistake()
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #take(): string {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw this.#mistake()
    this.#at += 1
    return token
  }

  #expect(mark: string): void {
    if (this.#take() !== mark) throw this.#mistake()
  }

  #split(text: string): string[] {
    if (text.length > TEXT_MAX || text.includes('\0')) throw this.#mistake()
    const tokens: string[] = []
    const trimmed = text.trim().toWellFormed()
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < trimmed.length) {
      const found = TOKEN.exec(trimmed)
      if (found === null) throw this.#mistake()
      tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
    }
    return tokens
  }

  #mistake() {
    return badRequest(this.#kind, 'filter is invalid, or has too many terms')
  }
}
