/** Errors of the OAuth2 endpoints, in the format of RFC 6749, section 5.2. */
import type { RawAnswer } from '#platform/rest'

type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'

export class Refusal extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const NEVER_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }
const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' }

export function json(body: unknown, headers: Readonly<Record<string, string>> = NEVER_KEPT): RawAnswer {
  return { status: 200, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
}

export function tellRefusal(error: unknown): RawAnswer {
  if (!(error instanceof Refusal)) throw error
  const isClient = error.code === 'invalid_client'
  return {
    ...json({ error: error.code, error_description: error.message }),
    status: isClient ? 401 : 400,
    headers: {
      ...JSON_TYPE,
      ...NEVER_KEPT,
      ...(isClient && { 'www-authenticate': 'Basic realm="OAuth2", charset="UTF-8"' }),
    },
  }
}
