/** An organization: repositories and members. */
import { type Html, html, type Page, type PageVisit, page, Redirect, type Rendered } from '#platform/page'
import type { Repository, User } from '../../gen/contract.ts'
import { links, withQuery } from '../../links.ts'
import { avatar, empty, pill } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { inOrganization, loadOrganizationHead, type OrganizationHead } from '../../parts/organization.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { faces } from '../../parts/people/faces.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { peopleWords as words } from '../../words/people.ts'
import { type OwnerVisit, profileReadme } from './owner.ts'
import { loadPins, showPins } from './pins.ts'

const LIMIT = 20

export interface OrganizationView {
  readonly head: OrganizationHead
  readonly repositories: readonly Repository[]
  readonly total: number
  readonly members: readonly User[]
  readonly readme: Html | null
  readonly pins: readonly Repository[]
}

export async function loadOrganization(visit: OwnerVisit): Promise<OrganizationView> {
  const org = visit.params.owner
  const head = await loadOrganizationHead(visit, org)
  const [{ items, total }, members, readme, pins] = await Promise.all([
    visit.list('orgListRepos', { org, page: pageNumber(visit), limit: LIMIT }),
    visit.list(head.isMember ? 'orgListMembers' : 'orgListPublicMembers', { org, limit: 30 }),
    pageNumber(visit) === 1 ? profileReadme(visit, org) : null,
    pageNumber(visit) === 1 ? loadPins(visit) : [],
  ])
  return { head, repositories: items, total, members: members.items, readme, pins }
}

export function showOrganization(view: OrganizationView, visit: PageVisit): Rendered {
  const { head, repositories, total, members, readme, pins } = view
  const { username } = head.org
  const make =
    head.mayCreate &&
    html`<a class="button primary" href="${withQuery(links.newRepository, { owner: username })}">${words.newRepository}</a>`
  return inOrganization(head, 'repositories', {
    title: head.org.full_name || username,
    body: html`<div class="columns"><div>${readme !== null && html`<div class="box box-text">${readme}</div>`}${pageNumber(visit) === 1 && showPins(visit, pins, head.isOwner, repositories)}${
      repositories.length > 0
        ? html`<div class="box">${repositoryList(repositories, visit.ctx.now())}</div>${pager(visit, total, LIMIT)}`
        : empty(words.noRepositories, make)
    }</div><aside>${repositories.length > 0 && make}<h2><a href="${links.organization(username, 'members')}">${words.members}</a></h2>${
      members.length === 0 ? html`<p class="quiet-text">${words.noMembers}</p>` : faces(members)
    }</aside></div>`,
  })
}

interface OrgPath {
  readonly org: string
}

const membersPage = page({
  path: '/org/:org/members',
  load: async (visit) => {
    const { org } = visit.params
    const head = await loadOrganizationHead(visit, org)
    const paging = { org, page: pageNumber(visit), limit: LIMIT }
    const [members, publicOnes] = await Promise.all([
      visit.list(head.isMember ? 'orgListMembers' : 'orgListPublicMembers', paging),
      visit.list('orgListPublicMembers', { org, limit: 50 }),
    ])
    return { head, ...members, publicOnes: new Set(publicOnes.items.map(({ login }) => login)) }
  },
  show: ({ head, items, total, publicOnes }, visit) =>
    inOrganization(head, 'members', {
      title: words.members,
      hidesHeading: true,
      body:
        items.length === 0
          ? empty(words.noMembers)
          : html`<div class="box"><ul class="rows dense">${items.map((user) => memberRow(visit, head, user, publicOnes.has(user.login)))}</ul></div>${pager(visit, total, LIMIT)}`,
    }),
  forms: {
    publish: {
      does: ['orgPublicizeMember'],
      handle: async ({ ask, params, fields, path }) => {
        await ask('orgPublicizeMember', { ...params, username: fields.required('username') })
        return path
      },
    },
    conceal: {
      does: ['orgConcealMember'],
      handle: async ({ ask, params, fields, path }) => {
        await ask('orgConcealMember', { ...params, username: fields.required('username') })
        return path
      },
    },
    remove: {
      does: ['orgDeleteMember'],
      handle: async ({ ask, params, fields, path }) => {
        await ask('orgDeleteMember', { ...params, username: fields.required('username') })
        return path
      },
    },
  },
})

function memberRow(
  visit: PageVisit<OrgPath>,
  { isOwner, isMember }: OrganizationHead,
  { login, full_name, avatar_url }: User,
  isPublic: boolean,
): Html {
  const isOneself = visit.ctx.actor?.login === login
  const username = { username: login }
  return html`<li class="row">${avatar({ login, avatar_url }, 32)}<div class="grow"><a class="title" href="${links.account(login)}">${login}</a> ${full_name}
${isMember && pill(isPublic ? words.publicMember : words.hiddenMember)}</div>${
    (isOwner || isOneself) &&
    html`${formButton(visit, isPublic ? 'conceal' : 'publish', isPublic ? words.conceal : words.publish, username, { tone: 'quiet' })}${formButton(
      visit,
      'remove',
      isOneself ? words.leave : words.remove,
      username,
      { tone: 'danger', label: isOneself ? words.leave : words.removeMember(login) },
    )}`
  }</li>`
}

/** Gitea also has the list of an owner's repositories at this address. */
const repositoriesPage = page({
  path: '/:owner/-/repositories',
  load: async ({ params }) => {
    throw new Redirect(links.account(params.owner))
  },
  show: () => ({ title: '', body: html`` }),
})

export const organizationPages: readonly Page[] = [membersPage, repositoriesPage]
