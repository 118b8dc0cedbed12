/** Matches code owner rules with the changed paths of a pull request. */
import { setImmediate } from 'node:timers/promises'
import { fitOf, type OwnersRule } from './read-owners.ts'

export interface Matched {
  readonly rules: readonly OwnersRule[]
  /** False if matching was cut short or a path was too long. */
  readonly isComplete: boolean
}

/** Yields to the event loop after each `TURN_MS`; gives up after `TIME_MS`. */
const TURN_MS = 20
const TIME_MS = 5_000
/** The cost of matching an expression grows with the path. */
const PATH_MAX = 1_000

export async function matchRules(
  rules: readonly OwnersRule[],
  paths: readonly string[],
  timeMs = TIME_MS,
): Promise<Matched> {
  const short = paths.filter((path) => path.length <= PATH_MAX)
  const clock = { began: performance.now(), turnBegan: performance.now(), timeMs }
  const matched: OwnersRule[] = []
  for (const rule of rules) {
    const isMatched = await holdAgainst(rule, short, clock)
    if (isMatched === undefined) return { rules: matched, isComplete: false }
    if (isMatched) matched.push(rule)
  }
  return { rules: matched, isComplete: short.length === paths.length }
}

/** Undefined on timeout. */
async function holdAgainst(
  rule: OwnersRule,
  paths: readonly string[],
  clock: { readonly began: number; turnBegan: number; readonly timeMs: number },
): Promise<boolean | undefined> {
  const fits = fitOf(rule)
  if (fits === undefined) return false
  for (const path of paths) {
    const now = performance.now()
    if (now - clock.began > clock.timeMs) return undefined
    if (now - clock.turnBegan > TURN_MS) {
      await setImmediate()
      clock.turnBegan = performance.now()
    }
    if (fits(path) !== rule.isNegated) return true
  }
  return false
}
