/** Stargazers, watchers, forks and activity of a repository. */
import {
  html,
  type ItemOf,
  type Page,
  type PageVisit,
  type ParamsOf,
  type Piece,
  page,
  type Rendered,
} from '#platform/page'
import { links, type RepositoryPath } from '../../../links.ts'
import { empty, icon } from '../../../parts/basics.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { feed } from '../../../parts/people/feed.ts'
import { peopleList } from '../../../parts/people/people-list.ts'
import {
  inRepository,
  loadRepository,
  type RepositoryTab,
  type RepositoryView,
} from '../../../parts/repository.ts'
import { repositoryList } from '../../../parts/repository-list.ts'
import { activityWords as words } from '../../../words/activity.ts'

interface AroundView<Item> {
  readonly repository: RepositoryView
  readonly items: readonly Item[]
  readonly total: number
}

const LIMIT = 30

type ListId = 'repoListStargazers' | 'repoListSubscribers' | 'listForks' | 'repoListActivityFeeds'

async function loadList<Id extends ListId>(
  visit: PageVisit<RepositoryPath>,
  id: Id,
): Promise<AroundView<ItemOf<Id>>> {
  const { owner, repo } = visit.params
  const repository = await loadRepository(visit)
  const given: ParamsOf<ListId> = { owner, repo, page: pageNumber(visit), limit: LIMIT }
  const { items, total } = await visit.list(id, given as ParamsOf<Id>)
  return { repository, items, total }
}

function showList(
  { repository, items, total }: AroundView<unknown>,
  visit: PageVisit,
  facts: {
    readonly title: string
    readonly none: Piece
    readonly list: Piece
    readonly tab?: RepositoryTab
    readonly acts?: Piece
  },
): Rendered {
  const { title, none, list, tab = 'code', acts } = facts
  const content = items.length === 0 ? none : list
  return inRepository(repository, tab, visit, {
    title,
    body: html`<div class="code-head"><h1>${title}</h1><span class="grow"></span>${acts}</div><section class="box">${content}</section>${pager(visit, total, LIMIT)}`,
  })
}

const starsPage = page({
  path: '/:owner/:repo/stars',
  load: (visit) => loadList(visit, 'repoListStargazers'),
  show: (view, visit) =>
    showList(view, visit, {
      title: words.stars,
      none: empty(words.noStars),
      list: peopleList(view.items, visit.ctx.now()),
    }),
})

const watchersPage = page({
  path: '/:owner/:repo/watchers',
  load: (visit) => loadList(visit, 'repoListSubscribers'),
  show: (view, visit) =>
    showList(view, visit, {
      title: words.watchers,
      none: empty(words.noWatchers),
      list: peopleList(view.items, visit.ctx.now()),
    }),
})

const forksPage = page({
  path: '/:owner/:repo/forks',
  load: (visit) => loadList(visit, 'listForks'),
  show: (view, visit) => {
    const make = html`<a class="button" href="${links.of(view.repository.repo, 'fork')}">${icon('git-fork')}${words.fork}</a>`
    return showList(view, visit, {
      title: words.forks,
      none: empty(words.noForks, html`<p>${words.noForksHelp}</p>`, make),
      list: repositoryList(view.items, visit.ctx.now()),
    })
  },
})

const activityPage = page({
  path: '/:owner/:repo/activity',
  load: (visit) => loadList(visit, 'repoListActivityFeeds'),
  show: (view, visit) => {
    const { repo } = view.repository
    return showList(view, visit, {
      title: words.activity,
      tab: 'activity',
      none: empty(words.noActivity),
      list: feed(view.items, visit.ctx.now()),
      acts: html`<a class="button" href="${links.repository(repo)}.atom">${icon('rss')}${words.feed}</a>`,
    })
  },
})

export const activityPages: readonly Page[] = [starsPage, watchersPage, forksPage, activityPage]
