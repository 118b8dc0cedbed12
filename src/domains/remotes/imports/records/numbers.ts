/**
 * Numbers of merge requests. GitLab counts them apart from issues, and both share their numbers here: issues keep
 * theirs, and so do merge requests whose number is free; the others follow after the highest.
 */
import type { Db } from '#platform/db'
import type { ImportRow } from '../tables.ts'
import { readPages } from './store.ts'

export interface Numbers {
  /** The number here of a pull request there. */
  of(number: number): number
  /** The text with references to merge requests as they are here. */
  text(body: string | null | undefined): string | null
}

/** Code is left as it is. Each alternative ends at the first match or at the end of the text. */
const REFERENCE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)|(?<![\w/!.-])!(\d{1,10})(?![\w])/g

const AS_THEY_ARE: Numbers = { of: (number) => number, text: (body) => body ?? null }

export async function findNumbers(db: Db, order: ImportRow): Promise<Numbers> {
  if (order.options.service !== 'gitlab') return AS_THEY_ARE
  const issues: number[] = []
  for await (const page of readPages(db, order.id, 'issues')) issues.push(...page.map(({ number }) => number))
  const pulls: number[] = []
  for await (const page of readPages(db, order.id, 'pulls')) pulls.push(...page.map(({ number }) => number))
  const numbers = numberPulls(issues, pulls)
  return {
    of: (number) => numbers.get(number) ?? number,
    text: (body) => (body ? renumberText(body, numbers) : null),
  }
}

/** Pure: by the number at the source. */
export function numberPulls(issues: readonly number[], pulls: readonly number[]): Map<number, number> {
  const taken = new Set(issues)
  let last = [...issues, ...pulls].reduce((highest, number) => Math.max(highest, number), 0)
  const numbers = new Map<number, number>()
  for (const number of [...new Set(pulls)].sort((a, b) => a - b)) {
    if (taken.has(number)) last += 1
    numbers.set(number, taken.has(number) ? last : number)
  }
  return numbers
}

/** Pure. `!12` becomes `#57`; merge requests that were not listed stay as they are. */
export function renumberText(text: string, numbers: ReadonlyMap<number, number>): string {
  return text.replace(REFERENCE, (whole, code: string | undefined, told: string | undefined) => {
    const number = code === undefined ? numbers.get(Number(told)) : undefined
    return number === undefined ? whole : `#${number}`
  })
}
