/** Compares results with the list of decided deviations and the listed refusals. */
import { DECIDED } from './decided.ts'
import { type Demand, lineOf } from './demands.ts'
import type { Question } from './kit/audit.ts'
import { findUnlisted } from './kit/refusals.ts'

const LISTED: ReadonlySet<string> = new Set(DECIDED.map(lineOf))

export type Outcome = 'met' | 'decided' | 'deviates'

export function outcomeOf(question: Question): Outcome {
  if (question.fault === undefined) return 'met'
  return LISTED.has(lineOf(question)) ? 'decided' : 'deviates'
}

/** Deviations that no decision allows. */
export function findDeviations(questions: readonly Question[]): string[] {
  const open = questions.filter((it) => outcomeOf(it) === 'deviates')
  return open.map((it) => `${lineOf(it)}\n  ${it.fault}`)
}

/** Decided deviations where the forge meets the demand, or that were not checked. */
export function findIdle(questions: readonly Question[]): string[] {
  const deviating = new Set(questions.filter(({ fault }) => fault !== undefined).map(lineOf))
  return [...LISTED].filter((key) => !deviating.has(key))
}

/** Duplicate demands, which the list could not tell apart. */
export function findRepeated(questions: readonly Question[]): string[] {
  const keys = questions.map(lineOf)
  return keys.filter((key, i) => keys.indexOf(key) !== i)
}

/** Demands recorded but not checked, and checked but not recorded. */
export function findUnrecorded(questions: readonly Demand[], recorded: readonly Demand[]): string[] {
  const [asked, known] = [questions, recorded].map((it) => new Set(it.map(lineOf)))
  const missing = [...(known ?? [])].filter((it) => !asked?.has(it))
  const extra = [...(asked ?? [])].filter((it) => !known?.has(it))
  return [...missing.map((it) => `not asked: ${it}`), ...extra.map((it) => `not recorded: ${it}`)]
}

/** Refusals that the specification does not list for their operation (rule 3). */
export function findOddRefusals(seen: Iterable<readonly [string, ReadonlyMap<number, string>]>): string[] {
  return [...seen].flatMap(([operation, statuses]) =>
    findUnlisted(operation, statuses).map((line) => `${operation}\n  ${line}`),
  )
}
