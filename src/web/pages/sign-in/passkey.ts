/** Signing in with a passkey: the device knows its owner, so that is all that is asked. */
import { type PasskeyRequest, provePasskey, requestSignIn } from '#domains/sessions'
import { type Html, html, type Page, type PageVisit, page, type Shown } from '#platform/page'
import { Problem } from '#platform/problem'
import { type RawRoute, rawRoute } from '#platform/rest'
import { back, links } from '../../links.ts'
import { button, form, formButton, hidden, refusal } from '../../parts/forms.ts'
import { passkeyPrompt } from '../../parts/sign-in/passkey.ts'
import { signInWords as words } from '../../words/en/sign-in.ts'
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
      does: ['web:sign-in'],
      handle: async (visit) => {
        const { ctx, fields } = visit
        const request = await requestSignIn(ctx, fields.flag('keep'))
        return prompt(visit, request, back(fields.text('to'), links.home))
      },
    },
    prove: {
      does: ['web:sign-in'],
      handle: async (visit) => {
        const { ctx, fields } = visit
        const answer = { step: fields.text('step'), response: fields.text('response') }
        const proven = await provePasskey(ctx, answer)
        if (proven === undefined) throw new Problem('invalid', words.passkeyWrong)
        return goOn(visit, {
          ...proven,
          factors: ['passkey'],
          // Where a browser offers it by itself, this is not decided before it was chosen.
          keeps: proven.keeps && fields.text('keep') !== 'false',
          to: back(fields.text('to'), links.home),
        })
      },
    },
  },
})

function prompt(visit: PageVisit, { step, options }: PasskeyRequest, to: string): Shown {
  const content = form(
    visit,
    'prove',
    html`${hidden('step', step)}${hidden('to', to)}${hidden('response', '')}${button(words.passkeyGo, { tone: 'primary' })}`,
  )
  return { ...shown(visit, passkeyPrompt('get', options, content)), islands: ['passkey.ts'] }
}

function shown(_visit: PageVisit, content: Html): Shown {
  return {
    title: words.passkeyTitle,
    body: html`<div class="narrow"><h1>${words.passkeyTitle}</h1><p>${words.passkeyHelp}</p>${content}
<div class="ways"><p><a href="${links.signIn}">${words.passwordInstead}</a></p></div></div>`,
  }
}

/** For browsers that offer passkeys where a name is asked for: what the device would have to sign. */
const offerRoute = rawRoute({
  method: 'POST',
  path: links.offerPasskey,
  operationId: 'webOfferPasskey',
  scopes: [],
  takesSession: 'only',
  open: () => null,
  handle: async ({ ctx }) => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(await requestSignIn(ctx, true)),
  }),
})

export const passkeyRoutes: readonly RawRoute[] = [offerRoute]
export const passkeyPages: readonly Page[] = [passkeyPage]
