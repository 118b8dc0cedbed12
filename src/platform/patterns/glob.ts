/** Glob patterns: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`, and `\` to escape. */
import { ANY, machineOf, one, repeat, row, type Shape, type Test } from './machine.ts'

type Fits = (name: string) => boolean

/** `*` and `?` stop at separators, `**` does not. An invalid pattern matches itself. */
export function globOf(pattern: string, separators: string): Fits {
  return findGlob(pattern, separators) ?? ((name) => name === pattern)
}

/** Undefined for an invalid pattern: an unclosed or empty bracket, or a trailing backslash. */
export function findGlob(pattern: string, separators: string): Fits | undefined {
  const shape = new GlobReader([...pattern], (char) => !separators.includes(char)).read()
  return shape === undefined ? undefined : machineOf(shape)
}

/** Whether a text contains special characters. */
export function isPattern(text: string): boolean {
  return /[*?\\[\]{}]/.test(text)
}

class GlobReader {
  private readonly pattern: readonly string[]
  private readonly inName: Test
  private at = 0

  constructor(pattern: readonly string[], inName: Test) {
    this.pattern = pattern
    this.inName = inName
  }

  read(): Shape | undefined {
    return this.sequence(0)
  }

  /** Up to the end, or inside braces up to the next comma or brace. */
  private sequence(depth: number): Shape | undefined {
    const shapes: Shape[] = []
    for (let char = this.pattern[this.at]; char !== undefined; char = this.pattern[this.at]) {
      if (depth > 0 && (char === ',' || char === '}')) return row(shapes)
      this.at += 1
      const shape = this.item(char, depth)
      if (shape === undefined) return undefined
      shapes.push(shape)
    }
    return depth === 0 ? row(shapes) : undefined
  }

  private item(char: string, depth: number): Shape | undefined {
    if (char === '*') return this.star()
    if (char === '?') return one(this.inName)
    if (char === '[') return this.oneOf()
    if (char === '{') return this.choice(depth + 1)
    const literal = char === '\\' ? this.pattern[this.at++] : char
    return literal === undefined ? undefined : one((it) => it === literal)
  }

  private star(): Shape {
    if (this.pattern[this.at] !== '*') return repeat(one(this.inName))
    this.at += 1
    return repeat(one(ANY))
  }

  private oneOf(): Shape | undefined {
    const isNegated = this.pattern[this.at] === '!'
    if (isNegated) this.at += 1
    const tests: Test[] = []
    for (let char = this.pattern[this.at++]; char !== ']'; char = this.pattern[this.at++]) {
      const first = char === '\\' ? this.pattern[this.at++] : char
      if (first === undefined) return undefined
      tests.push(this.range(first))
    }
    if (tests.length === 0) return undefined
    return one((char) => tests.some((test) => test(char)) !== isNegated)
  }

  /** `a`, or `a-z` when a hyphen and another character follow. */
  private range(first: string): Test {
    const last = this.pattern[this.at + 1]
    if (this.pattern[this.at] !== '-' || last === undefined || last === ']') return (char) => char === first
    this.at += 2
    return (char) => char >= first && char <= last
  }

  private choice(depth: number): Shape | undefined {
    const shapes: Shape[] = []
    do {
      const shape = this.sequence(depth)
      if (shape === undefined) return undefined
      shapes.push(shape)
    } while (this.pattern[this.at++] === ',')
    return { kind: 'choice', shapes }
  }
}
