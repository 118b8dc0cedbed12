/** Global search, from the top bar. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { links, sameWith } from '../../links.ts'
import { empty, icon, tabs } from '../../parts/basics.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { peopleList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { searchBar } from '../../parts/search-bar.ts'
import { exploreWords as words } from '../../words/en/explore.ts'

const LIMIT = 20

const searchPage = page({
  path: '/search',
  load: async (visit) => {
    const q = visit.query.get('q')?.trim() ?? ''
    const tab = tabOf(visit)
    if (q === '') return { q, tab, found: null }
    return { q, tab, found: await search(visit, q, tab) }
  },
  show: ({ q, tab, found }, visit) => {
    const list = (['repositories', 'issues', 'people'] as const).map((it) => ({
      text: words[it],
      to: sameWith(visit, { type: it === 'repositories' ? undefined : it, page: undefined }),
      isCurrent: it === tab,
    }))
    return {
      title: words.searchTitle(q),
      body: html`<h1>${words.search}</h1>${searchBar({ label: words.search, value: q, more: tab !== 'repositories' && html`<input type="hidden" name="type" value="${tab}">` })}${tabs(list, words.search)}${
        found === null
          ? empty(words.type)
          : html`<p class="quiet-text">${words.found(found.total)}</p>${found.total > 0 && html`<div class="box">${found.list}</div>`}${pager(visit, found.total, LIMIT)}`
      }`,
    }
  },
})

type SearchTab = 'repositories' | 'issues' | 'people'

function tabOf({ query }: PageVisit): SearchTab {
  const asked = query.get('type')
  return asked === 'issues' || asked === 'people' ? asked : 'repositories'
}

async function search(visit: PageVisit, q: string, tab: SearchTab): Promise<{ total: number; list: Html }> {
  const paging = { q, page: pageNumber(visit), limit: LIMIT }
  const now = visit.ctx.now()
  if (tab === 'people') {
    const { items, total } = await visit.list('userSearch', paging)
    return { total, list: peopleList(items, now) }
  }
  if (tab === 'issues') {
    const { items, total } = await visit.list('issueSearchIssues', { ...paging, state: 'all' })
    return { total, list: issueLines(items) }
  }
  const { items, total } = await visit.list('repoSearch', { ...paging, includeDesc: true })
  return { total, list: repositoryList(items, now) }
}

interface FoundIssue {
  readonly number: number
  readonly title: string
  readonly state: string
  readonly pull_request?: unknown
  readonly repository?: { readonly full_name: string } | null | undefined
}

function issueLines(issues: readonly FoundIssue[]): Html {
  const one = ({ number, title, state, pull_request, repository }: FoundIssue) => {
    const isPull = pull_request !== null && pull_request !== undefined
    const place = { full_name: repository?.full_name ?? '' }
    const to = isPull ? links.pull(place, number) : links.issue(place, number)
    return html`<li class="row">${icon(isPull ? 'git-pull-request' : state === 'open' ? 'circle-dot' : 'circle-check', state)}
<div class="grow"><a class="title" href="${to}">${title}</a><p class="row-facts"><span>${place.full_name}#${number}</span></p></div></li>`
  }
  return html`<ul class="rows">${issues.map(one)}</ul>`
}

export const searchPages: readonly Page[] = [searchPage]
