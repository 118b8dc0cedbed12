/** Authentication sources, for administrators: list, add, edit, delete. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  type ResponseOf,
} from '#platform/page'
import { invalid } from '#platform/problem'
import { links } from '../../links.ts'
import { empty, pill } from '../../parts/basics.ts'
import { area, button, check, field, form, written } from '../../parts/forms.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { authWords as words } from '../../words/en/auths.ts'

type Source = ResponseOf<'adminGetAuthenticationSource'>
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
      body: html`<div class="pane-head"><h2>${words.title}</h2><a class="button primary" href="${links.adminOf('auths', 'new')}" data-key="c">${words.add}</a></div><p>${words.help}</p>${
        items.length === 0
          ? empty(words.none)
          : html`<div class="box"><ul class="rows">${items.map(sourceRow)}</ul></div>`
      }`,
    }),
})

function sourceRow({ id, name, type, is_enabled, is_only_way }: Source): Html {
  return html`<li class="row"><div class="grow"><a class="title" href="${links.adminOf('auths', String(id))}">${name}</a><p class="row-facts"><span>${words.types[type]}</span></p></div>${is_only_way && pill(words.isOnlyWay, 'done')}${!is_enabled && pill(words.isDisabled, 'warn')}</li>`
}

const newAuthPage = page({
  path: '/-/admin/auths/new',
  requiresSignIn: true,
  load: async (visit) => ({ frame: await adminScope.open(visit, 'auths') }),
  show: ({ frame }, visit) =>
    frame({
      title: words.add,
      body: html`<h2>${words.add}</h2>${form(visit, 'create', oidcFields(visit, 'create', undefined))}`,
    }),
  forms: {
    create: {
      does: ['adminCreateAuthenticationSource'],
      isDangerous: true,
      handle: async ({ ask, fields }) => {
        const { id } = await ask(
          'adminCreateAuthenticationSource',
          {},
          { ...sent(fields), oidc: oidc(fields) },
        )
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
    const [source, { mappings }] = await Promise.all([
      visit.ask('adminGetAuthenticationSource', visit.params),
      visit.ask('adminListAuthenticationSourceMappings', visit.params),
    ])
    return { frame, source, mappings }
  },
  show: ({ frame, source, mappings }, visit) =>
    frame({
      title: source.name,
      body: html`<h2>${source.name}</h2><p>${words.callback}: <code>${source.callback_url}</code></p>${form(visit, 'edit', oidcFields(visit, 'edit', source))}${mappingForm(visit, mappings)}
<hr><section class="box danger" aria-labelledby="danger"><header class="box-head"><h2 id="danger">${words.danger}</h2></header><ul class="rows"><li class="row top"><div class="grow"><p class="row-text">${words.deleteHelp}</p>${form(visit, 'delete', button(words.delete, { tone: 'danger' }))}</div></li></ul></section>`,
    }),
  forms: {
    edit: {
      does: ['adminEditAuthenticationSource'],
      isDangerous: true,
      handle: async ({ ask, params, fields, path }) => {
        await ask('adminEditAuthenticationSource', params, { ...sent(fields), oidc: oidc(fields) })
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

type Mapping = ResponseOf<'adminListAuthenticationSourceMappings'>['mappings'][number]

function mappingForm(visit: PageVisit, mappings: readonly Mapping[]): Html {
  const lines = mappings.map(
    ({ group, admin, organization, team }) => `${group} = ${admin ? ADMIN : `${organization}/${team}`}`,
  )
  return html`<h3>${words.mappings}</h3>${form(visit, 'map', html`${area({ name: 'mappings', label: words.mappingsLabel, help: words.mappingsHelp, value: written(visit, 'map', 'mappings', lines.join('\n')), isCode: true })}${button(words.save)}`)}`
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

type Fields = FormVisit['fields']

function sent(fields: Fields) {
  const secret = fields.maybe('secret')
  return {
    name: fields.required('name').trim(),
    is_enabled: fields.flag('is_enabled'),
    is_only_way: fields.flag('is_only_way'),
    may_register: fields.flag('may_register'),
    ...(secret !== undefined && { secret }),
  }
}

function oidc(fields: Fields) {
  return {
    issuer: fields.required('issuer').trim(),
    client_id: fields.required('client_id').trim(),
    scopes: fields.text('scopes').split(/\s+/).filter(Boolean),
    username_claim: fields.required('username_claim').trim(),
    groups_claim: fields.required('groups_claim').trim(),
  }
}

function oidcFields(visit: PageVisit, name: string, source: Source | undefined): Html {
  const kept = (it: string, value?: string) => written(visit, name, it, value)
  const { oidc } = source ?? {}
  const required = { isRequired: true, autocomplete: 'off' }
  return html`<div class="pairs">${field({ name: 'name', label: words.name, help: words.nameHelp, value: kept('name', source?.name), maxLength: 50, ...required })}
${field({ name: 'issuer', label: words.issuer, help: words.issuerHelp, value: kept('issuer', oidc?.issuer), maxLength: 500, ...required })}
${field({ name: 'client_id', label: words.clientId, value: kept('client_id', oidc?.client_id), ...required })}
${field({ name: 'secret', label: words.secret, type: 'password', maxLength: 1_000, autocomplete: 'off', ...(source?.has_secret && { help: words.secretHelp }) })}
${field({ name: 'scopes', label: words.scopes, value: kept('scopes', (oidc?.scopes ?? ['openid', 'profile', 'email']).join(' ')), maxLength: 2_000, autocomplete: 'off' })}
${field({ name: 'username_claim', label: words.usernameClaim, value: kept('username_claim', oidc?.username_claim ?? 'preferred_username'), maxLength: 100, ...required })}
${field({ name: 'groups_claim', label: words.groupsClaim, value: kept('groups_claim', oidc?.groups_claim ?? 'groups'), maxLength: 100, ...required })}</div>
${check({ name: 'is_enabled', label: words.enabled, isChecked: source?.is_enabled ?? true })}${check({ name: 'may_register', label: words.mayRegister, isChecked: source?.may_register ?? true })}${check({ name: 'is_only_way', label: words.onlyWay, isChecked: source?.is_only_way ?? false })}${button(words.save, { tone: 'primary' })}`
}

export const authPages: readonly Page[] = [authsPage, newAuthPage, authPage]
