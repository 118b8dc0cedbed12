/** Dates and durations in text. */
import { formats } from './site.ts'

export const dayOf = formats.day

/** «1h 30m». */
export function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const words = [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`].filter(Boolean)
  return words.length === 0 ? `${seconds}s` : words.join(' ')
}

/** Undefined if the text is not a duration. */
export function readDuration(text: string): number | undefined {
  const found = /^\s*(?:(\d{1,4})\s*h)?\s*(?:(\d{1,4})\s*m)?\s*(?:(\d{1,5})\s*s)?\s*$/i.exec(text)
  const [, hours = 0, minutes = 0, seconds = 0] = found ?? []
  const all = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  return found === null || all === 0 ? undefined : all
}
