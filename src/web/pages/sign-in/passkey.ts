/** Sign-in with a passkey, which identifies its user, so no name is requested. */
import type { PasskeyRequest } from '#domains/sign-in/sessions'
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, form, formButton, hidden, refusal } from '../../parts/forms.ts'
import { passkeyPrompt } from '../../parts/sign-in/passkey.ts'
import { signInWords as words } from '../../words/sign-in.ts'
import { goOn } from './begin.ts'

const passkeyPage = page({
  path: '/user/webauthn',
  load: async ({ query }) => ({ to: back(query.get('redirect_to'), links.home) }),
  show: ({ to }, visit) =>
    shown(
      visit,
      html`${refusal(visit, 'prove')}${formButton(visit, 'ask', words.passkeyGo, { to, keep: 'true' }, { tone: 'primary' })}`,
    ),
  forms: {
    ask: {
      does: ['signInRequestPasskey'],
      handle: async (visit) => {
        const { ask, fields } = visit
        const request = await ask('signInRequestPasskey', {}, { keeps: fields.flag('keep') })
        return prompt(visit, request, back(fields.text('to'), links.home))
      },
    },
    prove: {
      does: ['signInByPasskey'],
      handle: async ({ ask, fields, from }) => {
        const answer = { step: fields.text('step'), response: fields.text('response') }
        // With conditional mediation this is decided only when a passkey is chosen.
        const keeps = fields.text('keep') !== 'false'
        const entered = await ask('signInByPasskey', {}, { ...answer, keeps, from })
        if (entered === null) throw new Problem('invalid', words.passkeyWrong)
        return goOn(entered, back(fields.text('to'), links.home))
      },
    },
  },
})

function prompt(visit: PageVisit, { step, options }: PasskeyRequest, to: string): Rendered {
  const content = form(
    visit,
    'prove',
    html`${hidden('step', step)}${hidden('to', to)}${hidden('response', '')}${button(words.passkeyGo, { tone: 'primary' })}`,
  )
  return { ...shown(visit, passkeyPrompt('get', options, content)), islands: ['passkey.ts'] }
}

function shown(_visit: PageVisit, content: Html): Rendered {
  return {
    title: words.passkeyTitle,
    body: html`<div class="narrow"><h1>${words.passkeyTitle}</h1><p>${words.passkeyHelp}</p>${content}
<div class="ways"><p><a href="${links.signIn}">${words.passwordInstead}</a></p></div></div>`,
  }
}

export const passkeyPages: readonly Page[] = [passkeyPage]
