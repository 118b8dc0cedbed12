/**
 * Regular expressions of tag names and paths, in the syntax of Go's `regexp`, as in the reference. Users write them, and
 * they are matched while a push waits: RE2 does not backtrack, so a match takes at most the size of the expression times
 * the length of the name.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { invalid } from '#platform/problem'

/** Instructions of the compiled expression, repeats expanded: 2,000 take 3 ms to compile and 9 ms to match, at worst. */
const INSTRUCTIONS_MAX = 2_000

/** The returned function searches anywhere in the text. Throws on invalid syntax. */
export function expressionOf(source: string): (text: string) => boolean {
  const expression = compile(source)
  if (expression.programSize() > INSTRUCTIONS_MAX) throw invalid('regular expression is too large')
  return (text) => expression.test(text)
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw invalid(`invalid regular expression: ${error.getDescription()}`)
  }
}
