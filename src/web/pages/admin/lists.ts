/** Organizations, repositories and email addresses of the whole site. */
import { html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { box, empty, icon, pill, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { organizationList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { searchBar } from '../../parts/search-bar.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { adminWords as words } from '../../words/admin.ts'
import { exploreWords } from '../../words/explore.ts'
import { storageWords } from '../../words/storage.ts'

const LIMIT = 30

const organizationsPage = page({
  path: '/-/admin/orgs',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'organizations')
    return { frame, ...(await visit.list('adminGetAllOrgs', { page: pageNumber(visit), limit: LIMIT })) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.organizations,
      body: html`<h1>${words.organizations}</h1>${total === 0 ? empty(words.noOrganizations) : html`<div class="box">${organizationList(items, (name) => html`<a class="button" href="${links.adminOf('storage', name)}" aria-label="${storageWords.titleOf(name)}">${storageWords.title}</a>`)}</div>${pager(visit, total, LIMIT)}`}`,
    }),
})

const repositoriesPage = page({
  path: '/-/admin/repos',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'repositories')
    const q = visit.query.get('q') ?? ''
    const [found, deleted] = await Promise.all([
      visit.list('repoSearch', { q, page: pageNumber(visit), limit: LIMIT }),
      visit.list('adminListDeletedRepositories', { limit: LIMIT }),
    ])
    return { frame, found, deleted: deleted.items }
  },
  show: ({ frame, found: { items, total }, deleted }, visit) => {
    const now = visit.ctx.now()
    return frame({
      title: words.repositories,
      body: html`<h1>${words.repositories}</h1>${searchBar({ label: exploreWords.searchRepositories, value: visit.query.get('q') ?? '' })}${total === 0 ? empty(words.noRepositories) : html`<div class="box">${repositoryList(items, now)}</div>${pager(visit, total, LIMIT)}`}${box(
        words.deleted,
        html`<p class="box-text">${words.deletedHelp}</p>${
          deleted.length === 0
            ? empty(words.noDeleted)
            : html`<ul class="rows dense">${deleted.map(
                ({ id, full_name, deleted_at, kept_until }) =>
                  html`<li class="row">${icon('trash-2')}<div class="grow"><strong>${full_name}</strong> <span class="quiet-text">${time(deleted_at, now)}, ${words.keptUntil} ${time(kept_until, now)}</span></div>${formButton(visit, 'restore', words.restore, { id }, { label: `${words.restore}: ${full_name}` })}</li>`,
              )}</ul>`
        }`,
      )}`,
    })
  },
  forms: {
    restore: {
      does: ['adminUndeleteRepository'],
      handle: async ({ ask, fields }) =>
        links.repository(await ask('adminUndeleteRepository', { id: fields.number('id') ?? 0 }, {})),
    },
  },
})

const emailsPage = page({
  path: '/-/admin/emails',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'emails')
    const paging = { q: visit.query.get('q') ?? '', page: pageNumber(visit), limit: LIMIT }
    return { frame, ...(await visit.list('adminSearchEmails', paging)) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.emails,
      body: html`<h1>${words.emails}</h1>${searchBar({ label: words.search, value: visit.query.get('q') ?? '' })}${
        total === 0
          ? empty(words.noEmails)
          : html`<div class="box"><ul class="rows dense">${items.map(
              ({ email, username, primary }) =>
                html`<li class="row">${icon('mail')}<div class="grow">${email}<p class="row-facts"><a href="${links.adminOf('users', username)}">${username}</a></p></div>${primary && pill(words.primary)}</li>`,
            )}</ul></div>${pager(visit, total, LIMIT)}`
      }`,
    }),
})

export const adminListPages: readonly Page[] = [organizationsPage, repositoriesPage, emailsPage]
