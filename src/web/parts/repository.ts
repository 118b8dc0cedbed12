/** Head of repository pages: name, actions and tabs. */
import type { Abilities } from '#domains/people/access'
import { type Html, html, type PageVisit, type Rendered } from '#platform/page'
import { Problem } from '#platform/problem'
import type { Repository } from '../gen/contract.ts'
import { links, type RepositoryPath } from '../links.ts'
import { repositoryWords as words } from '../words/repository.ts'
import { counter, icon, pill, type Tab, tabs } from './basics.ts'
import { formButton } from './forms.ts'

export type RepositoryTab =
  | 'code'
  | 'issues'
  | 'pulls'
  | 'actions'
  | 'packages'
  | 'projects'
  | 'releases'
  | 'wiki'
  | 'activity'
  | 'settings'

/** A repository with the viewer's abilities and relations. */
export interface RepositoryView {
  readonly repo: Repository
  /** The viewer's abilities. Pages decide by nothing else what to show. */
  readonly may: Abilities
  readonly isStarred: boolean
  readonly isWatched: boolean
}

/** Loads the repository; throws if the viewer may not see it. Every repository page begins with this. */
export async function loadRepository(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const { owner, repo } = visit.params
  const record = await visit.ask('repoGet', { owner, repo })
  const may = await visit.ask('repoGetAbilities', { owner, repo })
  if (visit.ctx.actor === null) return { repo: record, may, isStarred: false, isWatched: false }
  return { repo: record, may, ...(await visit.ask('repoGetTies', { owner, repo })) }
}

/** Pull requests also require read access to code. */
export function mayReadPulls({ may }: Pick<RepositoryView, 'may'>): boolean {
  return may.pulls.read && may.code.read
}

/** For pages that are a form: refuses viewers who may not submit it before they have written anything. */
export function assertAllowed(isAllowed: boolean): void {
  if (!isAllowed) throw new Problem('forbidden', 'write access is required')
}

export interface RepositoryPage extends Omit<Rendered, 'title'> {
  readonly title?: string
  /** Lists and files show no heading; their title is one for screen readers alone. */
  readonly hidesHeading?: boolean
}

/** Wraps a page in the head of its repository, whose name is the heading of its home alone. */
export function inRepository(
  view: RepositoryView,
  tab: RepositoryTab,
  visit: PageVisit,
  { hidesHeading = false, ...shown }: RepositoryPage,
): Rendered {
  const { repo } = view
  const title = shown.title === undefined ? repo.full_name : `${shown.title} · ${repo.full_name}`
  const searchIn = view.may.code.read ? repo.full_name : ''
  const { description } = repo
  return {
    searchIn,
    description,
    ...shown,
    title,
    body: html`${head(view, tab, visit, shown.title === undefined)}${hidesHeading && html`<h1 class="unseen">${shown.title}</h1>`}${shown.body}`,
  }
}

function head(view: RepositoryView, tab: RepositoryTab, visit: PageVisit, isHome: boolean): Html {
  const { repo } = view
  const { owner, name, parent } = repo
  const path = html`<a href="${links.account(owner.login)}">${owner.login}</a> / <strong><a href="${links.repository(repo)}">${name}</a></strong>`
  return html`<header class="repo-head${!isHome && ' sub-page'}"><div class="repo-title">${icon(repo.private ? 'lock' : 'book')}
${isHome ? html`<h1 class="repo-name">${path}</h1>` : html`<p class="repo-name">${path}</p>`}
${repo.private && pill(words.private)}${repo.internal && pill(words.internal)}${repo.archived && pill(words.archived, 'warn', 'archive')}${
  repo.template && pill(words.template)
}${repo.mirror && pill(words.mirror, 'plain', 'refresh-cw')}${
  parent &&
  html`<span class="quiet-text">${words.forkedFrom} <a href="${links.repository(parent)}">${parent.full_name}</a></span>`
}<span class="grow"></span>${acts(view, visit)}</div>${tabs(tabList(view, tab), words.tabs)}</header>`
}

/** These forms belong to the home page of the repository, wherever they are shown. */
function acts({ repo, may, isStarred, isWatched }: RepositoryView, visit: PageVisit): Html {
  const action = links.repository(repo)
  const to = { to: visit.path }
  const stars = html`${icon('star')}${isStarred ? words.unstar : words.star}${counter(repo.stars_count)}`
  const watches = html`${icon(isWatched ? 'eye-off' : 'eye')}${isWatched ? words.unwatch : words.watch}${counter(repo.watchers_count)}`
  // Anonymous users see the button too, and sign in when they press it.
  const mayFork = may.fork || (visit.ctx.actor === null && may.code.read)
  const forks =
    mayFork &&
    html`<a class="button" href="${links.of(repo, 'fork')}">${icon('git-fork')}${words.fork}${counter(repo.forks_count)}</a>`
  if (!may.star) return html`${forks}`
  return html`${formButton(visit, isWatched ? 'unwatch' : 'watch', watches, to, { action })}${formButton(
    visit,
    isStarred ? 'unstar' : 'star',
    stars,
    to,
    { action },
  )}${forks}`
}

/** Tabs of the units that the repository has and the viewer may read. */
function tabList({ repo, may }: RepositoryView, current: RepositoryTab): Tab[] {
  const hasBoards = repo.projects_mode !== 'owner'
  const all: [RepositoryTab, boolean, string, string, string, number?][] = [
    ['code', may.code.read, links.repository(repo), 'code', 'g c'],
    ['issues', may.issues.read, links.of(repo, 'issues'), 'circle-dot', 'g i', repo.open_issues_count],
    [
      'pulls',
      mayReadPulls({ may }),
      links.of(repo, 'pulls'),
      'git-pull-request',
      'g p',
      repo.open_pr_counter,
    ],
    ['actions', may.actions.read, links.of(repo, 'actions'), 'circle-play', 'g r'],
    ['packages', may.packages.read, links.of(repo, 'packages'), 'package', 'g k'],
    ['projects', may.projects.read && hasBoards, links.of(repo, 'projects'), 'square-kanban', 'g b'],
    ['releases', may.releases.read, links.of(repo, 'releases'), 'tag', 'g l', repo.release_counter],
    ['wiki', may.wiki.read, links.of(repo, 'wiki'), 'book-open', 'g w'],
    ['activity', true, links.of(repo, 'activity'), 'activity', 'g a'],
    ['settings', may.admin, links.of(repo, 'settings'), 'settings', 'g s'],
  ]
  return all
    .filter(([, isThere]) => isThere)
    .map(([name, , to, iconName, key, count]) => ({
      text: words[name],
      to,
      icon: iconName,
      key,
      count,
      isCurrent: name === current,
    }))
}
