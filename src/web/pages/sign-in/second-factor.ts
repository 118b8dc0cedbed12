/** Second step of signing in: a TOTP code or a recovery code. */
import { type FormVisit, html, type Page, page, type RedirectTo } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, field, form, formButton, hidden } from '../../parts/forms.ts'
import { signInWords as words } from '../../words/sign-in.ts'
import { goOn, stepToken } from './begin.ts'

const secondFactorPage = page({
  path: '/user/two_factor',
  load: async ({ query }) => ({ to: back(query.get('redirect_to'), links.home) }),
  show: ({ to }, visit) => ({
    title: words.factorTitle,
    body: html`<div class="narrow"><h1>${words.factorTitle}</h1>${form(
      visit,
      'code',
      html`${hidden('to', to)}${field({ name: 'passcode', label: words.code, autocomplete: 'one-time-code', isRequired: true, isFocused: visit.failed === null, maxLength: 40 })}
${button(words.factorSubmit, { tone: 'primary' })}`,
    )}<div class="ways">${formButton(visit, 'ask', words.passkey, { to, keep: 'true' }, { action: links.passkey })}
<p><a href="${links.signIn}">${words.title}</a></p></div></div>`,
  }),
  forms: { code: { does: ['signInByCode'], handle: signInByCode } },
})

async function signInByCode(visit: FormVisit): Promise<RedirectTo> {
  const { ask, fields, from } = visit
  const sent = { step: stepToken(visit), code: fields.text('passcode').trim(), from }
  const entered = await ask('signInByCode', {}, sent)
  if (entered.next === 'lost') throw new Problem('invalid', words.factorLost)
  if (entered.next === 'wrong') throw new Problem('invalid', words.wrong)
  return goOn(entered, back(fields.text('to'), links.home))
}

export const secondFactorPages: readonly Page[] = [secondFactorPage]
