/**
 * Scopes of settings: user, organization, repository, site. Webhooks, secrets, variables and runners are the same for
 * all, so their pages are written once and instantiated for each scope.
 */
import type { Html, PageVisit, Rendered } from '#platform/page'
import { notFound } from '#platform/problem'
import { asSiteAdmin } from '#platform/rest'
import { links, path, type RepositoryPath } from '../links.ts'
import { inOrganization, loadOrganizationHead, type OrganizationHead } from '../parts/organization.ts'
import { inRepository, loadRepository, type RepositoryView } from '../parts/repository.ts'
import { type Section, settingsLayout } from '../parts/settings.ts'
import { settingsWords as words } from '../words/settings.ts'
import { site } from '../words/site.ts'

export interface Pane {
  readonly title: string
  readonly body: Html
  readonly islands?: readonly string[]
}

/** Wraps a page in the frame of its scope. */
export type Frame = (pane: Pane) => Rendered

export interface Scope {
  /** Path pattern of its settings. */
  readonly base: string
  /** The path for a request. */
  readonly at: (visit: PageVisit) => string
  /** Throws unless the viewer may change these settings. */
  readonly open: (visit: PageVisit, current: Section['name']) => Promise<Frame>
}

export function repositoryOf(visit: PageVisit): RepositoryPath {
  const { owner, repo } = visit.params as RepositoryPath
  return { owner, repo }
}

export function organizationOf(visit: PageVisit): { readonly org: string } {
  return { org: (visit.params as { org: string }).org }
}

const ACTIONS = (base: string): Section[] => [
  { name: 'secrets', to: `${base}/actions/secrets`, icon: 'lock' },
  { name: 'variables', to: `${base}/actions/variables`, icon: 'list' },
  { name: 'runners', to: `${base}/actions/runners`, icon: 'server' },
]

export const userScope: Scope = {
  base: '/user/settings',
  at: () => links.settings,
  open: async (_visit, current) => (pane) => ({
    ...pane,
    title: `${pane.title} · ${words.settings}`,
    body: settingsLayout(USER, current, pane.body),
  }),
}

const USER: readonly Section[] = [
  { name: 'profile', to: links.settings, icon: 'user' },
  { name: 'account', to: links.settingsOf('account'), icon: 'mail' },
  { name: 'appearance', to: links.settingsOf('appearance'), icon: 'sun' },
  { name: 'notifications', to: links.settingsOf('notifications'), icon: 'bell' },
  { name: 'security', to: links.security, icon: 'shield-check' },
  { name: 'applications', to: links.settingsOf('applications'), icon: 'layers' },
  { name: 'keys', to: links.settingsOf('keys'), icon: 'key' },
  { name: 'organizations', to: links.settingsOf('organization'), icon: 'building' },
  { name: 'repositories', to: links.settingsOf('repos'), icon: 'book' },
  { name: 'packages', to: links.settingsOf('packages'), icon: 'package' },
  { name: 'storage', to: links.settingsOf('storage'), icon: 'database' },
  { name: 'blocked', to: links.settingsOf('blocked_users'), icon: 'ban' },
  { name: 'hooks', to: links.settingsOf('hooks'), icon: 'webhook' },
  ...ACTIONS(links.settings),
]

export const repositoryScope: Scope = {
  base: '/:owner/:repo/settings',
  at: (visit) => repositoryBase(repositoryOf(visit)),
  open: async (visit, current) =>
    openRepositorySettings(visit, await loadRepository(withPath(visit)), current),
}

function withPath(visit: PageVisit): PageVisit<RepositoryPath> {
  return visit as PageVisit<RepositoryPath>
}

function repositoryBase({ owner, repo }: RepositoryPath): string {
  return path(owner, repo, 'settings')
}

