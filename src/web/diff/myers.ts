/** What two lists have in common, in order: Myers' difference. What they are lists of, words or lines, is the caller's. */

/** Two lists, by places in both. */
export interface Pair {
  isSame(i: number, j: number): boolean
  /** These two are in what they have in common. */
  keep(i: number, j: number): void
}

/** So many changes are looked for: lists that differ by more did not become each other. */
const STEPS_MAX = 120
/** How far every diagonal was reached by each step: step `d` has those from `-d` to `d`, and begins at `d * d`. */
const reached = new Int32Array((STEPS_MAX + 1) ** 2)

/**
 * Keeps the longest common sequence of so many of both from `start`; false when that takes too long to find. What they share at
 * both ends was taken away before, so of two single ones nothing is left to keep.
 */
export function keepCommon(pair: Pair, start: number, ofA: number, ofB: number): boolean {
  if (ofA === 0 || ofB === 0 || (ofA === 1 && ofB === 1)) return true
  const steps = stepsBetween(pair, start, ofA, ofB)
  if (steps === undefined) return false
  let [x, y] = [ofA, ofB]
  for (let d = steps; d >= 0; d--) {
    const k = x - y
    const before = comesFromAbove(d, k) ? k + 1 : k - 1
    const fromX = d === 0 ? 0 : reachedBy(d - 1, before)
    const fromY = d === 0 ? 0 : fromX - before
    while (x > fromX && y > fromY && pair.isSame(start + x - 1, start + y - 1)) {
      x -= 1
      y -= 1
      pair.keep(start + x, start + y)
    }
    x = fromX
    y = fromY
  }
  return true
}

function stepsBetween(pair: Pair, start: number, ofA: number, ofB: number): number | undefined {
  const most = Math.min(ofA + ofB, STEPS_MAX)
  for (let d = 0; d <= most; d++)
    for (let k = -d; k <= d; k += 2) {
      let x = firstBy(d, k)
      while (x < ofA && x - k < ofB && pair.isSame(start + x, start + x - k)) x += 1
      reached[d * d + d + k] = x
      if (x >= ofA && x - k >= ofB) return d
    }
  return undefined
}

/** Where a step comes to a diagonal, before it goes on along what is the same. */
function firstBy(d: number, k: number): number {
  if (d === 0) return 0
  return comesFromAbove(d, k) ? reachedBy(d - 1, k + 1) : reachedBy(d - 1, k - 1) + 1
}

/** Whether the way to a diagonal leads by something that was added. */
function comesFromAbove(d: number, k: number): boolean {
  return k === -d || (k !== d && reachedBy(d - 1, k - 1) < reachedBy(d - 1, k + 1))
}

function reachedBy(d: number, k: number): number {
  return reached[d * d + d + k] as number
}
