/** Serves pages: loads what they show, handles their forms, and answers failures in HTML. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { provePassword } from '#domains/people/users'
import { elevateSession } from '#domains/sign-in/sessions'
import { asDryRun, NotInDryRun } from '#platform/context'
import {
  type Cookie,
  type Fields,
  type Form,
  type FormVisit,
  inLanguage,
  type Page,
  type PageVisit,
  type RedirectTo,
  type Rendered,
} from '#platform/page'
import { Problem } from '#platform/problem'
import { STATUS } from '#platform/rest'
import { setCookie } from '../edge/cookies.ts'
import { assertSameSite } from '../edge/same-site.ts'
import { readFields } from '../input/read-form.ts'
import type { ServedParts } from '../parts.ts'
import { DryRun } from './dry-run.ts'
import type { InProcessApi } from './in-process-api.ts'
import { languageFor, problemOf, signInFirst, visitOf } from './page-visit.ts'
import { sendProblemPage } from './problem-page.ts'
import { sendDocument } from './send-page.ts'
import { PAGE, type Serving as Served, serve } from './serve.ts'

/** A page with the operations it calls. */
interface Serving {
  readonly parts: ServedParts
  readonly inProcessApi: InProcessApi
}

type Send = (reply: FastifyReply) => FastifyReply

/** Field names: the submitted form, and the password that a dangerous form requires. */
const FORM = 'form'
const PASSWORD = 'confirm_password'
/** Requests the form as curl commands instead of submitting it: by a header for scripts, by a field without. */
const ACT = 'act'
const CURL = 'curl'
/** Anonymous visitors only sign in and sign up. */
const STRANGER_BYTES_MAX = 65_536

export function servePages(app: FastifyInstance, parts: ServedParts): void {
  const serving = { parts, inProcessApi: parts.inProcessApi }
  for (const page of parts.web.pages) {
    servePage(app, serving, page, 'GET')
    if (Object.keys(page.forms).length > 0) servePage(app, serving, page, 'POST')
  }
}

function servePage(app: FastifyInstance, serving: Serving, page: Page, method: 'GET' | 'POST'): void {
  const { parts } = serving
  const { world, budgets } = parts
  const route: Served['route'] = {
    method,
    isAudited: method === 'POST' || page.changes.length > 0,
    path: page.path,
    operationId: PAGE + page.path,
    scopes: [],
    params: undefined,
    query: undefined,
    takesSession: 'only',
    open: () => ({}),
  }
  serve(app, parts, {
    route,
    below: '',
    bodyBytesMax: world.config['http.content_bytes_max'],
    strangerBytesMax: STRANGER_BYTES_MAX,
    keepsStream: false,
    trustsQuery: false,
    guard: (request) => {
      if (method === 'POST') assertSameSite(request.headers, world.site)
    },
    charge: (reply, visitor) => budgets.charge(reply, visitor),
    answer: async (entered, request) => {
      const ctx = method === 'GET' ? { ...entered.ctx, memo: new Map() } : entered.ctx
      const visit = visitOf(serving, { ...entered, ctx }, request, method === 'GET' ? page.changes : [])
      if (page.requiresSignIn && visit.ctx.actor === null && method === 'GET') throw signInFirst(visit)
      const language = languageFor(parts, request, entered.session)
      const send = await inLanguage(language, async () =>
        method === 'GET'
          ? answerShown(serving, visit, await present(page, visit))
          : submit(serving, page, visit, request),
      )
      // Parts of a document may be rendered while it is sent.
      return (reply) => inLanguage(language, () => send(reply))
    },
    onError: (error, request, reply) => sendProblemPage(parts, request, reply, error),
  })
}

async function present(page: Page, visit: PageVisit): Promise<Rendered> {
  return page.show(await page.load(visit), visit)
}

