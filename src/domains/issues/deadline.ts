/** Days by which something is to be done. Only the day of a time counts. */
import { invalid } from '#platform/problem'

const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
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

/** A time in a query; absent or empty is none. */
export function instantOf(name: string, text: string | undefined): Date | null {
  if (text === undefined || text === '') return null
  const moment = Date.parse(text)
  if (!INSTANT.test(text) || Number.isNaN(moment)) throw invalid(`${name} is not in RFC 3339 format`)
  return new Date(moment)
}
