/** Sanitizes texts and times of sources. Pure. */
import { Type } from 'typebox'

export const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
export const flag = Type.Optional(Type.Boolean())
export const times = { created_at: text, updated_at: text }

/** PostgreSQL stores neither a null character nor a lone surrogate. */
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

export function timesOf(
  dated: { readonly created_at?: string | null; readonly updated_at?: string | null },
  now: Date,
) {
  const created_at = timeOf(dated.created_at) ?? now
  return { created_at, updated_at: timeOf(dated.updated_at) ?? created_at }
}
