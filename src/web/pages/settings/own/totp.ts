/** TOTP as second factor: set up, confirm, disable; and recovery codes. */
import { type Form, type FormVisit, type Html, html, type PageVisit, type Rendered } from '#platform/page'
import { box, pill } from '../../../parts/basics.ts'
import { button, field, form, formButton, hidden } from '../../../parts/forms.ts'
import { qrCode } from '../../../parts/sign-in/qr.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'
import { settingsWords } from '../../../words/settings.ts'

export function totpBox(visit: PageVisit, isOn: boolean, codesLeft: number): Html {
  const title = html`${words.totp} ${pill(isOn ? words.on : words.off, isOn ? 'good' : 'plain')}`
  if (!isOn)
    return box(
      title,
      html`<p class="box-text">${words.totpOff}</p><div class="box-text">${formButton(visit, 'totp-begin', words.totpEnroll, {}, { tone: 'primary' })}</div>`,
    )
  return box(
    title,
    html`<p class="box-text">${words.totpOn}</p><div class="box-text"><strong>${words.codes}</strong>: ${words.codesLeft(codesLeft)} ${words.codesHelp}</div>
<div class="actions box-text">${formButton(visit, 'codes', words.codesNew)}${formButton(visit, 'totp-drop', words.totpDrop, {}, { tone: 'danger' })}</div>`,
  )
}

export const totpForms = {
  'totp-begin': {
    does: ['userPrepareTotp'],
    isDangerous: true,
    handle: async (visit) => enrolling(visit, await visit.ask('userPrepareTotp', {}), false),
  },
  'totp-confirm': {
    does: ['userConfirmTotp'],
    isDangerous: true,
    handle: async (visit) => {
      const { ask, fields, session } = visit
      const sent = { sealed: fields.text('sealed'), passcode: fields.text('passcode').trim() }
      const { prepared, codes } = await ask('userConfirmTotp', {}, { ...sent, session_id: session?.id ?? 0 })
      return codes === null ? enrolling(visit, prepared, true) : codesShown(visit, codes)
    },
  },
  'totp-drop': {
    does: ['userDropTotp'],
    isDangerous: true,
    handle: async ({ ask, session, path }) => {
      await ask('userDropTotp', {}, { session_id: session?.id ?? 0 })
      return path
    },
  },
  codes: {
    does: ['userMakeRecoveryCodes'],
    isDangerous: true,
    handle: async (visit) => codesShown(visit, await visit.ask('userMakeRecoveryCodes', {})),
  },
} as const satisfies Record<string, Form>

async function enrolling(
  visit: FormVisit,
  { secret, uri, sealed }: { secret: string; uri: string; sealed: string },
  isWrong: boolean,
): Promise<Rendered> {
  const frame = await userScope.open(visit, 'security')
  return {
    ...frame({
      title: words.totp,
      body: html`<h1>${words.totp}</h1><p>${words.totpScan}</p>${isWrong && html`<p class="flash bad" role="alert">${words.totpWrong}</p>`}
<div class="qr">${qrCode(uri, words.qr)}</div><p>${words.totpSecret}: <code class="secret">${secret}</code></p>${form(
        visit,
        'totp-confirm',
        html`${hidden('sealed', sealed)}${field({ name: 'passcode', label: words.totpCode, autocomplete: 'one-time-code', isRequired: true, isFocused: true, maxLength: 6, pattern: '\\d{6}' })}${button(words.totpConfirm, { tone: 'primary' })}`,
      )}`,
    }),
    ...(isWrong && { status: 422 }),
  }
}

async function codesShown(visit: FormVisit, codes: readonly string[]): Promise<Rendered> {
  const frame = await userScope.open(visit, 'security')
  const text = codes.join('\n')
  return frame({
    title: words.codes,
    body: html`<h1>${words.codes}</h1><p class="flash good" role="status">${words.codesShown}</p><pre class="secret">${text}</pre><p>${words.codesHelp}</p>
<p class="actions"><button type="button" class="button" data-copy="${text}">${settingsWords.copy}</button><a class="button primary" href="${visit.path}">${settingsWords.goOn}</a></p>`,
  })
}
