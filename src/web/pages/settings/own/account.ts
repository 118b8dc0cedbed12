/** Email addresses and password of the user. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { Email } from '../../../gen/contract.ts'
import { box, icon, pill } from '../../../parts/basics.ts'
import { button, field, form, formButton, written } from '../../../parts/forms.ts'
import { newPassword, passwordFields } from '../../../parts/sign-in/new-password.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'

const accountPage = page({
  path: '/user/settings/account',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, emails] = await Promise.all([
      userScope.open(visit, 'account'),
      visit.ask('userListEmails', {}),
    ])
    return { frame, emails }
  },
  show: ({ frame, emails }, visit) =>
    frame({
      title: words.account,
      body: html`<h1>${words.account}</h1>${visit.query.has('changed') && html`<p class="flash good" role="status">${words.passwordChanged}</p>`}${box(
        words.emails,
        html`<p class="box-text">${words.emailsHelp}</p><ul class="rows dense">${emails.map((it) => emailRow(visit, it))}</ul>${form(visit, 'add', html`${field({ name: 'email', label: words.addEmail, type: 'email', value: written(visit, 'add', 'email'), isRequired: true, autocomplete: 'email' })}${button(words.addEmail)}`, { class: 'row-form' })}`,
      )}${box(
        words.password,
        form(
          visit,
          'password',
          html`<p>${words.changePasswordHelp}</p>${passwordFields(visit, visit.ctx.actor?.login ?? '', false)}${button(words.changePassword, { tone: 'primary' })}`,
        ),
      )}`,
    }),
  forms: {
    add: {
      does: ['userAddEmail'],
      isDangerous: true,
      handle: async ({ ask, fields, path }) => {
        await ask('userAddEmail', {}, { emails: [fields.required('email').trim()] })
        return path
      },
    },
    remove: {
      does: ['userDeleteEmail'],
      handle: async ({ ask, fields, path }) => {
        await ask('userDeleteEmail', {}, { emails: [fields.required('email')] })
        return path
      },
    },
    password: {
      does: ['userChangePassword'],
      isDangerous: true,
      handle: async ({ ask, fields, session, path }) => {
        const password = newPassword(fields)
        await ask('userChangePassword', {}, { session_id: session?.id ?? 0, password })
        return `${path}?changed`
      },
    },
  },
})

function emailRow(visit: PageVisit, { email, primary, verified }: Email): Html {
  return html`<li class="row">${icon('mail')}<div class="grow">${email} ${primary && pill(words.primary, 'good')}${!verified && pill(words.unverified, 'warn')}</div>${!primary && formButton(visit, 'remove', words.remove, { email }, { tone: 'danger', label: `${words.remove}: ${email}` })}</li>`
}

export const accountPages: readonly Page[] = [accountPage]
