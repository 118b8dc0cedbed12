/** Forced change of a password that was set by an administrator. */
import { type FormVisit, html, type Page, page, type RedirectTo } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, form, hidden } from '../../parts/forms.ts'
import { newPassword, passwordFields } from '../../parts/sign-in/new-password.ts'
import { signInWords as words } from '../../words/sign-in.ts'
import { goOn, stepToken } from './begin.ts'

const changePasswordPage = page({
  path: '/user/settings/change_password',
  load: async ({ query }) => ({ to: back(query.get('redirect_to'), links.home) }),
  show: ({ to }, visit) => ({
    title: words.changeTitle,
    body: html`<div class="narrow"><h1>${words.changeTitle}</h1><p>${words.change}</p>${form(
      visit,
      'change',
      html`${hidden('to', to)}
${passwordFields(visit, '')}
${button(words.changeSubmit, { tone: 'primary' })}`,
    )}</div>`,
  }),
  forms: { change: { does: ['signInByNewPassword'], handle: change } },
})

async function change(visit: FormVisit): Promise<RedirectTo> {
  const { ask, fields, from } = visit
  const sent = { step: stepToken(visit), password: newPassword(fields), from }
  const entered = await ask('signInByNewPassword', {}, sent)
  if (entered.next === 'lost' || entered.next === 'wrong') throw new Problem('invalid', words.factorLost)
  return goOn(entered, back(fields.text('to'), links.home))
}

export const changePasswordPages: readonly Page[] = [changePasswordPage]
