/** Compares a list of what was done with a list of what was reported, in any order. */

/** Empty when each item was reported as often as it was done. */
export function differences(done: readonly string[], told: readonly string[]): string[] {
  const [expected, found] = [countEqual(done), countEqual(told)]
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((what) => {
    const [times, heard] = [expected.get(what) ?? 0, found.get(what) ?? 0]
    return times === heard ? [] : [`done ${times} times and told ${heard} times: ${what}`]
  })
}

function countEqual(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
