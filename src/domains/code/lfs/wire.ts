/** The formats that all LFS answers share. */
import { Problem } from '#platform/problem'
import type { RawAnswer } from '#platform/rest'

export const JSON_TYPE = 'application/vnd.git-lfs+json'

export function json(status: number, value: object): RawAnswer {
  return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(value) }
}

export function tellFailure({ message }: Problem): Pick<RawAnswer, 'headers' | 'body'> {
  return {
    // Clients of LFS read this header, which no browser answers with a prompt.
    headers: { 'content-type': JSON_TYPE, 'lfs-authenticate': 'Basic realm="Gitea"' },
    body: JSON.stringify({ message }),
  }
}

/** A body without a value of its own is an empty object: clients send none where all is optional. */
export function readJson(body: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = body.length === 0 ? {} : JSON.parse(body.toString('utf8'))
  } catch {
    throw new Problem('malformed', 'body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed', 'body is not a JSON object')
  return value as Record<string, unknown>
}

/** Also for the SSH protocol, whose clients know the same objects. */
export interface Pointer {
  readonly oid: string
  readonly size: number
}

const OID = /^[0-9a-f]{64}$/
/** Limit of a pointer's size, beyond which numbers are not exact. */
const SIZE_MAX = Number.MAX_SAFE_INTEGER

export function isOid(value: unknown): value is string {
  return typeof value === 'string' && OID.test(value)
}

export function pointerOf({ oid, size }: Readonly<Record<string, unknown>>): Pointer | undefined {
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && size <= SIZE_MAX
  return isOid(oid) && isSize ? { oid, size } : undefined
}
