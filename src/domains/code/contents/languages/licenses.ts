/** Detects the licence of a text by its similarity to known licences. */
import { findLicense, hasLicense } from '#domains/instance/templates'

/** Common licences. Of several names, the one that clients know comes first. */
const KEYS: readonly (readonly string[])[] = [
  ['0BSD'],
  ['AGPL-3.0', 'AGPL-3.0-only'],
  ['Apache-2.0'],
  ['Artistic-2.0'],
  ['BSD-2-Clause'],
  ['BSD-3-Clause'],
  ['BSD-3-Clause-Clear'],
  ['BSL-1.0'],
  ['CC-BY-4.0'],
  ['CC-BY-SA-4.0'],
  ['CC0-1.0'],
  ['EPL-1.0'],
  ['EPL-2.0'],
  ['EUPL-1.2'],
  ['GPL-2.0', 'GPL-2.0-only'],
  ['GPL-3.0', 'GPL-3.0-only'],
  ['ISC'],
  ['LGPL-2.1', 'LGPL-2.1-only'],
  ['LGPL-3.0', 'LGPL-3.0-only'],
  ['MIT'],
  ['MIT-0'],
  ['MPL-2.0'],
  ['OFL-1.1'],
  ['Unlicense'],
  ['WTFPL'],
  ['Zlib'],
]
/** The required share of equal shingles; names and years differ. */
const LIKENESS_MIN = 0.85
const SHINGLE_WORDS = 4
const TEXT_LENGTH_MAX = 100_000

export const LICENSE_FILE = /^(?:licen[cs]es?|copying|unlicense)(?:[.-][\w.-]+)?$/i

type Shingles = ReadonlySet<string>

export async function detectLicense(text: string): Promise<string | undefined> {
  const shingles = shinglesOf(text.slice(0, TEXT_LENGTH_MAX))
  if (shingles.size === 0) return undefined
  let best: { key: string; likeness: number } | undefined
  for (const [key, known] of await loadKnown()) {
    const likeness = likenessOf(shingles, known)
    if (likeness >= LIKENESS_MIN && likeness > (best?.likeness ?? 0)) best = { key, likeness }
  }
  return best?.key
}

let known: Promise<Map<string, Shingles>> | undefined

/** Loaded on first use: some megabytes that few requests need. */
function loadKnown(): Promise<Map<string, Shingles>> {
  known ??= (async () => {
    const texts = new Map<string, Shingles>()
    for (const names of KEYS) {
      const key = names.find(hasLicense)
      const license = key && (await findLicense(key))
      if (key && license) texts.set(names[0] ?? key, shinglesOf(license.text))
    }
    return texts
  })()
  return known
}

/** All sequences of `SHINGLE_WORDS` words, without copyright lines. */
function shinglesOf(text: string): Shingles {
  const lines = text.split('\n').filter((line) => !/^\W*copyright\b/i.test(line))
  const words =
    lines
      .join(' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const count = words.length - SHINGLE_WORDS + 1
  return new Set(
    Array.from({ length: Math.max(count, 0) }, (_, i) => words.slice(i, i + SHINGLE_WORDS).join(' ')),
  )
}

function likenessOf(a: Shingles, b: Shingles): number {
  const common = a.intersection(b).size
  return common / (a.size + b.size - common)
}
