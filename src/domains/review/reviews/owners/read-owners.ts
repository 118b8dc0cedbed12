/**
 * Parses CODEOWNERS: on each line an expression for whole paths, and its owners. Pure. Both the expressions and the
 * paths are user input, so nothing here backtracks and everything is bounded.
 */
import { expressionOf } from '#domains/code/protections'
import { Problem } from '#platform/problem'

export interface OwnersRule {
  readonly pattern: string
  /** The rule applies to paths that do not match. */
  readonly isNegated: boolean
  /** Logins or email addresses. */
  readonly people: readonly string[]
  readonly teams: readonly { readonly organization: string; readonly team: string }[]
}

const RULES_MAX = 500
const LINE_MAX = 2_000
const PATTERN_MAX = 500
const OWNERS_MAX = 50
/** Length of a pattern times its repetition counts: an upper bound of its cost. */
const WEIGHT_MAX = 1_000

/** Skips lines that cannot be parsed, and everything after `RULES_MAX` rules. */
export function readOwners(text: string): OwnersRule[] {
  const rules: OwnersRule[] = []
  for (const line of text.split('\n')) {
    const rule = line.length > LINE_MAX ? undefined : readRule(wordsOf(line.trim()))
    if (rule !== undefined) rules.push(rule)
    if (rules.length === RULES_MAX) break
  }
  return rules
}

function readRule([first = '', ...owners]: readonly string[]): OwnersRule | undefined {
  const isNegated = first.startsWith('!')
  const pattern = isNegated ? first.slice(1) : first
  const named = owners.slice(0, OWNERS_MAX).map((owner) => owner.replace(/^@/, ''))
  const people = named.filter((name) => name !== '' && !name.includes('/'))
  const teams = named.flatMap((name) => {
    const [organization = '', team = '', ...more] = name.split('/')
    return organization === '' || team === '' || more.length > 0 ? [] : [{ organization, team }]
  })
  if (pattern === '' || pattern.length > PATTERN_MAX || people.length + teams.length === 0) return undefined
  return { pattern, isNegated, people, teams }
}

/**
 * Matches a whole path with the rule's expression; undefined if it is invalid or too costly. Compat: a leading slash is
 * ignored.
 */
export function fitOf({ pattern }: OwnersRule): ((path: string) => boolean) | undefined {
  const counts = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)].map(([, min, max]) => Number(max || min || 1))
  if (counts.reduce((weight, count) => weight * Math.max(count, 1), pattern.length) > WEIGHT_MAX)
    return undefined
  try {
    return expressionOf(`^(?:${pattern.replace(/^\//, '')})$`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return undefined
  }
}

/** A backslash escape, a blank, the start of a comment, or any other text. */
const PIECE = /\\[\s\S]?|[ \t]|#|[^\\ \t#]+/g
/** Compat: these are literal after a backslash; any other backslash is part of the expression. */
const KEPT = new Map([
  ['\\ ', ' '],
  ['\\#', '#'],
  ['\\\\', '\\'],
])

function wordsOf(line: string): string[] {
  const words: string[] = []
  let word = ''
  for (const [piece] of line.matchAll(PIECE)) {
    if (piece === '#') break
    if (piece !== ' ' && piece !== '\t') word += KEPT.get(piece) ?? piece
    else if (word !== '') words.push(word)
    if (piece === ' ' || piece === '\t') word = ''
  }
  return word === '' ? words : [...words, word]
}
