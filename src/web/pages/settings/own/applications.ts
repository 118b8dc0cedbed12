/** Access tokens and OAuth2 applications. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { AccessToken } from '../../../gen/contract.ts'
import { box, empty, icon, time } from '../../../parts/basics.ts'
import { area, button, check, field, form, formButton, select, written } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { shownOnce } from '../../../parts/settings.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { scopeWords, ownWords as words } from '../../../words/en/own-settings.ts'

const LIMIT = 30
const CATEGORIES = Object.entries(scopeWords)
const username = (visit: PageVisit) => asSignedIn(visit).login

interface Application {
  readonly id: number
  readonly name: string
  readonly client_id: string
  readonly redirect_uris: readonly string[]
}

const applicationsPage = page({
  path: '/user/settings/applications',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, tokens, applications] = await Promise.all([
      userScope.open(visit, 'applications'),
      visit.list('userGetTokens', { username: username(visit), page: pageNumber(visit), limit: LIMIT }),
      visit.list('userGetOauth2Application', { limit: 50 }),
    ])
    return { frame, tokens, applications: applications.items }
  },
  show: ({ frame, tokens, applications }, visit) =>
    frame({
      title: words.applications,
      body: html`<h2>${words.applications}</h2>${box(words.tokens, html`<p class="box-text">${words.tokensHelp}</p>${tokens.total === 0 ? empty(words.noTokens) : html`<ul class="rows">${tokens.items.map((it) => tokenRow(visit, it))}</ul>`}`)}${pager(visit, tokens.total, LIMIT)}${box(words.tokenMake, tokenForm(visit))}${box(
        words.oauth,
        html`<p class="box-text">${words.oauthHelp}</p>${applications.length === 0 ? empty(words.noOauth) : html`<ul class="rows">${applications.map((it) => applicationRow(visit, it))}</ul>`}${applicationForm(visit)}`,
      )}`,
    }),
  forms: {
    token: {
      does: ['userCreateToken'],
      isDangerous: true,
      handle: async (visit) => {
        const { fields, path } = visit
        const scopes = CATEGORIES.flatMap(([name]) => {
          const level = fields.text(`scope.${name}`)
          return level === 'read' || level === 'write' ? [`${level}:${name}`] : []
        })
        if (scopes.length === 0) throw invalid(words.tokenNoScopes)
        if (fields.flag('public_only')) scopes.push('public-only')
        const name = fields.required('name').trim()
        const { sha1 } = await visit.ask('userCreateToken', { username: username(visit) }, { name, scopes })
        const frame = await userScope.open(visit, 'applications')
        return frame({ title: words.tokenTitle, body: shownOnce(words.tokenTitle, sha1, path) })
      },
    },
    'drop-token': {
      does: ['userDeleteAccessToken'],
      handle: async (visit) => {
        const token = visit.fields.required('id')
        await visit.ask('userDeleteAccessToken', { username: username(visit), token })
        return visit.path
      },
    },
    application: {
      does: ['userCreateOAuth2Application'],
      isDangerous: true,
      handle: async (visit) => {
        const { fields, path } = visit
        const made = await visit.ask(
          'userCreateOAuth2Application',
          {},
          {
            name: fields.required('application_name').trim(),
            redirect_uris: fields
              .text('redirect_uris')
              .split(/\s+/)
              .filter((it) => it !== ''),
            confidential_client: fields.flag('confidential_client'),
          },
        )
        const frame = await userScope.open(visit, 'applications')
        const more = html`<p>${words.clientId}: <code>${made.client_id}</code></p>`
        return frame({
          title: words.oauthTitle,
          body: shownOnce(words.oauthTitle, made.client_secret, path, more),
        })
      },
    },
    'drop-application': {
      does: ['userDeleteOAuth2Application'],
      handle: async ({ ask, fields, path }) => {
        await ask('userDeleteOAuth2Application', { id: fields.number('id') ?? 0 })
        return path
      },
    },
  },
})

function tokenRow(visit: PageVisit, { id, name, token_last_eight, scopes, last_used_at }: AccessToken): Html {
  return html`<li class="row">${icon('key')}<div class="grow"><strong>${name}</strong> <code>…${token_last_eight}</code><p class="row-facts"><span>${scopes.join(', ')}</span><span>${last_used_at === null ? words.never : html`${words.used} ${time(last_used_at, visit.ctx.now())}`}</span></p></div>${formButton(visit, 'drop-token', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
}

function tokenForm(visit: PageVisit): Html {
  const scope = ([name, label]: [string, string]) =>
    select({
      name: `scope.${name}`,
      label,
      options: Object.entries(words.scopeLevels),
      value: written(visit, 'token', `scope.${name}`),
    })
  const shown = CATEGORIES.filter(([name]) => name !== 'admin' || visit.ctx.actor?.isAdmin)
  return form(
    visit,
    'token',
    html`${field({ name: 'name', label: words.tokenName, value: written(visit, 'token', 'name'), isRequired: true, autocomplete: 'off' })}<fieldset><legend>${words.scopes}</legend><div class="pairs">${shown.map(scope)}</div>${check({ name: 'public_only', label: words.publicOnly })}</fieldset>${button(words.tokenMake, { tone: 'primary' })}`,
  )
}

function applicationRow(visit: PageVisit, { id, name, client_id, redirect_uris }: Application): Html {
  return html`<li class="row">${icon('layers')}<div class="grow"><strong>${name}</strong><p class="row-facts"><span class="mono">${client_id}</span><span>${redirect_uris.join(', ')}</span></p></div>${formButton(visit, 'drop-application', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
}

function applicationForm(visit: PageVisit): Html {
  const kept = (name: string) => written(visit, 'application', name)
  return html`<details class="box-text"><summary>${words.oauthMake}</summary>${form(
    visit,
    'application',
    html`${field({ name: 'application_name', label: words.oauthName, value: kept('application_name'), isRequired: true })}${area({ name: 'redirect_uris', label: words.redirects, help: words.redirectsHelp, value: kept('redirect_uris'), rows: 2, isRequired: true, maxLength: 4000 })}${check({ name: 'confidential_client', label: words.confidential, isChecked: true })}${button(words.oauthMake)}`,
  )}</details>`
}

export const applicationPages: readonly Page[] = [applicationsPage]
