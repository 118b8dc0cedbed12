/** Access tokens, authorized applications, and the user's own OAuth2 applications. */
import { type Html, html, type ItemOf, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { AccessToken } from '../../../gen/contract.ts'
import { links } from '../../../links.ts'
import { box, empty, icon, time } from '../../../parts/basics.ts'
import { button, check, field, form, formButton, select, written } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { shownOnce } from '../../../parts/settings.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { scopeSentence } from '../../../words/authorize.ts'
import { scopeWords, ownWords as words } from '../../../words/own-settings.ts'
import { tokenWords } from '../../../words/tokens.ts'
import {
  applicationForms,
  applicationPage,
  applicationRow,
  newApplicationForm,
} from './oauth2-applications.ts'
import { tokenPage } from './token.ts'
import { limitFacts, limitFields, readLimits } from './token-limits.ts'

const LIMIT = 30
const username = (visit: PageVisit) => asSignedIn(visit).login

type Grant = ItemOf<'oauth2ListGrants'>

const applicationsPage = page({
  path: '/user/settings/applications',
  requiresSignIn: true,
  load: async (visit) => {
    const [frame, tokens, grants, applications] = await Promise.all([
      userScope.open(visit, 'applications'),
      visit.list('userGetTokens', { username: username(visit), page: pageNumber(visit), limit: LIMIT }),
      visit.ask('oauth2ListGrants', {}),
      visit.list('userGetOauth2Application', { limit: 50 }),
    ])
    return { frame, tokens, grants, applications: applications.items }
  },
  show: ({ frame, tokens, grants, applications }, visit) =>
    frame({
      title: words.applications,
      body: html`<h1>${words.applications}</h1>${box(words.tokens, html`<p class="box-text">${words.tokensHelp}</p>${tokens.total === 0 ? empty(words.noTokens) : html`<ul class="rows dense">${tokens.items.map((it) => tokenRow(visit, it))}</ul>`}`)}${pager(visit, tokens.total, LIMIT)}${box(words.tokenMake, tokenForm(visit))}${box(words.grants, html`<p class="box-text">${words.grantsHelp}</p>${grants.length === 0 ? empty(words.noGrants) : html`<ul class="rows dense">${grants.map((it) => grantRow(visit, it))}</ul>`}`)}${box(
        words.oauth,
        html`<p class="box-text">${words.oauthHelp}</p>${applications.length === 0 ? empty(words.noOauth) : html`<ul class="rows dense">${applications.map(applicationRow)}</ul>`}${newApplicationForm(visit)}`,
      )}`,
    }),
  forms: {
    token: {
      does: ['userCreateToken'],
      isDangerous: true,
      handle: async (visit) => {
        const { fields, path } = visit
        const scopes = Object.entries(scopeWords).flatMap(([name]) => {
          const level = fields.text(`scope.${name}`)
          return level === 'read' || level === 'write' ? [`${level}:${name}`] : []
        })
        if (scopes.length === 0) throw invalid(words.tokenNoScopes)
        if (fields.flag('public_only')) scopes.push('public-only')
        const name = fields.required('name').trim()
        const body = { name, scopes, ...(await readLimits(visit)) }
        const { sha1 } = await visit.ask('userCreateToken', { username: username(visit) }, body)
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
    ...applicationForms,
    'revoke-grant': {
      does: ['oauth2RevokeGrant'],
      handle: async ({ ask, fields, path }) => {
        await ask('oauth2RevokeGrant', { id: fields.number('id') ?? 0 })
        return path
      },
    },
  },
})

function tokenRow(visit: PageVisit, token: AccessToken): Html {
  const { id, name, token_last_eight, scopes, last_used_at, last_used_from } = token
  return html`<li class="row">${icon('key')}<div class="grow"><a class="title" href="${links.token(id)}">${name}</a> <code>…${token_last_eight}</code><p class="row-facts"><span>${scopes.join(', ')}</span>${limitFacts(token, visit.ctx.now())}<span>${last_used_at === null ? words.never : html`${words.used} ${time(last_used_at, visit.ctx.now())}${last_used_from !== undefined && html` ${tokenWords.from(last_used_from)}`}`}</span></p></div>${formButton(visit, 'drop-token', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
}

function tokenForm(visit: PageVisit): Html {
  const scope = ([name, label]: [string, string]) =>
    select({
      name: `scope.${name}`,
      label,
      options: Object.entries(words.scopeLevels),
      value: written(visit, 'token', `scope.${name}`),
    })
  const shown = Object.entries(scopeWords).filter(([name]) => name !== 'admin' || visit.ctx.actor?.isAdmin)
  return form(
    visit,
    'token',
    html`${field({ name: 'name', label: words.tokenName, value: written(visit, 'token', 'name'), isRequired: true, autocomplete: 'off' })}<fieldset><legend>${words.scopes}</legend><div class="pairs">${shown.map(scope)}</div>${check({ name: 'public_only', label: words.publicOnly })}</fieldset>${limitFields(visit)}${button(words.tokenMake, { tone: 'primary' })}`,
  )
}

function grantRow(visit: PageVisit, { id, name, owner, scopes, last_used_at }: Grant): Html {
  const facts = scopes.map(scopeSentence).filter((it) => it !== undefined)
  return html`<li class="row">${icon('layers')}<div class="grow"><strong>${name}</strong>${
    owner !== null && html` <a href="${links.account(owner)}">${owner}</a>`
  }<p class="row-facts"><span>${facts.join('; ')}</span><span>${words.used} ${time(last_used_at, visit.ctx.now())}</span></p></div>${formButton(visit, 'revoke-grant', words.revoke, { id }, { tone: 'danger', label: `${words.revoke}: ${name}` })}</li>`
}

export const applicationPages: readonly Page[] = [applicationsPage, applicationPage, tokenPage]
