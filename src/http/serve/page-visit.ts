/** The visit of a page: what a request asks for, by whom, and in which language it is answered. */
import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { databaseAway } from '#platform/db'
import {
  acceptedLanguage,
  addressOf,
  type Language,
  languageOf,
  type PageVisit,
  Redirect,
  type SessionFacts,
} from '#platform/page'
import { Problem } from '#platform/problem'
import { cookieName, cookiesOf } from '../edge/cookies.ts'
import type { OpenedRequest } from '../edge/enter.ts'
import type { ServedParts } from '../parts.ts'
import type { InProcessApi } from './in-process-api.ts'

export function visitOf(
  { inProcessApi }: { readonly inProcessApi: InProcessApi },
  entered: OpenedRequest,
  request: FastifyRequest,
  does: readonly string[] = [],
): PageVisit {
  const { ctx, params, address, session } = entered
  const cookies = cookiesOf(request.headers)
  return {
    ctx,
    params: params as Record<string, string>,
    query: address.query,
    path: address.path,
    session,
    cookie: (name) => cookies.get(cookieName(ctx.site, name)) ?? '',
    requestId: request.id,
    from: { address: request.ip, agent: request.headers['user-agent'] ?? '' },
    failed: null,
    ...inProcessApi.as(ctx, { does }),
  }
}

/** The account's language, or else that of the browser: chosen on a page of this forge, or else in its settings. */
export function languageFor(
  { web, world }: ServedParts,
  { headers }: FastifyRequest,
  session: SessionFacts | null,
): Language {
  const { languages } = web
  const chosen = cookiesOf(headers).get(cookieName(world.site, 'language')) ?? ''
  const language =
    languageOf(languages, session?.language ?? '') ??
    languageOf(languages, chosen) ??
    acceptedLanguage(languages, headers['accept-language'] ?? '') ??
    languages[0]
  assert(language !== undefined, 'pages have a language')
  return language
}

export function signInFirst(visit: PageVisit): Redirect {
  return new Redirect(`/user/login?redirect_to=${encodeURIComponent(addressOf(visit))}`, 303)
}

export function problemOf(error: unknown): Problem | undefined {
  return databaseAway(error) ?? (error instanceof Problem ? error : undefined)
}
