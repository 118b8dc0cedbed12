/** Common subsequence of two lists: Myers' diff algorithm. The caller decides what the elements are. */

/** Two lists, accessed by index. */
export interface Pair {
  isSame(i: number, j: number): boolean
  /** Called for each pair of the common subsequence. */
  keep(i: number, j: number): void
}

/** Maximum number of changes; lists that differ by more are treated as unrelated. */
const STEPS_MAX = 120
/** The furthest x on each diagonal by step: step `d` has diagonals `-d` to `d`, starting at index `d * d`. */
const reached = new Int32Array((STEPS_MAX + 1) ** 2)

/**
 * Calls `keep` for the longest common subsequence of `ofA` and `ofB` elements from `start`; false if the lists differ
 * by too much. Callers have removed the common prefix and suffix, so two single elements have nothing in common.
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

/** Where a step enters a diagonal, before it follows equal elements. */
function firstBy(d: number, k: number): number {
  if (d === 0) return 0
  return comesFromAbove(d, k) ? reachedBy(d - 1, k + 1) : reachedBy(d - 1, k - 1) + 1
}

/** Whether the step to a diagonal is an insertion. */
function comesFromAbove(d: number, k: number): boolean {
  return k === -d || (k !== d && reachedBy(d - 1, k - 1) < reachedBy(d - 1, k + 1))
}

function reachedBy(d: number, k: number): number {
  return reached[d * d + d + k] as number
}
