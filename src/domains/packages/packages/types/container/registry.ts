/** Shared by all routes of the container registry, including the format of errors. */
import type { Context } from '#platform/context'
import type { Problem, ProblemKind } from '#platform/problem'
import type { PresentedCredentials, RawAnswer } from '#platform/rest'
import type { Site } from '#platform/site'
import { readRegistryToken } from './token.ts'

const VERSION = { 'docker-distribution-api-version': 'registry/2.0' }

/** Default error codes by kind of problem. */
const CODES: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'DENIED',
  not_found: 'NAME_UNKNOWN',
  method_not_allowed: 'UNSUPPORTED',
  too_large: 'SIZE_INVALID',
  too_many: 'TOOMANYREQUESTS',
}

export const registryOfImages = {
  scopes: ['package'],
  challenge: (site: Site) => `Bearer realm="${site.url}/v2/token",service="container_registry",scope="*"`,
  authenticate: async (ctx: Context, { token }: PresentedCredentials) => {
    const authorization = token?.scheme === 'token' ? readRegistryToken(ctx, token.text) : undefined
    return authorization === undefined ? undefined : { authorization }
  },
  tellFailure: ({ kind, message, details }: Problem): Pick<RawAnswer, 'headers' | 'body'> => ({
    headers: { ...VERSION, 'content-type': 'application/json' },
    body: JSON.stringify({ errors: [{ code: details.code ?? CODES[kind] ?? 'UNKNOWN', message }] }),
  }),
}

export function answer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: RawAnswer['body'],
): RawAnswer {
  return { status, headers: { ...VERSION, ...headers }, body }
}

export function jsonAnswer(body: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return answer(200, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
}
