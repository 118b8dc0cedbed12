/** Passkeys of the user: add, name, remove. */
import type { PasskeyRow } from '#domains/sign-in/sessions'
import { type Form, type Html, html, type PageVisit } from '#platform/page'
import { box, empty, icon, time } from '../../../parts/basics.ts'
import { button, field, form, formButton, hidden } from '../../../parts/forms.ts'
import { passkeyPrompt } from '../../../parts/sign-in/passkey.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'

export function passkeyBox(visit: PageVisit, passkeys: readonly PasskeyRow[]): Html {
  const now = visit.ctx.now()
  const one = ({ id, name, created_at, last_used_at }: PasskeyRow) =>
    html`<li class="row">${icon('key')}<div class="grow"><strong>${name}</strong><p class="row-facts"><span>${words.made} ${time(created_at, now)}</span><span>${last_used_at === null ? words.never : html`${words.used} ${time(last_used_at, now)}`}</span></p></div>${formButton(visit, 'passkey-drop', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
  return box(
    words.passkeys,
    html`<p class="box-text">${words.passkeysHelp}</p>${passkeys.length === 0 ? empty(words.noPasskeys) : html`<ul class="rows dense">${passkeys.map(one)}</ul>`}${form(
      visit,
      'passkey-begin',
      html`${field({ name: 'name', label: words.passkeyName, isRequired: true, maxLength: 100, autocomplete: 'off' })}${button(words.passkeyAdd)}`,
      { class: 'row-form' },
    )}`,
  )
}

export const passkeyForms = {
  'passkey-begin': {
    does: ['userRequestPasskey'],
    isDangerous: true,
    handle: async (visit) => {
      const [frame, { step, options }] = await Promise.all([
        userScope.open(visit, 'security'),
        visit.ask('userRequestPasskey', {}),
      ])
      const name = visit.fields.text('name')
      const content = form(
        visit,
        'passkey-add',
        html`${hidden('step', step)}${hidden('name', name)}${hidden('response', '')}${button(words.passkeyMake, { tone: 'primary' })}`,
      )
      return frame({
        title: words.passkeyAdd,
        islands: ['passkey.ts'],
        body: html`<h1>${words.passkeyAdd}</h1><p>${words.passkeyMakeHelp}</p>${passkeyPrompt('create', options, content)}`,
      })
    },
  },
  'passkey-add': {
    does: ['userAddPasskey'],
    isDangerous: true,
    handle: async ({ ask, fields, path }) => {
      const answer = { step: fields.text('step'), response: fields.text('response') }
      await ask('userAddPasskey', {}, { ...answer, name: fields.text('name') })
      return path
    },
  },
  'passkey-drop': {
    does: ['userDropPasskey'],
    isDangerous: true,
    handle: async ({ ask, fields, session, path }) => {
      await ask('userDropPasskey', {}, { id: fields.number('id') ?? 0, session_id: session?.id ?? 0 })
      return path
    },
  },
} as const satisfies Record<string, Form>
