/** Head of an account's lists: that of the organization with its tabs, or the name of the user. */
import { type Html, html, type PageVisit, type Rendered } from '#platform/page'
import type { User } from '../gen/contract.ts'
import { links, path } from '../links.ts'
import { peopleWords as words } from '../words/people.ts'
import { avatar } from './basics.ts'
import { inOrganization, loadOrganizationHead, type OrganizationHead } from './organization.ts'

export interface AccountHead {
  readonly owner: User
  /** Undefined for a user. */
  readonly organization: OrganizationHead | undefined
}

/** Throws if the viewer may not see the account. */
export async function loadAccountHead(visit: PageVisit, login: string): Promise<AccountHead> {
  const owner = await visit.ask('userGet', { username: login })
  const isUser = owner.type !== 'Organization'
  return { owner, organization: isUser ? undefined : await loadOrganizationHead(visit, owner.login) }
}

export function inAccount(
  { owner, organization }: AccountHead,
  list: 'packages' | 'projects',
  { hidesHeading = false, ...shown }: Rendered & { readonly hidesHeading?: boolean },
): Rendered {
  if (organization !== undefined) return inOrganization(organization, list, { ...shown, hidesHeading })
  return {
    ...shown,
    title: `${shown.title} · ${owner.login}`,
    body: html`${userHead(owner, list)}${hidesHeading && html`<h1 class="unseen">${shown.title}</h1>`}${shown.body}`,
  }
}

function userHead(owner: User, list: 'packages' | 'projects'): Html {
  return html`<header class="repo-head"><div class="repo-title">${avatar(owner, 24)}<p class="repo-name"><a href="${links.account(owner.login)}">${owner.login}</a> / <strong><a href="${path(owner.login, '-', list)}">${words[list]}</a></strong></p></div></header>`
}
