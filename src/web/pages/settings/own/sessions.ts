/** Sessions of somebody: seen, and ended. */
import { endSession, endSessions, listSessions, type SessionRow } from '#domains/sessions'
import { type Form, type Html, html, type PageVisit } from '#platform/page'
import { Problem } from '#platform/problem'
import { icon, pill, time } from '../../../parts/basics.ts'
import { formButton } from '../../../parts/forms.ts'
import { signInWords as words } from '../../../words/en/sign-in.ts'

export function loadSessions({ ctx }: PageVisit): Promise<SessionRow[]> {
  if (ctx.actor === null) throw new Problem('unauthenticated', 'sign in first')
  return listSessions(ctx.db, ctx.actor.id, ctx.now())
}

export function sessionsBox(visit: PageVisit, sessions: readonly SessionRow[]): Html {
  const one = ({
    id,
    agent,
    address,
    seen_at,
  }: SessionRow) => html`<li class="row">${icon('monitor')}<div class="grow">
<strong>${agent || '–'}</strong> ${id === visit.session?.id && pill(words.thisSession, 'good')}<br>
<span class="quiet-text">${words.from} ${address}, ${words.seen} ${time(seen_at, visit.ctx.now())}</span></div>
${formButton(visit, 'end-session', words.end, { id }, { tone: 'danger', label: `${words.end}: ${agent}` })}</li>`
  return html`<section class="box" id="sessions"><header class="box-head"><h2>${words.sessions}</h2>${
    sessions.length > 1 && formButton(visit, 'end-others', words.endOthers)
  }</header><p class="box-text">${words.sessionsHelp}</p><ul class="rows">${sessions.map(one)}</ul></section>`
}

export const sessionForms = {
  'end-session': {
    does: ['web:sessions'],
    handle: async ({ ctx, fields, path }) => {
      if (ctx.actor === null) throw new Problem('unauthenticated', 'sign in first')
      await endSession(ctx, ctx.actor.id, fields.number('id') ?? 0)
      return path
    },
  },
  'end-others': {
    does: ['web:sessions'],
    handle: async ({ ctx, session, path }) => {
      if (ctx.actor === null) throw new Problem('unauthenticated', 'sign in first')
      await endSessions(ctx, ctx.actor.id, session?.id ?? null)
      return path
    },
  },
} as const satisfies Record<string, Form>
