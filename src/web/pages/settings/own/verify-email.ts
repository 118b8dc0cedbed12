/** Confirms an additional email address by the link that was sent to it. */
import { html, type Page, page } from '#platform/page'
import { asSignedIn } from '#platform/rest'
import { links } from '../../../links.ts'
import { button, form, hidden } from '../../../parts/forms.ts'
import { ownWords as words } from '../../../words/own-settings.ts'

const verifyEmailPage = page({
  path: '/user/activate_email',
  requiresSignIn: true,
  load: async (visit) => {
    const code = visit.query.get('code') ?? ''
    const { login } = asSignedIn(visit)
    return { code, login, email: await visit.ask('userFindVerifying', { code }) }
  },
  show: ({ code, login, email }, visit) => ({
    title: words.verifyTitle,
    body: html`<div class="narrow"><h1>${words.verifyTitle}</h1>${
      email === null
        ? html`<p class="flash warn">${words.verifyGone}</p>`
        : html`<p>${words.verify(email, login)}</p>${form(visit, 'verify', html`${hidden('code', code)}${button(words.verifySubmit, { tone: 'primary' })}`)}`
    }</div>`,
  }),
  forms: {
    verify: {
      does: ['userVerifyEmail'],
      handle: async ({ ask, fields }) => {
        await ask('userVerifyEmail', {}, { code: fields.text('code') })
        return links.settingsOf('account')
      },
    },
  },
})

export const verifyEmailPages: readonly Page[] = [verifyEmailPage]
