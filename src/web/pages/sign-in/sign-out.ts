/** Sign-out, which is a form: another site could make a browser follow a link. */
import { html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { button, form } from '../../parts/forms.ts'
import { signInWords as words } from '../../words/sign-in.ts'

const signOutPage = page({
  path: '/user/logout',
  load: async () => ({}),
  show: (_view, visit) => ({
    title: words.signOutTitle,
    body: html`<div class="narrow"><h1>${words.signOutTitle}</h1><p>${words.signOut}</p>${form(
      visit,
      'sign-out',
      button(words.signOutTitle, { tone: 'primary' }),
    )}</div>`,
  }),
  forms: {
    'sign-out': {
      does: ['userEndSession'],
      handle: async ({ ask, session }) => {
        if (session !== null) await ask('userEndSession', {}, { id: session.id })
        return { to: links.home, cookies: [{ name: 'session', value: '' }] }
      },
    },
  },
})

export const signOutPages: readonly Page[] = [signOutPage]