/** Handles a form: redirects on success; on failure everything that was entered is still there. */
async function submit(
  serving: Serving,
  page: Page,
  visit: PageVisit,
  request: FastifyRequest,
): Promise<Send> {
  const { web, world } = serving.parts
  const fields = await readFields(request.headers, request.body as Buffer | undefined)
  // A button may override the form it is in: the last value counts.
  const name = fields.all(FORM).at(-1) ?? ''
  const form = Object.hasOwn(page.forms, name) ? page.forms[name] : undefined
  if (form === undefined) throw new Problem('malformed', 'form is unknown')
  const check = form.isDangerous ? await checkPassword(visit, fields) : 'was'
  if (check === 'asked' || check === 'wrong')
    return answerShown(serving, visit, { ...web.elevation(visit, fields, check === 'wrong'), status: 403 })
  try {
    const act = request.headers[`x-${ACT}`] ?? fields.text(ACT)
    if (act === CURL) return await tellCalls(serving, form, { ...visit, fields }, request)
    const api = serving.inProcessApi.as(visit.ctx, { does: form.does })
    const result = await form.handle({ ...visit, ...api, fields })
    const raised = check === 'proven' ? await elevate(visit) : []
    if (typeof result !== 'string' && 'body' in result) return answerShown(serving, visit, result, raised)
    const redirect: RedirectTo = typeof result === 'string' ? { to: result } : result
    // Cookies of the form itself are newer, so they come last.
    const cookies = [...raised, ...(redirect.cookies ?? [])].map((it) => setCookie(world.site, it))
    return (reply) => reply.code(303).headers({ location: redirect.to, 'set-cookie': cookies }).send()
  } catch (error) {
    return refused(serving, page, visit, { form: name, fields, error })
  }
}

/** Runs the form as a dry run and shows equivalent commands. Nothing is changed. */
async function tellCalls(
  serving: Serving,
  form: Form,
  visit: FormVisit,
  request: FastifyRequest,
): Promise<Send> {
  const dryRun = new DryRun()
  if (!form.does.some((it) => serving.inProcessApi.isPublished(it)))
    throw new Problem('precondition', 'the REST interface has no call for this')
  const ctx = asDryRun(visit.ctx)
  const going = (form.dryRun ?? form.handle)({
    ...visit,
    ...serving.inProcessApi.as(ctx, { does: form.does, dryRun }),
    ctx,
  })
  const isWhole = await going.then(
    () => true,
    (error) => {
      if (!dryRun.hasCalls) throw error
      // Effects on the browser alone come last.
      return error instanceof NotInDryRun
    },
  )
  if (!dryRun.hasCalls) throw new Problem('precondition', 'nothing would be changed')
  const { web, world } = serving.parts
  const commands = `${dryRun.curl(world.site.apiUrl)}\n${isWhole ? '' : '\n# what follows depends on the answer\n'}`
  if (request.headers[`x-${ACT}`] === undefined) return answerShown(serving, visit, web.curl(visit, commands))
  return (reply) => reply.headers(COMMANDS).send(commands)
}

const COMMANDS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** The same page with everything that was entered; if it cannot be shown either, only what was entered. */
async function refused(
  serving: Serving,
  page: Page,
  visit: PageVisit,
  { form, fields, error }: { form: string; fields: Fields; error: unknown },
): Promise<Send> {
  const { web } = serving.parts
  const problem = problemOf(error)
  if (problem === undefined) throw error
  if (problem.kind === 'unauthenticated')
    return answerShown(serving, visit, { ...web.problem(visit, problem, fields), status: 401 })
  const again = { ...visit, failed: { form, fields, problem } }
  const isForLater = problem.kind === 'too_many' || problem.kind === 'unavailable'
  const shown = await present(page, again).catch(() => web.problem(again, problem, fields))
  return answerShown(serving, again, { ...shown, status: isForLater ? STATUS[problem.kind] : 422 })
}

/** Whether the password was given recently, is given now, or must be requested. */
async function checkPassword(
  visit: PageVisit,
  fields: Fields,
): Promise<'was' | 'proven' | 'asked' | 'wrong'> {
  const { ctx, session, from } = visit
  if (ctx.actor === null || session === null) throw new Problem('unauthenticated', 'sign in first')
  if (session.elevatedUntil !== null && session.elevatedUntil > ctx.now()) return 'was'
  const password = fields.text(PASSWORD)
  if (password === '') return 'asked'
  const attempt = { name: ctx.actor.login, password, address: from.address, isSignedIn: true }
  const proven = await provePassword(ctx, attempt)
  return proven === undefined ? 'wrong' : 'proven'
}

/** The session continues under a new token, unless the form has just ended it. */
async function elevate({ ctx, session }: PageVisit): Promise<Cookie[]> {
  const token = session && (await elevateSession(ctx, session.id))
  return token === null || token === undefined ? [] : [{ name: 'session', value: token }]
}

async function answerShown(
  { parts: { web, world } }: Serving,
  visit: PageVisit,
  shown: Rendered,
  cookies: readonly Cookie[] = [],
): Promise<Send> {
  const document = await web.frame(visit, shown)
  return (reply) => {
    if (cookies.length > 0)
      reply.header(
        'set-cookie',
        cookies.map((it) => setCookie(world.site, it)),
      )
    return sendDocument(reply, document, shown)
  }
}
