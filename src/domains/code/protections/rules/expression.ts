/**
 * Regular expressions of tag names and of paths, in the language of Go's `regexp`, which is that of the reference. They are
 * written by users and held against names of users while a push waits: RE2 follows all branches at once, so a match takes at
 * most the size of the expression times the length of the name.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { invalid } from '#platform/problem'

/** Of an expression, after its repeats are written out: 2,000 take 3 ms to compile and 9 ms to match, at worst. */
const INSTRUCTIONS_MAX = 2_000

/** Whether it is found anywhere in a text. Throws when it is no expression. */
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
