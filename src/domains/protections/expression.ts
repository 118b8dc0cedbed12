/**
 * Regular expressions of tag names and of paths: what common dialects agree on, without what cannot be followed in one go
 * (references back, looking ahead).
 */

import { ANY, machineOf, one, repeat, row, type Shape, type Test } from '#platform/patterns'
import { invalid, type Problem } from '#platform/problem'

const REPEAT_MAX = 1_000
const IGNORE_CASE = '(?i)'

/** Whether it is found anywhere in a text. Throws when it is no expression that is understood here. */
export function expressionOf(source: string): (text: string) => boolean {
  const ignoresCase = source.startsWith(IGNORE_CASE)
  const shape = new ExpressionReader(ignoresCase ? source.slice(IGNORE_CASE.length) : source).read()
  const anything = repeat(one(ANY))
  const fits = machineOf(row([anything, shape, anything]))
  return ignoresCase ? (text) => fits(text.toLowerCase()) || fits(text.toUpperCase()) : fits
}

const isDigit: Test = (char) => char >= '0' && char <= '9'
const isWord: Test = (char) => /^\w$/.test(char)
const isSpace: Test = (char) => /^\s$/.test(char)
const not = (test: Test): Test => {
  return (char) => !test(char)
}
const CLASSES: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
}

class ExpressionReader {
  private readonly source: readonly string[]
  private at = 0

  constructor(source: string) {
    this.source = [...source]
  }

  read(): Shape {
    const shape = this.choice()
    if (this.at < this.source.length) throw misread('unmatched )')
    return shape
  }

  private choice(): Shape {
    const shapes = [this.sequence()]
    while (this.skip('|')) shapes.push(this.sequence())
    return { kind: 'choice', shapes }
  }

  private sequence(): Shape {
    const shapes: Shape[] = []
    for (let char = this.peek(); char !== undefined && char !== '|' && char !== ')'; char = this.peek())
      shapes.push(this.repeated(this.item()))
    return row(shapes)
  }

  private item(): Shape {
    const char = this.take()
    if (char === '(') return this.group()
    if (char === '[') return one(this.oneOf())
    if (char === '.') return one(ANY)
    if (char === '^') return { kind: 'edge', side: 'start' }
    if (char === '$') return { kind: 'edge', side: 'end' }
    if (char === '\\') return one(this.escaped())
    if ('*+?'.includes(char)) throw misread('nothing to repeat')
    return one((it) => it === char)
  }

  private group(): Shape {
    if (this.skip('?') && !this.skip(':')) throw misread('unsupported group')
    const shape = this.choice()
    if (!this.skip(')')) throw misread('missing )')
    return shape
  }

  private repeated(shape: Shape): Shape {
    const [min, max] = this.counts() ?? [1, 1]
    // Whether as much as possible or as little is taken makes no difference to whether it fits.
    if (min !== 1 || max !== 1) this.skip('?')
    if (this.counts() !== undefined) throw misread('nested repeat needs parentheses')
    return min === 1 && max === 1 ? shape : repeat(shape, min, max)
  }

  private counts(): [min: number, max: number] | undefined {
    if (this.skip('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.skip('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.skip('?')) return [0, 1]
    const [braces, from, comma, to] =
      /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(this.source.slice(this.at).join('')) ?? []
    if (braces === undefined) return undefined
    this.at += braces.length
    const min = Number(from)
    const max = comma === '' ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to)
    if (min > max || min > REPEAT_MAX || (max > REPEAT_MAX && to !== ''))
      throw misread('invalid repeat count')
    return [min, max]
  }

  private oneOf(): Test {
    const isNegated = this.skip('^')
    const tests: Test[] = []
    do tests.push(this.range())
    while (!this.skip(']'))
    return (char) => tests.some((test) => test(char)) !== isNegated
  }

  private range(): Test {
    const first = this.take()
    if (first === '[' && this.peek() === ':') throw misread('unsupported character class')
    const test: Test = first === '\\' ? this.escaped() : (char) => char === first
    const last = this.source[this.at + 1]
    if (first === '\\' || this.peek() !== '-' || last === undefined || last === ']') return test
    this.at += 2
    const end = last === '\\' ? this.take() : last
    return (char) => char >= first && char <= end
  }

  private escaped(): Test {
    const char = this.take()
    const known = CLASSES[char]
    if (known !== undefined) return known
    if (/^\w$/.test(char)) throw misread('unsupported escape')
    return (it) => it === char
  }

  private peek(): string | undefined {
    return this.source[this.at]
  }

  private take(): string {
    const char = this.source[this.at++]
    if (char === undefined) throw misread('unexpected end')
    return char
  }

  private skip(char: string): boolean {
    if (this.peek() !== char) return false
    this.at += 1
    return true
  }
}

function misread(why: string): Problem {
  return invalid(`invalid regular expression: ${why}`)
}
