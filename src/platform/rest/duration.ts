/** Lengths of time as clients write them, such as `8h0m0s`. */
import { must } from '#platform/must'

const PARTS = /(\d+(?:\.\d+)?)(h|ms|m|s)/g
const SECONDS: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1, ms: 0.001 }

/** Whole seconds; undefined for an invalid duration. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (text === '' || text.replaceAll(PARTS, '') !== '') return undefined
  const seconds = [...text.matchAll(PARTS)].reduce(
    (sum, [, digits, unit]) => sum + Number(digits) * must(SECONDS[unit ?? ''], 'a unit of PARTS'),
    0,
  )
  return Number.isSafeInteger(Math.floor(seconds)) ? Math.floor(seconds) : undefined
}

export function formatDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
