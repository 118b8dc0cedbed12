/** Password reset. */
import { html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { button, field, form, hidden } from '../../parts/forms.ts'
import { newPassword, passwordFields } from '../../parts/sign-in/new-password.ts'
import { signInWords, signUpWords as words } from '../../words/sign-in.ts'

const forgotPage = page({
  path: '/user/forgot_password',
  load: ({ ask }) => ask('signInGetWays', {}),
  show: (view, visit) => ({
    title: words.forgotTitle,
    body: html`<div class="narrow"><h1>${words.forgotTitle}</h1>${
      view.isMailOn
        ? html`<p>${words.forgot}</p>${form(
            visit,
            'ask',
            html`${field({ name: 'user_name', label: signInWords.name, autocomplete: 'username', isRequired: true, isFocused: true })}${button(words.forgotSubmit, { tone: 'primary' })}`,
          )}`
        : html`<p class="flash warn">${words.noMail}</p>`
    }</div>`,
  }),
  forms: {
    ask: {
      does: ['recoveryAsk'],
      handle: async ({ ask, fields }) => {
        await ask('recoveryAsk', {}, { name: fields.required('user_name').trim().slice(0, 255) })
        return {
          title: words.forgotTitle,
          body: html`<div class="narrow"><h1>${words.forgotTitle}</h1><p class="flash good" role="status">${words.forgotSent}</p>
<p><a href="${links.signIn}">${signInWords.title}</a></p></div>`,
        }
      },
    },
  },
})

const recoverPage = page({
  path: '/user/recover_account',
  load: async ({ ask, query }) => {
    const code = query.get('code') ?? ''
    return { code, login: await ask('recoveryGet', { code }) }
  },
  show: ({ code, login }, visit) => ({
    title: words.recoverTitle,
    body: html`<div class="narrow"><h1>${words.recoverTitle}</h1>${
      login === null
        ? html`<p class="flash warn">${words.recoverGone}</p><p><a href="${links.forgotPassword}">${words.forgotTitle}</a></p>`
        : html`<p>${words.recover(login)}</p>${form(
            visit,
            'recover',
            html`${hidden('code', code)}
${passwordFields(visit, login)}
${button(words.recoverSubmit, { tone: 'primary' })}`,
          )}`
    }</div>`,
  }),
  forms: {
    recover: {
      does: ['recoverySetPassword'],
      handle: async ({ ask, fields }) => {
        await ask('recoverySetPassword', {}, { code: fields.text('code'), password: newPassword(fields) })
        return {
          title: words.recoverTitle,
          body: html`<div class="narrow"><h1>${words.recoverTitle}</h1><p class="flash good" role="status">${words.recovered}</p>
<p><a class="button primary" href="${links.signIn}">${signInWords.title}</a></p></div>`,
        }
      },
    },
  },
})

export const recoverPages: readonly Page[] = [forgotPage, recoverPage]
