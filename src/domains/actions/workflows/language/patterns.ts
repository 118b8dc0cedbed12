/**
 * Patterns of branches, tags and paths: `*` and `**`, `?` and `+` after a character, `[a-z]`, and `!` for exclusion.
 * The last pattern that matches decides.
 */
import { ANY, machineOf, one, optional, repeat, row, type Shape, type Test } from '#platform/patterns'

const inName: Test = (char) => char !== '/'

/** Whether the patterns, applied in order, include a name. */
export function fitsOne(patterns: readonly string[], name: string): boolean {
  let fits = false
  for (const pattern of patterns) {
    const takesBack = pattern.startsWith('!')
    if (fits !== takesBack) continue
    if (machineOf(shapeOf(takesBack ? pattern.slice(1) : pattern))(name)) fits = !takesBack
  }
  return fits
}

function shapeOf(pattern: string): Shape {
  const chars = [...pattern]
  const shapes: Shape[] = []
  for (let at = 0; at < chars.length; ) {
    const [shape, next] = readShape(chars, at)
    const last = shapes.at(-1)
    if (chars[at] === '?' && last !== undefined) shapes.splice(-1, 1, optional(last))
    else if (chars[at] === '+' && last !== undefined) shapes.splice(-1, 1, row([last, repeat(last)]))
    else shapes.push(shape)
    at = next
  }
  return row(shapes)
}

function readShape(chars: readonly string[], at: number): [shape: Shape, next: number] {
  const char = chars[at]
  if (char === '*' && chars[at + 1] === '*') {
    // `**/` matches any folders, including none.
    if (chars[at + 2] === '/' && (at === 0 || chars[at - 1] === '/'))
      return [optional(row([repeat(one(ANY)), one((it) => it === '/')])), at + 3]
    return [repeat(one(ANY)), at + 2]
  }
  if (char === '*') return [repeat(one(inName)), at + 1]
  if (char === '[') return readSet(chars, at)
  const literal = char === '\\' ? chars[at + 1] : char
  return [one((it) => it === literal), at + (char === '\\' ? 2 : 1)]
}

/** A bracket that is not closed is a literal. */
function readSet(chars: readonly string[], at: number): [shape: Shape, next: number] {
  const end = chars.indexOf(']', at + 2)
  if (end === -1) return [one((it) => it === '['), at + 1]
  const inside = chars.slice(at + 1, end)
  const tests: Test[] = []
  for (let i = 0; i < inside.length; i++) {
    const [first, dash, last] = inside.slice(i, i + 3)
    if (first === undefined) break
    if (dash === '-' && last !== undefined) {
      tests.push((it) => it >= first && it <= last)
      i += 2
    } else tests.push((it) => it === first)
  }
  return [one((it) => tests.some((test) => test(it))), end + 1]
}
