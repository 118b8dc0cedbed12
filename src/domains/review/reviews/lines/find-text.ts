/** Where lines are found again by what they say, when no diff tells where they went. Pure. */

/** One word at least: a bracket alone is everywhere, and proves nothing. */
const SAYS_SOMETHING = /\w{3}/

/**
 * The number of the line that the last of `wanted` has become: found once with as many of the lines before it as
 * possible. Undefined when it is nowhere, or in several places alike.
 */
export function findText(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const last = wanted.at(-1)
  if (last === undefined) return undefined
  // Places where the last line stands, told apart by the lines before it.
  let places = lines.flatMap((text, i) => (text === last ? [i] : []))
  for (let back = 1; back < wanted.length && places.length > 1; back++) {
    const before = wanted.at(-1 - back)
    const better = places.filter((i) => lines[i - back] === before)
    if (better.length === 0) return undefined
    places = better
  }
  const [place, ...others] = places
  if (place === undefined || others.length > 0) return undefined
  const isProof = SAYS_SOMETHING.test(last) || (wanted.length > 1 && lines[place - 1] === wanted.at(-2))
  return isProof ? place + 1 : undefined
}
