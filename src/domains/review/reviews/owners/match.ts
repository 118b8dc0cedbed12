/** Which rules are about what a pull request changes. */
import { setImmediate } from 'node:timers/promises'
import { fitOf, type OwnersRule } from './read-owners.ts'

export interface Matched {
  readonly rules: readonly OwnersRule[]
  /** All were held against all: else there was too much of it. */
  readonly isComplete: boolean
}

/** After so long others on this thread have their turn; after so long in all it is given up. */
const TURN_MS = 20
const TIME_MS = 5_000
/** What it costs to follow an expression grows with the path. */
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

/** Undefined when the time is over. */
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
