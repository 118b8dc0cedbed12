/**
 * A user's profile: overview, repositories, activity, stars, followers. Organizations have their own page at the same address.
 */
import {
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  type Rendered,
} from '#platform/page'
import type { Organization, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { avatar, box, empty, icon, outsideLink, type Tab, tabs, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { faces } from '../../parts/people/faces.ts'
import { feed } from '../../parts/people/feed.ts'
import { heatmap } from '../../parts/people/heatmap.ts'
import { peopleList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { peopleWords as words } from '../../words/people.ts'
import { loadOrganization, type OrganizationView, showOrganization } from './organization.ts'
import { type OwnerVisit, profileReadme } from './owner.ts'
import { loadPins, pinForms, showPins } from './pins.ts'

const LIMIT = 20
/** Of each list of the overview. */
const SHOWN = 6

type ProfileTab = 'overview' | 'repositories' | 'activity' | 'stars' | 'followers' | 'following'
/** Stars and followers require sign-in, as in the REST API. */
const OPEN: readonly ProfileTab[] = ['overview', 'repositories', 'activity']
const TABS: readonly ProfileTab[] = [...OPEN, 'stars', 'followers', 'following']
const tabsFor = ({ ctx }: PageVisit) => (ctx.actor === null ? OPEN : TABS)

interface ProfileView {
  readonly user: User
  readonly isOwn: boolean
  readonly organizations: readonly Organization[]
  readonly isFollowed: boolean
  readonly isBlocked: boolean
  readonly tab: ProfileTab
  readonly readme: Html | null
  readonly content: Html
}

const profilePage = page({
  path: '/:owner',
  load: async (visit) => {
    const { owner } = visit.params
    const user = await visit.ask('userGet', { username: owner }).catch(async (error: unknown) => {
      // Refuses the owners of a suspended organization with the reason, and all others as above.
      if (visit.ctx.actor !== null) await visit.ask('orgGet', { org: owner })
      throw error
    })
    return user.type === 'Organization'
      ? ({ kind: 'organization', view: await loadOrganization(visit) } as const)
      : ({ kind: 'user', view: await loadProfile(visit, user) } as const)
  },
  show: ({ kind, view }, visit) =>
    kind === 'organization'
      ? showOrganization(view as OrganizationView, visit)
      : showProfile(view as ProfileView, visit),
  forms: {
    ...pinForms,
    follow: { does: ['userCurrentPutFollow'], handle: (visit) => act(visit, 'userCurrentPutFollow') },
    unfollow: { does: ['userCurrentDeleteFollow'], handle: (visit) => act(visit, 'userCurrentDeleteFollow') },
    block: { does: ['userBlockUser'], handle: (visit) => act(visit, 'userBlockUser') },
    unblock: { does: ['userUnblockUser'], handle: (visit) => act(visit, 'userUnblockUser') },
  },
})

type Act = 'userCurrentPutFollow' | 'userCurrentDeleteFollow' | 'userBlockUser' | 'userUnblockUser'

async function act({ ask, params }: FormVisit<{ owner: string }>, operation: Act): Promise<string> {
  await ask(operation, { username: params.owner })
  return links.account(params.owner)
}

async function loadProfile(visit: OwnerVisit, user: User): Promise<ProfileView> {
  const username = user.login
  const { actor } = visit.ctx
  const isOwn = actor?.id === user.id
  const isOther = actor !== null && !isOwn
  const tab = tabsFor(visit).find((it) => it === visit.query.get('tab')) ?? 'overview'
  const [organizations, isFollowed, isBlocked, readme, content] = await Promise.all([
    visit.maybe('orgListUserOrgs', { username, limit: 50 }),
    isOther && visit.exists('userCurrentCheckFollowing', { username }),
    isOther && visit.exists('userCheckUserBlock', { username }),
    tab === 'overview' ? profileReadme(visit, username) : null,
    loadTab(visit, { username, isOwn, tab }),
  ])
  return { user, isOwn, organizations: organizations ?? [], isFollowed, isBlocked, tab, readme, content }
}

interface Shown {
  readonly username: string
  readonly isOwn: boolean
  readonly tab: ProfileTab
}

async function loadTab(visit: OwnerVisit, shown: Shown): Promise<Html> {
  const { username, tab } = shown
  const paging = { username, page: pageNumber(visit), limit: LIMIT }
  const now = visit.ctx.now()
  if (tab === 'overview') return loadOverview(visit, shown)
  if (tab === 'activity') return loadActivity(visit, username, LIMIT)
  if (tab === 'followers' || tab === 'following') {
    const operation = tab === 'followers' ? 'userListFollowers' : 'userListFollowing'
    const { items, total } = await visit.list(operation, paging)
    if (total === 0) return empty(words.noFollowers)
    return html`<div class="box">${peopleList(items, now)}</div>${pager(visit, total, LIMIT)}`
  }
  const { items, total } = await visit.list(tab === 'stars' ? 'userListStarred' : 'userListRepos', paging)
  if (total > 0)
    return html`<div class="box">${repositoryList(items, now)}</div>${pager(visit, total, LIMIT)}`
  if (tab === 'stars') return empty(words.noStars)
  return noRepositories(shown)
}

/** The repositories that changed last, and what the user did last. */
async function loadOverview(visit: OwnerVisit, shown: Shown): Promise<Html> {
  const { username, isOwn } = shown
  const now = visit.ctx.now()
  const [pins, { items, total }, activity] = await Promise.all([
    loadPins(visit),
    visit.list('userListRepos', { username, limit: SHOWN }),
    loadActivity(visit, username, SHOWN),
  ])
  const all = html`<a class="small" href="${links.account(username, { tab: 'repositories' })}">${words.repositoryTotal(total)}</a>`
  return html`${showPins(visit, pins, isOwn, items)}${
    total === 0
      ? noRepositories(shown)
      : box(words.repositories, repositoryList(items, now), total > SHOWN && all)
  }${activity}`
}

function noRepositories({ isOwn }: Shown): Html {
  return empty(
    words.noRepositories,
    isOwn && html`<a class="button primary" href="${links.newRepository}">${words.newRepository}</a>`,
  )
}

/** Users can hide their activity; then both are absent. */
async function loadActivity(visit: OwnerVisit, username: string, limit: number): Promise<Html> {
  const now = visit.ctx.now()
  const [days, acts] = await Promise.all([
    visit.maybe('userGetHeatmapData', { username }),
    visit.maybe('userListActivityFeeds', { username, 'only-performed-by': true, limit }),
  ])
  return html`${days && heatmap(days, now)}${
    acts === undefined || acts.length === 0
      ? empty(words.noActivity)
      : html`<div class="box">${feed(acts, now)}</div>`
  }`
}

function showProfile(view: ProfileView, visit: PageVisit): Rendered {
  const { user, tab, readme, content } = view
  const one = (name: ProfileTab, iconName: string, count?: number): Tab => ({
    text: words[name],
    to: links.account(user.login, name === 'overview' ? {} : { tab: name }),
    icon: iconName,
    count,
    isCurrent: name === tab,
  })
  const list = [
    one('overview', 'house'),
    one('repositories', 'book'),
    one('activity', 'activity'),
    one('stars', 'star', user.starred_repos_count),
    one('followers', 'users', user.followers_count),
    one('following', 'user-plus', user.following_count),
  ].slice(0, tabsFor(visit).length)
  return {
    title: user.full_name === '' ? user.login : `${user.login} (${user.full_name})`,
    head: html`<link rel="alternate" type="application/atom+xml" href="${links.account(`${user.login}.atom`)}">`,
    body: html`<div class="columns left profile">${aside(view, visit)}<div>${tabs(list, words.profile)}${
      readme !== null && html`<div class="box box-text">${readme}</div>`
    }${content}</div></div>`,
  }
}

function aside(view: ProfileView, visit: PageVisit): Html {
  const { user, organizations } = view
  return html`<aside class="who">${avatar(user, 160)}<h1>${user.full_name !== '' && html`<span>${user.full_name}</span> `}<small>${user.login}</small></h1>
${user.description !== '' && html`<p>${user.description}</p>`}<div class="actions">${acts(view, visit)}</div><ul class="facts">${facts(user, visit)}</ul>
${organizations.length > 0 && html`<h2>${words.organizations}</h2>${faces(organizations)}`}</aside>`
}

function acts({ user, isOwn, isFollowed, isBlocked }: ProfileView, visit: PageVisit): Html {
  const { actor } = visit.ctx
  if (actor === null) return nothing
  const administer =
    actor.isAdmin &&
    html`<a class="button quiet" href="${links.adminOf('users', user.login)}">${words.admin}</a>`
  if (isOwn) return html`<a class="button" href="${links.settings}">${words.edit}</a>${administer}`
  const follow = isFollowed ? words.unfollow : words.follow
  const block = isBlocked ? words.unblock : words.block
  return html`${formButton(visit, isFollowed ? 'unfollow' : 'follow', follow)}${formButton(visit, isBlocked ? 'unblock' : 'block', block, {}, { tone: 'quiet' })}<a class="button quiet" href="${links.report(links.account(user.login))}">${words.report}</a>${administer}`
}

function facts(user: User, { ctx }: PageVisit): Html[] {
  const { login, location, website, email, created } = user
  const all: [isThere: boolean, icon: string, content: Html | string][] = [
    [location !== '', 'map-pin', location],
    [website !== '', 'link', outsideLink(website)],
    [email !== '' && ctx.actor !== null, 'mail', html`<a href="mailto:${email}">${email}</a>`],
    [true, 'calendar', html`${words.joined} ${time(created, ctx.now())}`],
    [
      true,
      'key',
      html`<a href="${links.account(`${login}.keys`)}">${words.keys}</a> · <a href="${links.account(`${login}.gpg`)}">${words.gpg}</a>`,
    ],
    [true, 'rss', html`<a href="${links.account(`${login}.atom`)}">${words.feed}</a>`],
  ]
  return all
    .filter(([isThere]) => isThere)
    .map(([, iconName, content]) => html`<li>${icon(iconName)} <span>${content}</span></li>`)
}

export const profilePages: readonly Page[] = [profilePage]
