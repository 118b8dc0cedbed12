/** Security of one's own account: second factor, passkeys, sessions. */
import { countRecoveryCodes, listPasskeys } from '#domains/sessions'
import { findTotp } from '#domains/users'
import { html, type Page, page } from '#platform/page'
import { asSignedIn } from '#platform/rest'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/en/own-settings.ts'
import { passkeyBox, passkeyForms } from './passkeys.ts'
import { loadSessions, sessionForms, sessionsBox } from './sessions.ts'
import { totpBox, totpForms } from './totp.ts'

const securityPage = page({
  path: '/user/settings/security',
  isOfSomebody: true,
  load: async (visit) => {
    const { db } = visit.ctx
    const { id } = asSignedIn(visit)
    const [frame, sessions, totp, codesLeft, passkeys] = await Promise.all([
      userScope.open(visit, 'security'),
      loadSessions(visit),
      findTotp(db, id),
      countRecoveryCodes(db, id),
      listPasskeys(db, id),
    ])
    return { frame, sessions, hasTotp: totp !== undefined, codesLeft, passkeys }
  },
  show: ({ frame, sessions, hasTotp, codesLeft, passkeys }, visit) =>
    frame({
      title: words.security,
      body: html`<h2>${words.security}</h2>${totpBox(visit, hasTotp, codesLeft)}${passkeyBox(visit, passkeys)}${sessionsBox(visit, sessions)}`,
    }),
  forms: { ...sessionForms, ...totpForms, ...passkeyForms },
})

export const securityPages: readonly Page[] = [securityPage]
