/** A new password for whoever forgot theirs. */
import { isMailOn } from '#domains/mail'
import { askToRecover, findRecovering, recover } from '#domains/sessions'
import { html, type Page, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { links } from '../../links.ts'
import { button, field, form, hidden } from '../../parts/forms.ts'
import { newPassword, passwordFields } from '../../parts/sign-in/new-password.ts'
import { signInWords, signUpWords as words } from '../../words/en/sign-in.ts'

const forgotPage = page({
  path: '/user/forgot_password',
  load: async ({ ctx }) => ({ isMailOn: isMailOn(ctx.config) }),
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
      does: ['web:recover'],
      handle: async ({ ctx, fields }) => {
        await askToRecover(ctx, fields.required('user_name').trim().slice(0, 255))
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
  load: async ({ ctx, query }) => {
    const code = query.get('code') ?? ''
    return { code, account: await findRecovering(ctx, code) }
  },
  show: ({ code, account }, visit) => ({
    title: words.recoverTitle,
    body: html`<div class="narrow"><h1>${words.recoverTitle}</h1>${
      account === undefined
        ? html`<p class="flash warn">${words.recoverGone}</p><p><a href="${links.forgotPassword}">${words.forgotTitle}</a></p>`
        : html`<p>${words.recover(account.login)}</p>${form(
            visit,
            'recover',
            html`${hidden('code', code)}
${passwordFields(account.login, visit.failed === null)}
${button(words.recoverSubmit, { tone: 'primary' })}`,
          )}`
    }</div>`,
  }),
  forms: {
    recover: {
      does: ['web:recover'],
      handle: async ({ ctx, fields }) => {
        const code = fields.text('code')
        if ((await findRecovering(ctx, code)) === undefined) throw invalid(words.recoverGone)
        await recover(ctx, code, newPassword(fields))
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
