/** SCIM tokens on the page of an authentication source. */
import { type FormVisit, type Html, html, type PageVisit, type ResponseOf } from '#platform/page'
import { box, empty, icon, time } from '../../parts/basics.ts'
import { button, field, form, formButton, written } from '../../parts/forms.ts'
import { shownOnce } from '../../parts/settings.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { authWords as words } from '../../words/auths.ts'

type ScimToken = ResponseOf<'adminListScimTokens'>[number]

export function scimSection(visit: PageVisit, tokens: readonly ScimToken[]): Html {
  const address = `${visit.ctx.site.url}/scim/v2`
  return box(
    words.scim,
    html`<p class="box-text">${words.scimHelp} <code>${address}</code></p>${tokens.length === 0 ? empty(words.noScimTokens) : html`<ul class="rows">${tokens.map((it) => tokenRow(visit, it))}</ul>`}${form(
      visit,
      'scim-token',
      html`${field({ name: 'scim_name', label: words.scimName, value: written(visit, 'scim-token', 'scim_name'), isRequired: true, autocomplete: 'off' })}${button(words.scimCreate)}`,
    )}`,
  )
}

function tokenRow(visit: PageVisit, token: ScimToken): Html {
  const { id, name, token_last_eight, last_used_at, last_used_from } = token
  return html`<li class="row">${icon('key')}<div class="grow"><strong>${name}</strong> <code>…${token_last_eight}</code><p class="row-facts"><span>${last_used_at === null ? words.scimNever : html`${words.scimUsed} ${time(last_used_at, visit.ctx.now())} ${last_used_from}`}</span></p></div>${formButton(visit, 'drop-scim-token', words.scimRevoke, { token: id }, { tone: 'danger', label: `${words.scimRevoke}: ${name}` })}</li>`
}

type Visit = FormVisit<{ readonly id: string }>

export const scimForms = {
  'scim-token': {
    does: ['adminCreateScimToken'] as const,
    isDangerous: true,
    handle: async (visit: Visit) => {
      const name = visit.fields.required('scim_name').trim()
      const { token = '' } = await visit.ask('adminCreateScimToken', idOf(visit), { name })
      const frame = await adminScope.open(visit, 'auths')
      return frame({ title: words.scimTitle, body: shownOnce(words.scimTitle, token, visit.path) })
    },
  },
  'drop-scim-token': {
    does: ['adminDeleteScimToken'] as const,
    isDangerous: true,
    handle: async (visit: Visit) => {
      await visit.ask('adminDeleteScimToken', { ...idOf(visit), token: visit.fields.number('token') ?? 0 })
      return visit.path
    },
  },
}

function idOf({ params }: Visit): { id: number } {
  return { id: Number(params.id) }
}
