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
  type Rendered,
} from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links, withQuery } from '../../links.ts'
import { area, button, check, field, form, formButton, hidden, written } from '../../parts/forms.ts'
import { passkeyOffer } from '../../parts/sign-in/passkey.ts'
import { signInWords as words } from '../../words/sign-in.ts'
import { goOn } from './begin.ts'

const signInPage = page({
  path: '/user/login',
  load: async ({ ask, ctx, query }) => {
    const to = back(query.get('redirect_to'), links.home)
    if (ctx.actor !== null) throw new Redirect(to)
    const [{ mayRegister }, sources] = await Promise.all([
      ask('signInGetWays', {}),
      ask('sourceListEnabled', {}),
    ])
    return { to, mayRegister, sources }
  },
  show: ({ to, mayRegister, sources }, visit) => ({
    title: words.title,
    islands: ['passkey.ts'],
    body: html`<div class="narrow"><h1>${words.title}</h1>${form(
      visit,
      'sign-in',
      html`${hidden('to', to)}
${field({ name: 'user_name', label: words.name, value: written(visit, 'sign-in', 'user_name'), autocomplete: 'username webauthn', isRequired: true, isFocused: visit.failed === null })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', isRequired: true })}
${check({ name: 'keep', label: words.keep, isChecked: true })}${button(words.submit, { tone: 'primary' })}`,
    )}<div class="ways">${sources.map((it) => html`<p><a class="button" rel="nofollow" href="${withQuery(links.signInBy(it), { redirect_to: to })}">${words.signInBy(it.name)}</a></p>`)}${formButton(visit, 'ask', words.passkey, { to, keep: 'true' }, { action: links.passkey })}
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

async function signInByPassword({ ask, fields, from }: FormVisit): Promise<RedirectTo | Rendered> {
  const attempt = { name: fields.text('user_name').trim(), password: fields.text('password') }
  const entered = await ask('signInByPassword', {}, { ...attempt, keeps: fields.flag('keep'), from })
  if (entered === null) throw new Problem('invalid', words.wrong)
  if (entered.next === 'suspended') return suspended(entered)
  return goOn(entered, back(fields.text('to'), links.home))
}

function suspended({
  reason,
  mayAppeal,
}: {
  readonly reason: string
  readonly mayAppeal: boolean
}): Rendered {
  return {
    title: words.suspendedTitle,
    body: html`<div class="narrow"><h1>${words.suspendedTitle}</h1><p>${words.suspended}</p><blockquote>${reason}</blockquote>
<p>${mayAppeal ? html`<a href="${links.appeal}">${words.appealLink}</a>` : words.appealUsed}</p></div>`,
  }
}

const appealPage = page({
  path: '/user/appeal',
  load: async () => ({}),
  show: (_, visit) => ({
    title: words.appealTitle,
    body: html`<div class="narrow"><h1>${words.appealTitle}</h1><p>${words.appealHelp}</p>${form(
      visit,
      'appeal',
      html`${field({ name: 'user_name', label: words.name, value: written(visit, 'appeal', 'user_name'), autocomplete: 'username', isRequired: true })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', isRequired: true })}
${area({ name: 'text', label: words.appeal, value: written(visit, 'appeal', 'text'), maxLength: 5_000, isRequired: true })}${button(words.appealSubmit, { tone: 'primary' })}`,
    )}</div>`,
  }),
  forms: { appeal: { does: ['signInAppeal'], handle: sendAppeal } },
})

async function sendAppeal({ ask, fields, from }: FormVisit): Promise<Rendered> {
  const attempt = { name: fields.text('user_name').trim(), password: fields.text('password') }
  const sent = await ask('signInAppeal', {}, { ...attempt, text: fields.required('text'), from })
  if (sent === null) throw new Problem('invalid', words.wrong)
  return {
    title: words.appealTitle,
    body: html`<div class="narrow"><h1>${words.appealTitle}</h1><p class="flash good" role="status">${words.appealSent}</p></div>`,
  }
}

export const passwordPages: readonly Page[] = [signInPage, appealPage]
