/** Confirmation without a password, for dangerous forms: by a passkey, or by a new sign-in with a source. */
import type { PasskeyRequest } from '#domains/sign-in/sessions'
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { back, links, withQuery } from '../../links.ts'
import { button, form, formButton, hidden, refusal } from '../../parts/forms.ts'
import { passkeyPrompt } from '../../parts/sign-in/passkey.ts'
import { identityWords as words } from '../../words/auths.ts'
import { signInWords } from '../../words/sign-in.ts'

const confirmPage = page({
  path: links.confirmSignIn,
  requiresSignIn: true,
  load: async ({ ask, query }) => {
    const [identities, { passkeys }] = await Promise.all([
      ask('userListIdentities', {}),
      ask('userGetSecurity', {}),
    ])
    return { identities, hasPasskey: passkeys.length > 0, to: back(query.get('redirect_to'), links.home) }
  },
  show: ({ identities, hasPasskey, to }, visit) => {
    const sources = identities.filter(({ is_enabled }) => is_enabled)
    const isPossible = hasPasskey || sources.length > 0
    return shown(
      html`<p>${isPossible ? words.confirmHelp : words.confirmNone}</p>${refusal(visit, 'prove')}${hasPasskey && formButton(visit, 'ask', words.confirmByPasskey, { to }, { tone: 'primary' })}${sources.map(
        ({ source, kind }) =>
          html`<p><a class="button primary" rel="nofollow" href="${withQuery(links.signInBy({ name: source, kind }), { redirect_to: to })}">${words.confirmWith(source)}</a></p>`,
      )}`,
    )
  },
  forms: {
    ask: {
      does: ['signInRequestPasskey'],
      handle: async (visit) => {
        const request = await visit.ask('signInRequestPasskey', {}, { keeps: false })
        return prompt(visit, request, back(visit.fields.text('to'), links.home))
      },
    },
    prove: {
      does: ['userConfirmByPasskey'],
      handle: async ({ ask, fields, session, ctx }) => {
        asSignedIn({ ctx })
        const answer = { step: fields.text('step'), response: fields.text('response') }
        const token = await ask('userConfirmByPasskey', {}, { ...answer, session_id: session?.id ?? 0 })
        if (token === null) throw new Problem('invalid', signInWords.passkeyWrong)
        return { to: back(fields.text('to'), links.home), cookies: [{ name: 'session', value: token }] }
      },
    },
  },
})

function prompt(visit: PageVisit, { step, options }: PasskeyRequest, to: string): Rendered {
  const content = form(
    visit,
    'prove',
    html`${hidden('step', step)}${hidden('to', to)}${hidden('response', '')}${button(words.confirmByPasskey, { tone: 'primary' })}`,
  )
  return { ...shown(passkeyPrompt('get', options, content)), islands: ['passkey.ts'] }
}

function shown(content: Html): Rendered {
  return {
    title: words.confirmTitle,
    body: html`<div class="narrow"><h1>${words.confirmTitle}</h1>${content}</div>`,
  }
}

export const confirmPages: readonly Page[] = [confirmPage]
