/** Small pieces of the wire that every slice shares. */
import { type Static, Type } from 'typebox'

/** RFC 3339 to the second, in UTC. */
export const Time = Type.String({ format: 'date-time' })

export function time(date: Date): string
export function time(date: Date | null): string | null
export function time(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`
}

export type Visibility = Static<typeof Visibility>
export const Visibility = Type.Union([
  Type.Literal('public'),
  Type.Literal('limited'),
  Type.Literal('private'),
])
