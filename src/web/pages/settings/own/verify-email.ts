/** Confirms a further e-mail address, by the link that was sent to it. */
import { findVerifying, verifyEmail } from '#domains/sessions'
import { html, type Page, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { links } from '../../../links.ts'
import { button, form, hidden } from '../../../parts/forms.ts'
import { ownWords as words } from '../../../words/en/own-settings.ts'

const verifyEmailPage = page({
  path: '/user/activate_email',
  isOfSomebody: true,
  load: async (visit) => {
    const code = visit.query.get('code') ?? ''
    const owner = asSignedIn(visit)
    return { code, login: owner.login, email: await findVerifying(visit.ctx, owner, code) }
  },
  show: ({ code, login, email }, visit) => ({
    title: words.verifyTitle,
    body: html`<div class="narrow"><h1>${words.verifyTitle}</h1>${
      email === undefined
        ? html`<p class="flash warn">${words.verifyGone}</p>`
        : html`<p>${words.verify(email, login)}</p>${form(visit, 'verify', html`${hidden('code', code)}${button(words.verifySubmit, { tone: 'primary' })}`)}`
    }</div>`,
  }),
  forms: {
    verify: {
      does: ['web:verify-email'],
      handle: async (visit) => {
        const code = visit.fields.text('code')
        const owner = asSignedIn(visit)
        if ((await findVerifying(visit.ctx, owner, code)) === undefined) throw invalid(words.verifyGone)
        await verifyEmail(visit.ctx, owner, code)
        return links.settingsOf('account')
      },
    },
  },
})

export const verifyEmailPages: readonly Page[] = [verifyEmailPage]
