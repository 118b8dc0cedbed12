/** Identities of other providers that sign in to the account. */
import { type FormVisit, type Html, html, type PageVisit, type ResponseOf } from '#platform/page'
import { links, withQuery } from '../../../links.ts'
import { box, empty, time } from '../../../parts/basics.ts'
import { formButton } from '../../../parts/forms.ts'
import { identityWords as words } from '../../../words/auths.ts'

export function identitiesBox(
  visit: PageVisit,
  identities: ResponseOf<'userListIdentities'>,
  sources: ResponseOf<'sourceListEnabled'>,
): Html | false {
  if (identities.length === 0 && sources.length === 0) return false
  const rows = identities.map(
    ({ id, source, login, last_used_at }) =>
      html`<li class="row"><div class="grow"><span class="title">${source}</span><p class="row-facts"><span>${login}</span><span>${words.lastUsed} ${time(last_used_at, visit.ctx.now())}</span></p></div>${formButton(visit, 'unlink', words.unlink, { id }, { label: `${words.unlink}: ${source}` })}</li>`,
  )
  const linked = new Set(identities.map(({ source }) => source))
  const more = sources
    .filter(({ name }) => !linked.has(name))
    .map(
      (it) =>
        html`<a class="button" rel="nofollow" href="${withQuery(links.signInBy(it), { redirect_to: links.security })}">${words.add(it.name)}</a>`,
    )
  return box(
    words.linked,
    html`<p class="box-text">${words.linkedHelp}</p>${rows.length === 0 ? empty(words.none) : html`<ul class="rows dense">${rows}</ul>`}${more.length > 0 && html`<p class="actions box-text">${more}</p>`}`,
  )
}

export const identityForms = {
  unlink: {
    does: ['userUnlinkIdentity'],
    isDangerous: true,
    handle: async ({ ask, fields, path }: FormVisit) => {
      await ask('userUnlinkIdentity', {}, { id: fields.number('id') ?? 0 })
      return path
    },
  },
} as const
