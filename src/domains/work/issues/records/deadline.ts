/** Days by which something is to be done. Only the day of a time counts. */
import { invalid } from '#platform/problem'
import { parseInstant } from '#platform/rest'

/** How some clients write that there is none. */
const NEVER = '0001-01-01'

/** The end of the day that was named, wherever that was; null for none. */
export function deadlineOf(text: string): Date | null {
  const { day } = parseInstant(text) ?? {}
  if (day === undefined) throw invalid('date is not in ISO 8601 format')
  return day === NEVER ? null : new Date(`${day}T23:59:59Z`)
}

export function dayOf(deadline: Date): string {
  return deadline.toISOString().slice(0, 10)
}