/** For pages that have already loaded the repository. */
export function openRepositorySettings(
  visit: PageVisit,
  view: RepositoryView,
  current: Section['name'],
): Frame {
  const { repo, may } = view
  // The repository itself is visible here, but only its administrators see that there are settings.
  if (!may.admin) throw notFound('page', visit.path)
  const base = links.of(repo, 'settings')
  const sections: Section[] = [
    { name: 'general', to: base, icon: 'settings' },
    { name: 'collaboration', to: `${base}/collaboration`, icon: 'users' },
    { name: 'branches', to: `${base}/branches`, icon: 'git-branch' },
    { name: 'tags', to: `${base}/tags`, icon: 'tag' },
    { name: 'hooks', to: `${base}/hooks`, icon: 'webhook' },
    { name: 'deployKeys', to: `${base}/keys`, icon: 'key' },
    { name: 'mirrors', to: `${base}/mirrors`, icon: 'refresh-cw' },
    { name: 'interactionLimits', to: `${base}/interaction_limits`, icon: 'ban' },
    ...(may.actions.read ? ACTIONS(base).filter(({ name }) => may.own || name === 'runners') : []),
  ]
  return (pane) =>
    inRepository(view, 'settings', visit, { ...pane, body: settingsLayout(sections, current, pane.body) })
}

export const organizationScope: Scope = {
  base: '/org/:org/settings',
  at: (visit) => links.organization(organizationOf(visit).org, 'settings'),
  open: async (visit, current) =>
    openOrganizationSettings(visit, await loadOrganizationHead(visit, organizationOf(visit).org), current),
}

export function openOrganizationSettings(
  visit: PageVisit,
  head: OrganizationHead,
  current: Section['name'],
): Frame {
  if (!head.isOwner) throw notFound('page', visit.path)
  const base = links.organization(head.org.username, 'settings')
  const sections: Section[] = [
    { name: 'general', to: base, icon: 'settings' },
    { name: 'labels', to: `${base}/labels`, icon: 'tag' },
    { name: 'hooks', to: `${base}/hooks`, icon: 'webhook' },
    { name: 'service_accounts', to: `${base}/service_accounts`, icon: 'key' },
    { name: 'storage', to: `${base}/storage`, icon: 'database' },
    { name: 'blocked', to: `${base}/blocked_users`, icon: 'ban' },
    { name: 'audit', to: `${base}/audit`, icon: 'shield-check' },
    ...ACTIONS(base),
  ]
  return (pane) =>
    inOrganization(head, 'settings', { ...pane, body: settingsLayout(sections, current, pane.body) })
}

export const adminScope: Scope = {
  base: '/-/admin',
  at: () => links.admin,
  open: async (visit, current) => {
    asSiteAdmin(visit)
    return (pane) => ({
      ...pane,
      title: `${pane.title} · ${site.administration}`,
      body: settingsLayout(ADMIN, current, pane.body),
    })
  },
}

const ADMIN: readonly Section[] = [
  { name: 'overview', to: links.admin, icon: 'gauge' },
  { name: 'users', to: links.adminOf('users'), icon: 'users' },
  { name: 'organizations', to: links.adminOf('orgs'), icon: 'building' },
  { name: 'repositories', to: links.adminOf('repos'), icon: 'book' },
  { name: 'moderation', to: links.adminOf('moderation'), icon: 'shield' },
  { name: 'emails', to: links.adminOf('emails'), icon: 'mail' },
  { name: 'auths', to: links.adminOf('auths'), icon: 'key' },
  { name: 'hooks', to: links.adminOf('hooks'), icon: 'webhook' },
  { name: 'cron', to: links.adminOf('monitor', 'cron'), icon: 'clock' },
  { name: 'queue', to: links.adminOf('monitor', 'queue'), icon: 'inbox' },
  { name: 'clients', to: links.adminOf('monitor', 'clients'), icon: 'users' },
  { name: 'audit', to: links.adminOf('audit'), icon: 'shield-check' },
  { name: 'config', to: links.adminOf('config'), icon: 'list-checks' },
  { name: 'runners', to: links.adminOf('actions', 'runners'), icon: 'server' },
]
