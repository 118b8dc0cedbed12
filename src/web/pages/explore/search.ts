/** Global search, from the top bar. */
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { links, sameWith, withQuery } from '../../links.ts'
import { empty, icon, tabs } from '../../parts/basics.ts'
import { hidden } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { peopleList } from '../../parts/people/people-list.ts'
import { repositoryList } from '../../parts/repository-list.ts'
import { searchBar } from '../../parts/search-bar.ts'
import { exploreWords as words } from '../../words/explore.ts'

const LIMIT = 20

const TABS = ['repositories', 'issues', 'people'] as const
type SearchTab = (typeof TABS)[number]

const searchPage = page({
  path: '/search',
  load: async (visit) => {
    const q = visit.query.get('q')?.trim() ?? ''
    const asked = TABS.find((it) => it === visit.query.get('type'))
    if (q === '') return { q, asked, tab: asked ?? 'repositories', totals: null, list: null }
    const totals = await countAll(visit, q)
    // Without a choice, the first tab that has results.
    const tab = asked ?? TABS.find((it) => totals[it] > 0) ?? 'repositories'
    return { q, asked, tab, totals, list: totals[tab] > 0 ? await search(visit, q, tab) : null }
  },
  show: ({ q, asked, tab, totals, list }, visit) => {
    const all = TABS.map((it) => ({
      text: words[it],
      to: sameWith(visit, { type: it, page: undefined }),
      count: totals?.[it],
      isCurrent: it === tab,
    }))
    return {
      title: words.searchTitle(q),
      body: html`<h1>${words.search}</h1>${searchBar({ label: words.search, value: q, more: asked && hidden('type', asked) })}${inThisRepository(visit, q)}${tabs(all, words.search)}${
        totals === null
          ? empty(words.type)
          : html`<p class="quiet-text">${words.found(totals[tab])}</p>${list && html`<div class="box">${list}</div>`}${pager(visit, totals[tab], LIMIT)}`
      }`,
    }
  },
})

/** The search field of a repository's pages says which repository it is. */
function inThisRepository({ query }: PageVisit, q: string): Html {
  const full_name = query.get('repo') ?? ''
  if (!/^[^/]+\/[^/]+$/.test(full_name)) return nothing
  return html`<p><a href="${withQuery(links.of({ full_name }, 'search'), { q })}">${icon('code')}${words.inRepository(full_name)}</a></p>`
}

async function countAll({ list }: PageVisit, q: string): Promise<Record<SearchTab, number>> {
  const [repositories, issues, people] = await Promise.all([
    list('repoSearch', { q, includeDesc: true, limit: 1 }),
    list('issueSearchIssues', { q, state: 'all', limit: 1 }),
    list('userSearch', { q, limit: 1 }),
  ])
  return { repositories: repositories.total, issues: issues.total, people: people.total }
}

async function search(visit: PageVisit, q: string, tab: SearchTab): Promise<Html> {
  const paging = { q, page: pageNumber(visit), limit: LIMIT }
  const now = visit.ctx.now()
  if (tab === 'people') {
    const { items } = await visit.list('userSearch', paging)
    return peopleList(items, now)
  }
  if (tab === 'issues') {
    const { items } = await visit.list('issueSearchIssues', { ...paging, state: 'all' })
    return issueLines(items)
  }
  const { items } = await visit.list('repoSearch', { ...paging, includeDesc: true })
  return repositoryList(items, now)
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
