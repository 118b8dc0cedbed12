/** Times that clients name. */
import { invalid } from '#platform/problem'

/** RFC 3339, with a blank for the letter as some clients write it; captures the day. */
export const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** A time that was asked for; absent or empty is none. */
export function instantOf(name: string, text: string | undefined): Date | null {
  if (text === undefined || text === '') return null
  const moment = Date.parse(text)
  // Its offset may move it into a year of five digits, which nobody can read.
  if (!INSTANT.test(text) || !(moment >= FIRST && moment <= LAST))
    throw invalid(`${name} is not in RFC 3339 format`)
  return new Date(moment)
}
