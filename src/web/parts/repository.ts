/** What stands above every page of a repository: its name, what can be done with it, and its tabs. */
import { type Html, html, type PageVisit, type Shown } from '#platform/page'
import type { Repository } from '../gen/contract.ts'
import { links, type RepositoryPath } from '../links.ts'
import { repositoryWords as words } from '../words/en/repository.ts'
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

/** A repository as its head shows it. */
export interface RepositoryView {
  readonly repo: Repository
  readonly isStarred: boolean
  readonly isWatched: boolean
}

/** Opens the repository: whoever may not see it ends here. Every page of one begins with this. */
export async function loadRepository(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const { owner, repo } = visit.params
  const record = await visit.ask('repoGet', { owner, repo })
  if (visit.ctx.actor === null) return { repo: record, isStarred: false, isWatched: false }
  const [isStarred, isWatched] = await Promise.all([
    visit.holds('userCurrentCheckStarring', { owner, repo }),
    visit.holds('userCurrentCheckSubscription', { owner, repo }),
  ])
  return { repo: record, isStarred, isWatched }
}

/** A page of a repository. */
export function inRepository(
  view: RepositoryView,
  tab: RepositoryTab,
  visit: PageVisit,
  shown: Omit<Shown, 'title'> & { readonly title?: string },
): Shown {
  const { repo } = view
  const title = shown.title === undefined ? repo.full_name : `${shown.title} · ${repo.full_name}`
  return { ...shown, title, body: html`${head(view, tab, visit)}${shown.body}` }
}

function head(view: RepositoryView, tab: RepositoryTab, visit: PageVisit): Html {
  const { repo } = view
  const { owner, name, parent } = repo
  return html`<header class="repo-head"><div class="repo-title">${icon(repo.private ? 'lock' : 'book')}
<h1><a href="${links.account(owner.login)}">${owner.login}</a> / <strong><a href="${links.repository(repo)}">${name}</a></strong></h1>
${repo.private && pill(words.private)}${repo.internal && pill(words.internal)}${repo.archived && pill(words.archived, 'warn', 'archive')}${
  repo.template && pill(words.template)
}${repo.mirror && pill(words.mirror, 'plain', 'refresh-cw')}${
  parent &&
  html`<span class="quiet-text">${words.forkedFrom} <a href="${links.repository(parent)}">${parent.full_name}</a></span>`
}<span class="grow"></span>${acts(view, visit)}</div>${tabs(tabList(repo, tab), words.tabs)}</header>`
}

/** Forms of the page of the repository itself, wherever they are sent from. */
function acts({ repo, isStarred, isWatched }: RepositoryView, visit: PageVisit): Html {
  const action = links.repository(repo)
  const to = { to: visit.path }
  const stars = html`${icon('star')}${isStarred ? words.unstar : words.star}${counter(repo.stars_count)}`
  const watches = html`${icon(isWatched ? 'eye-off' : 'eye')}${isWatched ? words.unwatch : words.watch}${counter(repo.watchers_count)}`
  const forks = html`<a class="button" href="${links.of(repo, 'fork')}">${icon('git-fork')}${words.fork}${counter(repo.forks_count)}</a>`
  if (visit.ctx.actor === null) return forks
  return html`${formButton(visit, isWatched ? 'unwatch' : 'watch', watches, to, { action })}${formButton(
    visit,
    isStarred ? 'unstar' : 'star',
    stars,
    to,
    { action },
  )}${forks}`
}

function tabList(repo: Repository, current: RepositoryTab): Tab[] {
  const all: [RepositoryTab, boolean, string, string, string, number?][] = [
    ['code', repo.has_code, links.repository(repo), 'code', 'g c'],
    ['issues', repo.has_issues, links.of(repo, 'issues'), 'circle-dot', 'g i', repo.open_issues_count],
    [
      'pulls',
      repo.has_pull_requests,
      links.of(repo, 'pulls'),
      'git-pull-request',
      'g p',
      repo.open_pr_counter,
    ],
    ['actions', repo.has_actions, links.of(repo, 'actions'), 'circle-play', 'g r'],
    ['packages', repo.has_packages, links.of(repo, 'packages'), 'package', 'g k'],
    ['projects', repo.has_projects, links.of(repo, 'projects'), 'square-kanban', 'g b'],
    ['releases', repo.has_releases, links.of(repo, 'releases'), 'tag', 'g l', repo.release_counter],
    ['wiki', repo.has_wiki, links.of(repo, 'wiki'), 'book-open', 'g w'],
    ['activity', repo.has_code, links.of(repo, 'activity'), 'activity', 'g a'],
    ['settings', repo.permissions.admin, links.of(repo, 'settings'), 'settings', 'g s'],
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
