/** Sign-in with name and password. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  Redirect,
  type RedirectTo,
} from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, check, field, form, formButton, hidden, written } from '../../parts/forms.ts'
import { passkeyOffer } from '../../parts/sign-in/passkey.ts'
import { signInWords as words } from '../../words/en/sign-in.ts'
import { goOn } from './begin.ts'

const signInPage = page({
  path: '/user/login',
  load: async ({ ask, ctx, query }) => {
    const to = back(query.get('redirect_to'), links.home)
    if (ctx.actor !== null) throw new Redirect(to)
    const { mayRegister } = await ask('signInGetWays', {})
    return { to, mayRegister }
  },
  show: ({ to, mayRegister }, visit) => ({
    title: words.title,
    islands: ['passkey.ts'],
    body: html`<div class="narrow"><h1>${words.title}</h1>${form(
      visit,
      'sign-in',
      html`${hidden('to', to)}
${field({ name: 'user_name', label: words.name, value: written(visit, 'sign-in', 'user_name'), autocomplete: 'username webauthn', isRequired: true, isFocused: visit.failed === null })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', isRequired: true })}
${check({ name: 'keep', label: words.keep, isChecked: true })}${button(words.submit, { tone: 'primary' })}`,
    )}<div class="ways">${formButton(visit, 'ask', words.passkey, { to, keep: 'true' }, { action: links.passkey })}
<p><a href="${links.forgotPassword}">${words.forgot}</a></p>${
      mayRegister && html`<p><a href="${links.signUp}">${words.register}</a></p>`
    }</div>${offer(visit, to)}</div>`,
  }),
  forms: { 'sign-in': { does: ['signInByPassword'], handle: signInByPassword } },
})

function offer(visit: PageVisit, to: string): Html {
  const answer = html`${hidden('step', '')}${hidden('response', '')}${hidden('keep', '')}${hidden('to', to)}`
  return passkeyOffer(links.offerPasskey, form(visit, 'prove', answer, { action: links.passkey }))
}

async function signInByPassword({ ask, fields, from }: FormVisit): Promise<RedirectTo> {
  const attempt = { name: fields.text('user_name').trim(), password: fields.text('password') }
  const entered = await ask('signInByPassword', {}, { ...attempt, keeps: fields.flag('keep'), from })
  if (entered === null) throw new Problem('invalid', words.wrong)
  return goOn(entered, back(fields.text('to'), links.home))
}

export const passwordPages: readonly Page[] = [signInPage]
