/** Sessions of the user: list and revoke. */
import type { SessionRow } from '#domains/sign-in/sessions'
import { type Form, type Html, html, type PageVisit } from '#platform/page'
import { icon, pill, time } from '../../../parts/basics.ts'
import { formButton } from '../../../parts/forms.ts'
import { deviceOf } from '../../../parts/sign-in/device-name.ts'
import { signInWords as words } from '../../../words/sign-in.ts'

export function sessionsBox(visit: PageVisit, sessions: readonly SessionRow[]): Html {
  const one = ({
    id,
    agent,
    address,
    seen_at,
  }: SessionRow) => html`<li class="row">${icon('monitor')}<div class="grow">
<strong title="${agent}">${nameOf(agent)}</strong> ${id === visit.session?.id && pill(words.thisSession, 'good')}
<p class="row-facts"><span>${words.from} ${address}, ${words.seen} ${time(seen_at, visit.ctx.now())}</span></p></div>
${formButton(visit, 'end-session', words.end, { id }, { tone: 'danger', label: `${words.end}: ${nameOf(agent)}, ${address}` })}</li>`
  return html`<section class="box" id="sessions"><header class="box-head"><h2>${words.sessions}</h2>${
    sessions.length > 1 && formButton(visit, 'end-others', words.endOthers)
  }</header><p class="box-text">${words.sessionsHelp}</p><ul class="rows dense">${sessions.map(one)}</ul></section>`
}

/** The whole User-Agent if nothing in it is known. */
function nameOf(agent: string): string {
  const { browser, system } = deviceOf(agent)
  if (browser === undefined && system === undefined) return agent || words.unknownDevice
  return words.device(browser ?? words.unknownBrowser, system)
}

export const sessionForms = {
  'end-session': {
    does: ['userEndSession'],
    handle: async ({ ask, fields, path }) => {
      await ask('userEndSession', {}, { id: fields.number('id') ?? 0 })
      return path
    },
  },
  'end-others': {
    does: ['userEndOtherSessions'],
    handle: async ({ ask, session, path }) => {
      await ask('userEndOtherSessions', {}, { session_id: session?.id ?? 0 })
      return path
    },
  },
} as const satisfies Record<string, Form>
