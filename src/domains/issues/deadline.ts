/** Days by which something is to be done. Only the day of a time counts. */
import { invalid } from '#platform/problem'

const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
/** How some clients write that there is none. */
const NEVER = '0001-01-01'

/** The end of the day that was named, wherever that was; null for none. */
export function deadlineOf(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1] ?? ''
  const end = new Date(`${day}T23:59:59Z`)
  if (Number.isNaN(end.getTime()) || Number.isNaN(Date.parse(text)))
    throw invalid('date is not in RFC 3339 format')
  return day === NEVER ? null : end
}

export function dayOf(deadline: Date): string {
  return deadline.toISOString().slice(0, 10)
}

/** A time that was asked for; absent or empty is none. */
export function instantOf(name: string, text: string | undefined): Date | null {
  if (text === undefined || text === '') return null
  const moment = Date.parse(text)
  // Its offset may move it into a year of five digits, which nobody can read.
  if (!INSTANT.test(text) || !(moment >= FIRST && moment <= LAST))
    throw invalid(`${name} is not in RFC 3339 format`)
  return new Date(moment)
}
