/** Times in requests. */
import { invalid } from '#platform/problem'

/**
 * ISO 8601: a day, with or without a time; the time with or without seconds and offset. Some clients write a space for
 * the letter T. Captures the day, hours and minutes, seconds, and the offset.
 */
const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?([Zz]|[+-]\d\d:?\d\d)?)?$/
/** How some clients write "no date". */
const NEVER = '0001-01-01'
const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

export interface Instant {
  readonly at: Date
  /** The day as the client wrote it, in its own time zone. */
  readonly day: string
}

/** A day alone means its beginning, and a time without an offset is in UTC (D38). Undefined: invalid. */
export function parseInstant(text: string): Instant | undefined {
  const [, day, minutes = '00:00', seconds = '00', offset = 'Z'] = INSTANT.exec(text) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const zone = offset.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const moment = Date.parse(`${day}T${minutes}:${seconds}${zone}`)
  // An offset may move it into a year of five digits, which clients cannot parse.
  return moment >= FIRST && moment <= LAST ? { at: new Date(moment), day } : undefined
}

/** The 30th of February is invalid, though `Date.parse` takes it for a day in March. */
function isDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

/** A requested time; null when absent or empty. */
export function instantOf(name: string, text: string | undefined): Date | null {
  if (text === undefined || text === '') return null
  const instant = parseInstant(text)
  if (instant === undefined) throw invalid(`${name} is not in ISO 8601 format`)
  return instant.at
}

/** A deadline: the end of the given day in the client's own time zone; null for none. */
export function deadlineOf(text: string): Date | null {
  const { day } = parseInstant(text) ?? {}
  if (day === undefined) throw invalid('date is not in ISO 8601 format')
  return day === NEVER ? null : new Date(`${day}T23:59:59Z`)
}
