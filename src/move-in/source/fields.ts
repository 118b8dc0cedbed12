/** Reads the values of source rows: drivers return booleans, times and empty values in different ways. */
import type { SourceRow, Value } from './driver.ts'

/** PostgreSQL stores no null characters in texts. */
const NULLS = /\0/g

export function text(value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8').replace(NULLS, '')
  if (value instanceof Date) return value.toISOString()
  return String(value).replace(NULLS, '')
}

/** Of `char(n)`, which PostgreSQL pads with blanks. */
export function word(value: Value | undefined): string {
  return text(value).trim()
}

export function number(value: Value | undefined): number {
  const read = Number(value ?? 0)
  return Number.isSafeInteger(read) ? read : 0
}

/** Null for 0, by which Gitea says that there is none. */
export function id(value: Value | undefined): number | null {
  const read = number(value)
  return read > 0 ? read : null
}

export function flag(value: Value | undefined): boolean {
  return value === true || Number(value ?? 0) === 1 || value === 'true'
}

/** Null for 0. */
export function time(value: Value | undefined): string | null {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) {
    const read = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`)
    return Number.isNaN(read) ? null : new Date(read).toISOString()
  }
  const seconds = number(value)
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : null
}

/** For rows of old releases, which may lack the time. */
export function timeOr(value: Value | undefined, otherwise: Value | undefined): string {
  return time(value) ?? time(otherwise) ?? new Date(0).toISOString()
}

/** Of tables with `created_unix` and `updated_unix`. */
export function timesOf({ created_unix, updated_unix }: SourceRow): {
  readonly created_at: string
  readonly updated_at: string
} {
  return { created_at: timeOr(created_unix, updated_unix), updated_at: timeOr(updated_unix, created_unix) }
}

/** JSON of Gitea's own; undefined when it is empty or broken. */
export function json(value: Value | undefined): unknown {
  try {
    return JSON.parse(text(value) || 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function object(value: Value | undefined): Readonly<Record<string, unknown>> {
  const read = json(value)
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? (read as Record<string, unknown>)
    : {}
}

export function list(value: Value | undefined): readonly unknown[] {
  const read = json(value)
  return Array.isArray(read) ? read : []
}

export function idsOf(rows: readonly SourceRow[], column: string): number[] {
  return [...new Set(rows.flatMap((row) => id(row[column]) ?? []))]
}
