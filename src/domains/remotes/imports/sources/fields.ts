/** Words and times of others, made fit to be kept. Pure. */
import { Type } from 'typebox'

export const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
export const flag = Type.Optional(Type.Boolean())

/** PostgreSQL keeps no null character, and no half of a letter. */
export function cut(words: string | null | undefined, most: number): string {
  return (words ?? '').replaceAll('\0', '').slice(0, most).toWellFormed()
}

const YEAR_MIN = 1970
const YEAR_MAX = 9999

export function timeOf(words: string | null | undefined): Date | undefined {
  const time = new Date(words ?? '')
  const year = time.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? time : undefined
}
