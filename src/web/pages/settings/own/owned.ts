/** Organizations, repositories, packages and blocked users of the user. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { asSignedIn } from '#platform/rest'
import { links, local } from '../../../links.ts'
import { avatar, empty, icon, pill } from '../../../parts/basics.ts'
import { formButton } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { blockedBody, blockForms } from '../../../parts/people/blocked.ts'
import { repositoryList } from '../../../parts/repository-list.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords as words } from '../../../words/own-settings.ts'
import { site } from '../../../words/site.ts'

const LIMIT = 30
const paging = (visit: PageVisit) => ({ page: pageNumber(visit), limit: LIMIT })

function listed(visit: PageVisit, total: number, rows: Html, none: Html): Html {
  return total === 0 ? none : html`<div class="box">${rows}</div>${pager(visit, total, LIMIT)}`
}

const organizationsPage = page({
  path: '/user/settings/organization',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await userScope.open(visit, 'organizations')
    return { frame, ...(await visit.list('orgListCurrentUserOrgs', paging(visit))) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.organizations,
      body: html`<div class="pane-head"><h1>${words.organizations}</h1><a class="button" href="${links.newOrganization}">${site.newOrganization}</a></div>${listed(
        visit,
        total,
        html`<ul class="rows dense">${items.map(
          ({ username, full_name, avatar_url }) =>
            html`<li class="row">${avatar({ login: username, avatar_url }, 32)}<div class="grow"><a class="title" href="${links.account(username)}">${username}</a> ${full_name}</div>${formButton(visit, 'leave', words.leave, { org: username }, { tone: 'danger', label: `${words.leave}: ${username}` })}</li>`,
        )}</ul>`,
        empty(words.noOrganizations),
      )}`,
    }),
  forms: {
    leave: {
      does: ['orgDeleteMember'],
      handle: async (visit) => {
        const org = visit.fields.required('org')
        await visit.ask('orgDeleteMember', { org, username: asSignedIn(visit).login })
        return visit.path
      },
    },
  },
})

const repositoriesPage = page({
  path: '/user/settings/repos',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await userScope.open(visit, 'repositories')
    return { frame, ...(await visit.list('userCurrentListRepos', paging(visit))) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.repositories,
      body: html`<h1>${words.repositories}</h1>${listed(visit, total, repositoryList(items, visit.ctx.now()), empty(words.noRepositories, html`<a class="button primary" href="${links.newRepository}">${site.newRepository}</a>`))}`,
    }),
})

const packagesPage = page({
  path: '/user/settings/packages',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await userScope.open(visit, 'packages')
    const owner = asSignedIn(visit).login
    return { frame, ...(await visit.list('listPackages', { owner, ...paging(visit) })) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.packages,
      body: html`<h1>${words.packages}</h1>${listed(
        visit,
        total,
        html`<ul class="rows dense">${items.map(
          ({ type, name, version, html_url }) =>
            html`<li class="row">${icon('package')}<div class="grow"><a class="title" href="${local(html_url)}">${name}</a> ${version}</div>${pill(type)}</li>`,
        )}</ul>`,
        empty(words.noPackages),
      )}`,
    }),
})

const blockedPage = page({
  path: '/user/settings/blocked_users',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await userScope.open(visit, 'blocked')
    return { frame, ...(await visit.list('userListBlocks', paging(visit))) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({ title: words.blocked, body: blockedBody(visit, items, total, LIMIT) }),
  forms: blockForms({
    block: (visit, username, note) => visit.ask('userBlockUser', { username, note }),
    unblock: (visit, username) => visit.ask('userUnblockUser', { username }),
    does: { block: 'userBlockUser', unblock: 'userUnblockUser' },
  }),
})

export const ownedPages: readonly Page[] = [organizationsPage, repositoriesPage, packagesPage, blockedPage]
