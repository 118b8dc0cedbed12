/** Repositories, users and organizations that the viewer may see. */
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { links, sameWith } from '../../links.ts'
import { empty, type Tab, tabs } from '../../parts/basics.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { organizationList, peopleList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { choose, chosen, searchBar } from '../../parts/search-bar.ts'
import { exploreWords as words } from '../../words/explore.ts'

const LIMIT = 20

const repositoriesPage = page({
  path: '/explore/repos',
  load: (visit) => {
    const { query } = visit
    const sort = chosen(query, 'sort', words.sorts, 'updated')
    const kind = chosen(query, 'kind', words.kinds, 'all')
    return visit.list('repoSearch', {
      q: query.get('q') ?? '',
      ...(query.get('topic') === 'true' ? { topic: true } : { includeDesc: true }),
      ...(kind === 'template' ? { template: true } : kind === 'all' ? {} : { mode: kind }),
      sort,
      order: sort === 'alpha' ? 'asc' : 'desc',
      page: pageNumber(visit),
      limit: LIMIT,
    })
  },
  show: ({ items, total }, visit) => {
    const { query, ctx } = visit
    const value = query.get('q') ?? ''
    const isTopic = query.get('topic') === 'true'
    const sort = chosen(query, 'sort', words.sorts, 'updated')
    const more = html`${choose('kind', words.kind, words.kinds, chosen(query, 'kind', words.kinds, 'all'))}${choose('sort', words.sort, words.sorts, sort)}`
    return explored(
      visit,
      'repositories',
      html`${searchBar({ label: words.searchRepositories, value: isTopic ? '' : value, more })}${
        isTopic &&
        html`<p>${words.topic(value)} <a href="${sameWith(visit, { topic: undefined, q: undefined })}">${words.everyTopic}</a></p>`
      }${
        items.length > 0
          ? html`<div class="box">${repositoryList(items, ctx.now())}</div>${pager(visit, total, LIMIT)}`
          : nothingThere(visit, value)
      }`,
    )
  },
})

function nothingThere({ ctx }: PageVisit, value: string): Html {
  if (value !== '') return empty(words.noRepositories)
  return empty(
    words.noRepositoriesYet,
    ctx.actor !== null && html`<a class="button primary" href="${links.newRepository}">${words.makeOne}</a>`,
  )
}

const peoplePage = page({
  path: '/explore/users',
  load: (visit) =>
    visit.list('userSearch', { q: visit.query.get('q') ?? '', page: pageNumber(visit), limit: LIMIT }),
  show: ({ items, total }, visit) =>
    explored(
      visit,
      'people',
      html`${searchBar({ label: words.searchPeople, value: visit.query.get('q') ?? '' })}${
        items.length > 0
          ? html`<div class="box">${peopleList(items, visit.ctx.now())}</div>${pager(visit, total, LIMIT)}`
          : empty(words.nobody)
      }`,
    ),
})

const organizationsPage = page({
  path: '/explore/organizations',
  load: (visit) => visit.list('orgGetAll', { page: pageNumber(visit), limit: LIMIT }),
  show: ({ items, total }, visit) =>
    explored(
      visit,
      'organizations',
      items.length > 0
        ? html`<div class="box">${organizationList(items)}</div>${pager(visit, total, LIMIT)}`
        : empty(words.noOrganizations),
    ),
})

type Subject = 'repositories' | 'people' | 'organizations'

function explored(_visit: PageVisit, current: Subject, content: Html): Rendered {
  const one = (subject: Subject, to: string, iconName: string): Tab => ({
    text: words[subject],
    to,
    icon: iconName,
    isCurrent: subject === current,
  })
  const list = [
    one('repositories', links.explore, 'book'),
    one('people', links.exploreUsers, 'users'),
    one('organizations', links.exploreOrganizations, 'building'),
  ]
  return {
    title: `${words[current]} · ${words.title}`,
    body: html`<h1 class="unseen">${words.title}</h1>${tabs(list, words.title)}${content}`,
  }
}

export const listPages: readonly Page[] = [repositoriesPage, peoplePage, organizationsPage]
