/** Finds a commented line by its text when no diff maps it. Pure. */

/** At least one word: a lone bracket occurs everywhere and identifies nothing. */
const SAYS_SOMETHING = /\w{3}/

/**
 * The number of the line that matches the last of `wanted`, disambiguated by as many preceding lines as needed.
 * Undefined if there is no match or an ambiguous one.
 */
export function findText(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const last = wanted.at(-1)
  if (last === undefined) return undefined
  // Candidates for the last line, narrowed by the lines before it.
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

/** Of several lines that end at `line`, the number of the first that is still there without a gap; null if only the last is. */
export function startOf(lines: readonly string[], wanted: readonly string[], line: number): number | null {
  let same = 1
  while (same < wanted.length && lines[line - 1 - same] === wanted.at(-1 - same)) same += 1
  return same === 1 ? null : line - same + 1
}
