/** Days by which something is to be done. Only the day of a time counts. */
import { invalid } from '#platform/problem'
import { INSTANT } from '#platform/rest'

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
