/** Errors of SCIM, RFC 7644, section 3.12. */
import { Problem } from '#platform/problem'
import { type RawAnswer, STATUS } from '#platform/rest'
import { ERROR, SCIM_TYPE } from './names.ts'

export type ScimErrorType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export function badRequest(scimType: ScimErrorType, message: string): Problem {
  return new Problem('malformed', message, { scimType })
}

export function taken(message: string): Problem {
  return new Problem('conflict', message, { scimType: 'uniqueness' })
}

export function tellScimFailure({ kind, message, details }: Problem): Pick<RawAnswer, 'headers' | 'body'> {
  const { scimType } = details
  return {
    headers: { 'content-type': SCIM_TYPE, 'cache-control': 'no-store' },
    body: JSON.stringify({
      schemas: [ERROR],
      status: String(STATUS[kind]),
      ...(typeof scimType === 'string' && { scimType }),
      detail: message,
    }),
  }
}

/** Verbs of the forge refuse values with 422, which SCIM does not know. */
export async function inScimTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'invalid') throw badRequest('invalidValue', error.message)
    throw error
  }
}
