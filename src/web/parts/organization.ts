/** Head of organization pages: name and tabs. */
import { type Html, html, type PageVisit, type Rendered } from '#platform/page'
import type { Organization } from '../gen/contract.ts'
import { links, path } from '../links.ts'
import { peopleWords as words } from '../words/people.ts'
import { avatar, outsideLink, pill, type Tab, tabs } from './basics.ts'

export type OrganizationTab = 'repositories' | 'members' | 'teams' | 'packages' | 'projects' | 'settings'

export interface OrganizationHead {
  readonly org: Organization
  readonly isOwner: boolean
  readonly isMember: boolean
  readonly mayCreate: boolean
}

/** Loads the organization; throws if the viewer may not see it. Every organization page begins with this. */
export async function loadOrganizationHead(visit: PageVisit, name: string): Promise<OrganizationHead> {
  const org = await visit.ask('orgGet', { org: name })
  const { actor } = visit.ctx
  if (actor === null) return { org, isOwner: false, isMember: false, mayCreate: false }
  const [rights, isMember] = await Promise.all([
    visit.maybe('orgGetUserPermissions', { username: actor.login, org: name }),
    visit.exists('orgIsMember', { org: name, username: actor.login }),
  ])
  const isOwner = actor.isAdmin || rights?.is_owner === true
  return { org, isOwner, isMember, mayCreate: rights?.can_create_repository === true }
}

interface OrganizationPage extends Rendered {
  /** Lists show no heading; their title is one for screen readers alone. */
  readonly hidesHeading?: boolean
}

/** Wraps a page in the head of its organization, whose name is the heading of its home alone. */
export function inOrganization(
  head: OrganizationHead,
  current: OrganizationTab,
  { hidesHeading = false, ...shown }: OrganizationPage,
): Rendered {
  const { org } = head
  return {
    ...shown,
    title: `${shown.title} · ${org.username}`,
    body: html`${top(head, current)}${hidesHeading && html`<h1 class="unseen">${shown.title}</h1>`}${shown.body}`,
  }
}

function top(head: OrganizationHead, current: OrganizationTab): Html {
  const { org } = head
  const name = html`<a href="${links.account(org.username)}">${org.full_name !== '' && html`<strong>${org.full_name}</strong> `}${org.username}</a>`
  return html`<header class="repo-head org-head"><div class="repo-title">${avatar({ login: org.username, avatar_url: org.avatar_url }, 48)}
<div class="grow">${current === 'repositories' ? html`<h1>${name}</h1>` : html`<p class="repo-name">${name}</p>`}
<p class="row-facts">${org.description !== '' && html`<span>${org.description}</span>`}${org.location !== '' && html`<span>${org.location}</span>`}${
    org.website !== '' && html`<span>${outsideLink(org.website)}</span>`
  }</p></div>${org.visibility !== 'public' && pill(org.visibility)}</div>${tabs(tabList(head, current), org.username)}</header>`
}

function tabList({ org, isOwner }: OrganizationHead, current: OrganizationTab): Tab[] {
  const name = org.username
  const all: [OrganizationTab, string, string, boolean][] = [
    ['repositories', links.account(name), 'book', true],
    ['projects', path(name, '-', 'projects'), 'square-kanban', true],
    ['packages', path(name, '-', 'packages'), 'package', true],
    ['members', links.organization(name, 'members'), 'users', true],
    ['teams', links.organization(name, 'teams'), 'shield', true],
    ['settings', links.organization(name, 'settings'), 'settings', isOwner],
  ]
  return all
    .filter(([, , , isThere]) => isThere)
    .map(([tab, to, icon]) => ({ text: words[tab], to, icon, isCurrent: tab === current }))
}
