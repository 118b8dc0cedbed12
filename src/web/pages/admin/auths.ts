/** Authentication sources, for administrators: list, add, edit, delete. */
import { type Html, html, type Page, type PageVisit, page, type ResponseOf } from '#platform/page'
import { invalid } from '#platform/problem'
import { links, withQuery } from '../../links.ts'
import { empty, pill } from '../../parts/basics.ts'
import { area, button, form, written } from '../../parts/forms.ts'
import { chosen } from '../../parts/search-bar.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { authWords as words } from '../../words/auths.ts'
import { type Source, sentSource, sourceFields, TYPES } from './auth-fields.ts'
import { scimForms, scimSection } from './auth-scim.ts'

/** Sources are fewer. */
const LIMIT = 50

const authsPage = page({
  path: '/-/admin/auths',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'auths')
    const { items } = await visit.list('adminListAuthenticationSources', { limit: LIMIT })
    return { frame, items }
  },
  show: ({ frame, items }) =>
    frame({
      title: words.title,
      body: html`<div class="pane-head"><h1>${words.title}</h1><div class="actions">${TYPES.map((it) => html`<a class="button" href="${withQuery(links.adminOf('auths', 'new'), { type: it })}">${words.addOf[it]}</a>`)}</div></div><p>${words.help}</p>${
        items.length === 0
          ? empty(words.none)
          : html`<div class="box"><ul class="rows dense">${items.map(sourceRow)}</ul></div>`
      }`,
    }),
})

function sourceRow({ id, name, type, is_enabled, is_only_way, halted_check }: Source): Html {
  return html`<li class="row"><div class="grow"><a class="title" href="${links.adminOf('auths', String(id))}">${name}</a><p class="row-facts"><span>${words.types[type]}</span></p></div>${halted_check !== undefined && pill(words.isHalted, 'warn')}${is_only_way && pill(words.isOnlyWay, 'done')}${!is_enabled && pill(words.isDisabled, 'warn')}</li>`
}

const newAuthPage = page({
  path: '/-/admin/auths/new',
  requiresSignIn: true,
  load: async (visit) => ({ frame: await adminScope.open(visit, 'auths') }),
  show: ({ frame }, visit) => {
    const type = chosen(visit.query, 'type', words.types, 'oidc')
    return frame({
      title: words.addOf[type],
      body: html`<h1>${words.addOf[type]}</h1>${form(visit, 'create', sourceFields(visit, 'create', type, undefined))}`,
    })
  },
  forms: {
    create: {
      does: ['adminCreateAuthenticationSource'],
      isDangerous: true,
      handle: async ({ ask, fields }) => {
        const { id } = await ask('adminCreateAuthenticationSource', {}, sentSource(fields))
        return links.adminOf('auths', String(id))
      },
    },
  },
})

const authPage = page({
  path: '/-/admin/auths/:id',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'auths')
    const [source, { mappings }, tokens] = await Promise.all([
      visit.ask('adminGetAuthenticationSource', visit.params),
      visit.ask('adminListAuthenticationSourceMappings', visit.params),
      visit.ask('adminListScimTokens', visit.params),
    ])
    return { frame, source, mappings, tokens }
  },
  show: ({ frame, source, mappings, tokens }, visit) =>
    frame({
      title: source.name,
      body: html`<h1>${source.name}</h1>${haltedBox(visit, source)}${addressesOf(source)}${form(visit, 'edit', sourceFields(visit, 'edit', source.type, source))}${mappingForm(visit, mappings)}${scimSection(visit, tokens)}
<hr><section class="box danger" aria-labelledby="danger"><header class="box-head"><h2 id="danger">${words.danger}</h2></header><ul class="rows"><li class="row top"><div class="grow"><p class="row-text">${words.deleteHelp}</p>${form(visit, 'delete', button(words.delete, { tone: 'danger' }))}</div></li></ul></section>`,
    }),
  forms: {
    edit: {
      does: ['adminEditAuthenticationSource'],
      isDangerous: true,
      handle: async ({ ask, params, fields, path }) => {
        await ask('adminEditAuthenticationSource', params, sentSource(fields))
        return path
      },
    },
    confirm: {
      does: ['adminConfirmAuthenticationSourceCheck'],
      isDangerous: true,
      handle: async ({ ask, params, path }) => {
        await ask('adminConfirmAuthenticationSourceCheck', params)
        return path
      },
    },
    map: {
      does: ['adminReplaceAuthenticationSourceMappings'],
      isDangerous: true,
      handle: async ({ ask, params, fields, path }) => {
        const mappings = fields
          .text('mappings')
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(mappingOf)
        await ask('adminReplaceAuthenticationSourceMappings', params, { mappings })
        return path
      },
    },
    ...scimForms,
    delete: {
      does: ['adminDeleteAuthenticationSource'],
      isDangerous: true,
      handle: async ({ ask, params }) => {
        await ask('adminDeleteAuthenticationSource', params)
        return links.adminOf('auths')
      },
    },
  },
})

function haltedBox(visit: PageVisit, { halted_check: halted }: Source): Html | false {
  if (halted === undefined) return false
  return html`<div class="flash bad" role="alert"><p>${words.halted(halted.missing, halted.people)}</p><p>${words.haltedHelp}</p>${form(visit, 'confirm', button(words.confirmCheck(halted.missing), { tone: 'danger' }))}</div>`
}

/** What an administrator registers at the provider. */
function addressesOf({ type, callback_url, metadata_url }: Source): Html {
  return html`${callback_url !== undefined && html`<p>${type === 'saml' ? words.consumer : words.callback}: <code>${callback_url}</code></p>`}${metadata_url !== undefined && html`<p>${words.metadata}: <a href="${metadata_url}"><code>${metadata_url}</code></a></p>`}`
}

type Mapping = ResponseOf<'adminListAuthenticationSourceMappings'>['mappings'][number]

function mappingForm(visit: PageVisit, mappings: readonly Mapping[]): Html {
  const lines = mappings.map(
    ({ group, admin, organization, team }) => `${group} = ${admin ? ADMIN : `${organization}/${team}`}`,
  )
  return html`<h2>${words.mappings}</h2>${form(visit, 'map', html`${area({ name: 'mappings', label: words.mappingsLabel, help: words.mappingsHelp, value: written(visit, 'map', 'mappings', lines.join('\n')), isCode: true })}${button(words.save)}`)}`
}

const ADMIN = '@admin'

/** `group = organization/team`; a group may have equal signs in its name. */
function mappingOf(line: string): Mapping {
  const at = line.lastIndexOf('=')
  const [organization = '', team = '', ...more] = line
    .slice(at + 1)
    .trim()
    .split('/')
  const group = line.slice(0, Math.max(at, 0)).trim()
  if (group !== '' && organization === ADMIN && team === '') return { group, admin: true }
  if (group === '' || team === '' || more.length > 0)
    throw invalid(words.badMapping(line.trim().slice(0, 100)))
  return { group, organization, team }
}

export const authPages: readonly Page[] = [authsPage, newAuthPage, authPage]
