/** Answers failures: an HTML page for browsers, the answer of the API for other clients. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inLanguage, type PageVisit, Redirect } from '#platform/page'
import { Problem } from '#platform/problem'
import { STATUS } from '#platform/rest'
import { setCookie } from '../edge/cookies.ts'
import type { OpenedRequest } from '../edge/enter.ts'
import { logFailure, newAddress, sendFailure, waitOf } from '../edge/failures.ts'
import type { ServedParts } from '../parts.ts'
import { languageFor, problemOf, signInFirst, visitOf } from './page-visit.ts'
import { sendDocument } from './send-page.ts'

/** An HTML page with the request id for browsers; the API's answer for other clients. */
export function sendProblemPage(
  parts: ServedParts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply | Promise<FastifyReply> {
  const language = languageFor(parts, request, request.entered?.session ?? null)
  return inLanguage(language, () => tellProblem(parts, request, reply, error))
}

function tellProblem(
  parts: ServedParts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply | Promise<FastifyReply> {
  if (error instanceof Redirect) {
    for (const cookie of error.cookies) reply.header('set-cookie', setCookie(parts.world.site, cookie))
    return reply.code(error.status).header('location', error.to).send()
  }
  const tell = () => sendFailure(reply, error, request.log, parts.world.site.docsUrl)
  if (!(request.headers.accept ?? '').includes('text/html')) return tell()
  const problem = problemOf(error)
  if (problem?.kind === 'moved')
    return reply.code(301).header('location', newAddress(request.url, problem.details)).send()
  const visit = visitOf(parts, request.entered ?? nobodys(parts, request), request)
  // Signing in may give access.
  if (problem?.kind === 'unauthenticated' && request.method === 'GET')
    return reply.code(303).header('location', signInFirst(visit).to).send()
  logFailure(reply, error, request.log)
  return sendProblem(parts, visit, reply, problem).catch(tell)
}

/** For a request that was refused before its caller was identified. */
function nobodys({ world }: ServedParts, request: FastifyRequest): OpenedRequest {
  const [path = '', query = ''] = request.url.split('?', 2)
  return {
    ctx: { ...world, actor: null, signal: new AbortController().signal },
    params: {},
    query: {},
    address: { path, query: new URLSearchParams(query) },
    headers: request.headers,
    bearer: null,
    session: null,
    assertMayWrite: () => undefined,
    clientAddress: request.ip,
    opened: {},
  }
}

async function sendProblem(
  { web }: ServedParts,
  visit: PageVisit,
  reply: FastifyReply,
  problem: Problem | undefined,
): Promise<FastifyReply> {
  const told = problem ?? new Problem('unavailable', 'internal server error')
  if (problem !== undefined) reply.headers(waitOf(problem))
  const shown = {
    ...web.problem(visit, told, null),
    status: problem === undefined ? 500 : STATUS[problem.kind],
  }
  // Without a database the frame cannot be rendered, so the page is sent without it.
  const document = await web
    .frame(visit, shown)
    .catch(() => web.frame({ ...visit, ctx: { ...visit.ctx, actor: null } }, shown))
  return sendDocument(reply, document, shown)
}
