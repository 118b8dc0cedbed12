/** Security of the account: second factor, passkeys, sessions. */
import { html, type Page, page } from '#platform/page'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'
import { passkeyBox, passkeyForms } from './passkeys.ts'
import { sessionForms, sessionsBox } from './sessions.ts'
import { totpBox, totpForms } from './totp.ts'

const securityPage = page({
  path: '/user/settings/security',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, security] = await Promise.all([
      userScope.open(visit, 'security'),
      visit.ask('userGetSecurity', {}),
    ])
    return { frame, ...security }
  },
  show: ({ frame, sessions, hasTotp, codesLeft, passkeys }, visit) =>
    frame({
      title: words.security,
      body: html`<h2>${words.security}</h2>${totpBox(visit, hasTotp, codesLeft)}${passkeyBox(visit, passkeys)}${sessionsBox(visit, sessions)}`,
    }),
  forms: { ...sessionForms, ...totpForms, ...passkeyForms },
})

export const securityPages: readonly Page[] = [securityPage]
