/** Service accounts of an organization, and the tokens of one of them. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import { box, empty, icon } from '../../../parts/basics.ts'
import { button, field, form, formButton, written } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { shownOnce } from '../../../parts/settings.ts'
import { organizationOf, organizationScope } from '../../../scoped/scopes.ts'
import { ownWords } from '../../../words/own-settings.ts'
import { serviceAccountWords as words } from '../../../words/service-accounts.ts'
import { limitFacts } from '../own/token-limits.ts'

const LIMIT = 30
/** As many as an organization has. */
const ACCOUNTS_MAX = 50

const listPage = page({
  path: '/org/:org/settings/service_accounts',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await organizationScope.open(visit, 'service_accounts')
    const wish = { ...organizationOf(visit), page: pageNumber(visit), limit: LIMIT }
    return { frame, accounts: await visit.list('orgListServiceAccounts', wish) }
  },
  show: ({ frame, accounts }, visit) =>
    frame({
      title: words.title,
      body: html`<h1>${words.title}</h1><p>${words.help}</p>${box(
        words.title,
        accounts.total === 0
          ? empty(words.none)
          : html`<ul class="rows dense">${accounts.items.map((it) => accountRow(visit, it))}</ul>`,
      )}${pager(visit, accounts.total, LIMIT)}${box(words.create, form(visit, 'create', html`${field({ name: 'username', label: words.username, value: written(visit, 'create', 'username'), isRequired: true, maxLength: 40, autocomplete: 'off' })}${field({ name: 'full_name', label: words.purpose, maxLength: 100, value: written(visit, 'create', 'full_name') })}${button(words.create, { tone: 'primary' })}`))}`,
    }),
  forms: {
    create: {
      does: ['orgCreateServiceAccount'],
      handle: async (visit) => {
        const username = visit.fields.required('username').trim()
        const full_name = visit.fields.text('full_name').trim()
        const { login } = await visit.ask('orgCreateServiceAccount', organizationOf(visit), {
          username,
          full_name,
        })
        return `${visit.path}/${login}`
      },
    },
    remove: {
      does: ['orgDeleteServiceAccount'],
      isDangerous: true,
      handle: async (visit) => {
        const username = visit.fields.required('username')
        await visit.ask('orgDeleteServiceAccount', { ...organizationOf(visit), username })
        return visit.path
      },
    },
  },
})

function accountRow(visit: PageVisit, { login, full_name }: { login: string; full_name: string }): Html {
  return html`<li class="row">${icon('key')}<div class="grow"><a href="${visit.path}/${login}"><strong>${login}</strong></a><p class="row-facts"><span>${full_name}</span></p></div>${formButton(visit, 'remove', ownWords.remove, { username: login }, { tone: 'danger', label: `${ownWords.remove}: ${login}` })}</li>`
}

/** Tokens of other users are not managed here, whatever the visitor may do elsewhere. */
async function assertService(visit: PageVisit<{ readonly username: string }>): Promise<void> {
  const wish = { ...organizationOf(visit), page: 1, limit: ACCOUNTS_MAX }
  const { items } = await visit.list('orgListServiceAccounts', wish)
  if (!items.some(({ login }) => login === visit.params.username)) throw notFound('page', visit.path)
}

const accountPage = page({
  path: '/org/:org/settings/service_accounts/:username',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await organizationScope.open(visit, 'service_accounts')
    const { username } = visit.params
    await assertService(visit)
    return {
      frame,
      tokens: await visit.list('userGetTokens', { username, page: pageNumber(visit), limit: LIMIT }),
    }
  },
  show: ({ frame, tokens }, visit) =>
    frame({
      title: visit.params.username,
      body: html`<h1>${visit.params.username}</h1>${box(
        ownWords.tokens,
        html`<p class="box-text">${words.tokensHelp}</p>${tokens.total === 0 ? empty(ownWords.noTokens) : html`<ul class="rows dense">${tokens.items.map((it) => html`<li class="row">${icon('key')}<div class="grow"><strong>${it.name}</strong> <code>…${it.token_last_eight}</code><p class="row-facts">${limitFacts(it, visit.ctx.now())}</p></div>${formButton(visit, 'drop-token', ownWords.remove, { id: it.id }, { tone: 'danger', label: `${ownWords.remove}: ${it.name}` })}</li>`)}</ul>`}`,
      )}${pager(visit, tokens.total, LIMIT)}${box(ownWords.tokenMake, form(visit, 'token', html`${field({ name: 'name', label: ownWords.tokenName, value: written(visit, 'token', 'name'), isRequired: true, autocomplete: 'off' })}${button(ownWords.tokenMake, { tone: 'primary' })}`))}`,
    }),
  forms: {
    token: {
      does: ['userCreateToken'],
      isDangerous: true,
      handle: async (visit) => {
        const { username } = visit.params
        await assertService(visit)
        const { id } = await visit.ask('orgGet', organizationOf(visit))
        const name = visit.fields.required('name').trim()
        // Limited to the organization: owners who want another token create it over REST.
        const body = { name, scopes: ['all'], owner_ids: [id] }
        const { sha1 } = await visit.ask('userCreateToken', { username }, body)
        const frame = await organizationScope.open(visit, 'service_accounts')
        return frame({ title: ownWords.tokenTitle, body: shownOnce(ownWords.tokenTitle, sha1, visit.path) })
      },
    },
    'drop-token': {
      does: ['userDeleteAccessToken'],
      handle: async (visit) => {
        const token = visit.fields.required('id')
        await assertService(visit)
        await visit.ask('userDeleteAccessToken', { username: visit.params.username, token })
        return visit.path
      },
    },
  },
})

export const serviceAccountPages: readonly Page[] = [listPage, accountPage]
