/** Schemas and conversions shared by the routes of all slices. */
import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'

/** RFC 3339 to the second, in UTC. */
export const Time = Type.String({ format: 'date-time' })

export function time(date: Date): string
export function time(date: Date | null): string | null
export function time(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`
}

/** No text is longer, whatever `http.content_bytes_max` allows. */
export const CONTENT_LENGTH_MAX = 500_000_000

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes base64; undefined when it is invalid. Some clients break it into lines. */
export function readBase64(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/g, '')
  return BASE64.test(joined) && joined.length % 4 === 0 ? Buffer.from(joined, 'base64') : undefined
}

/** Raw bytes; the route sets their `content-type`. */
export const Bytes = Type.Unsafe<Readable | Uint8Array | string>({ type: 'string', format: 'binary' })

export type Visibility = Static<typeof Visibility>
export const Visibility = Type.Union([
  Type.Literal('public'),
  Type.Literal('limited'),
  Type.Literal('private'),
])
