/**
 * The demands that the audit checks, as recorded in `demands.txt`. Many are generated while the audit runs, so its code
 * does not list them; instead the audit fails when it checks anything else, and the pages of the specification name the
 * list.
 */
import { readFileSync } from 'node:fs'

export interface Demand {
  readonly operation: string
  readonly demand: string
}

export const DEMANDS = new URL('demands.txt', import.meta.url)

/** One line of the record. No operation has a colon in its name. */
export function lineOf({ operation, demand }: Demand): string {
  return `${operation}: ${demand}`
}

export function readDemands(): Demand[] {
  return readFileSync(DEMANDS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const end = line.indexOf(': ')
      return { operation: line.slice(0, end), demand: line.slice(end + 2) }
    })
}
