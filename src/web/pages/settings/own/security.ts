/** Security of the account: second factor, passkeys, sessions. */
import { html, type Page, page } from '#platform/page'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'
import { identitiesBox, identityForms } from './identities.ts'
import { passkeyBox, passkeyForms } from './passkeys.ts'
import { sessionForms, sessionsBox } from './sessions.ts'
import { totpBox, totpForms } from './totp.ts'

const securityPage = page({
  path: '/user/settings/security',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, security, identities, sources] = await Promise.all([
      userScope.open(visit, 'security'),
      visit.ask('userGetSecurity', {}),
      visit.ask('userListIdentities', {}),
      visit.ask('sourceListEnabled', {}),
    ])
    return { frame, ...security, identities, sources }
  },
  show: ({ frame, sessions, hasTotp, codesLeft, passkeys, identities, sources }, visit) =>
    frame({
      title: words.security,
      body: html`<h1>${words.security}</h1>${totpBox(visit, hasTotp, codesLeft)}${passkeyBox(visit, passkeys)}${identitiesBox(visit, identities, sources)}${sessionsBox(visit, sessions)}`,
    }),
  forms: { ...sessionForms, ...totpForms, ...passkeyForms, ...identityForms },
})

export const securityPages: readonly Page[] = [securityPage]
