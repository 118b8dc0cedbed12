/** Filters of issue lists: kept in the address, as parameters or as keywords in the search field. */
import { type Html, html, type PageVisit, type Piece } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { sameWith } from '../../links.ts'
import { issueWords as words } from '../../words/issues.ts'
import { icon, menu } from '../basics.ts'

type Param = keyof typeof words.by_

export interface IssueFilter {
  /** The search field as entered. */
  readonly q: string
  /** The search text without filter keywords. */
  readonly text: string
  readonly state: 'open' | 'closed' | 'all'
  readonly labels: string
  readonly milestone: string
  readonly assignee: string
  readonly poster: string
}

const STATES = new Set(['open', 'closed', 'all'])
const WORD = /(?:^|\s)(is|label|milestone|assignee|author):(?:"([^"]*)"|(\S+))/g
const NAMES: Readonly<Record<string, 'state' | Param>> = {
  is: 'state',
  label: 'labels',
  milestone: 'milestone',
  assignee: 'assignee',
  author: 'poster',
}

/** Keywords in the field override parameters of the address. */
export function readFilter(query: URLSearchParams, otherwise: IssueFilter['state'] = 'open'): IssueFilter {
  const q = (query.get('q') ?? '').slice(0, 400)
  const said: Record<string, string> = {}
  const text = q.replace(WORD, (_, name: string, quoted?: string, plain?: string) => {
    const key = NAMES[name] ?? ''
    const value = quoted ?? plain ?? ''
    said[key] = key === 'labels' && said[key] !== undefined ? `${said[key]},${value}` : value
    return ' '
  })
  const of = (name: 'state' | Param) => said[name] ?? query.get(name) ?? ''
  const state = of('state')
  return {
    q,
    text: text.replace(/\s+/g, ' ').trim(),
    state: STATES.has(state) ? (state as IssueFilter['state']) : otherwise,
    labels: of('labels'),
    milestone: of('milestone'),
    assignee: of('assignee'),
    poster: of('poster'),
  }
}

/** Whether an issue that is loaded matches: all words in the title, all labels. */
export function matches(filter: IssueFilter, issue: Issue): boolean {
  const { text, state, labels, milestone, assignee, poster } = filter
  const title = issue.title.toLowerCase()
  const wanted = labels.split(',').filter((it) => it !== '')
  return (
    text
      .toLowerCase()
      .split(' ')
      .every((word) => title.includes(word)) &&
    (state === 'all' || issue.state === state) &&
    wanted.every((name) => issue.labels.some((it) => it.name === name)) &&
    (milestone === '' || issue.milestone?.title === milestone) &&
    (assignee === '' || issue.assignees.some(({ login }) => login === assignee)) &&
    (poster === '' || issue.user.login === poster)
  )
}

/** As parameters of `issueListIssues` and `issueSearchIssues`. */
export function askedOf({ text, state, labels, milestone }: IssueFilter) {
  return {
    state,
    ...(text !== '' && { q: text }),
    ...(labels !== '' && { labels }),
    ...(milestone !== '' && { milestones: milestone }),
  }
}

export function isFiltered({ q, state, labels, milestone, assignee, poster }: IssueFilter): boolean {
  return q !== '' || state !== 'open' || [labels, milestone, assignee, poster].some((it) => it !== '')
}

interface Choices {
  readonly param: Param
  readonly options: readonly { readonly value: string; readonly text: Piece }[]
}

interface SearchFacts {
  readonly filter: IssueFilter
  /** Buttons at the end of the line. */
  readonly acts?: Piece
  /** Parameters that the search form must keep. */
  readonly kept?: readonly string[]
}

/** The search field. */
export function searchLine(visit: PageVisit, { filter, acts, kept = [] }: SearchFacts): Html {
  const keeps = ['state', 'labels', 'milestone', 'assignee', 'poster', 'sort', ...kept]
  const fields = keeps.flatMap((name) => {
    const value = visit.query.get(name)
    return value === null ? [] : html`<input type="hidden" name="${name}" value="${value}">`
  })
  return html`<div class="filter"><form action="${visit.path}" role="search" aria-label="${words.filter}">${fields}
<label class="unseen" for="filter-q">${words.filter}</label><input id="filter-q" type="search" name="q" value="${filter.q}" maxlength="400" placeholder="${words.filter}" title="${words.filterHelp}" data-key="f">
<button class="button" aria-label="${words.filter}" title="${words.filter}">${icon('search')}</button></form>${acts}</div>`
}

interface LinkFacts {
  readonly filter: IssueFilter
  readonly choices: readonly Choices[]
  /** Number of issues by state, if known. */
  readonly counts?: { readonly open: number; readonly closed: number }
  /** Whether the list can be in another order. */
  readonly isSorted?: boolean
}

/** States, and one menu for each filter. */
export function filterLinks(visit: PageVisit, { filter, choices, counts, isSorted }: LinkFacts): Html {
  return html`<div class="filter filter-links">${stateLinks(visit, filter, counts)}<span class="grow"></span>${
    isFiltered(filter) && html`<a class="button quiet" href="${visit.path}">${icon('x')}${words.clear}</a>`
  }${choices.map((it) => choiceMenu(visit, filter, it))}${isSorted && sortMenu(visit)}</div>`
}

function stateLinks(visit: PageVisit, filter: IssueFilter, counts: LinkFacts['counts']): Html {
  const one = (state: IssueFilter['state']) => {
    const q = filter.q.replace(/(^|\s)is:\S+/g, ' ').trim()
    const to = sameWith(visit, { state: state === 'open' ? undefined : state, q, page: undefined })
    const count = state === 'all' ? undefined : counts?.[state]
    return html`<a class="button" href="${to}"${state === filter.state && html` aria-current="true"`}>${words.states[state]}${
      count !== undefined && html` <span class="counter">${count}</span>`
    }</a>`
  }
  return html`<div class="buttons">${(['open', 'closed', 'all'] as const).map(one)}</div>`
}

type Sort = keyof typeof words.sorts

/** In the address, as in Gitea's. */
export function sortOf({ query }: Pick<PageVisit, 'query'>): Sort {
  const asked = query.get('sort')
  return asked !== null && Object.hasOwn(words.sorts, asked) ? (asked as Sort) : 'latest'
}

function sortMenu(visit: PageVisit): Html {
  const current = sortOf(visit)
  const one = ([sort, text]: [string, string]) =>
    html`<a class="item" href="${sameWith(visit, { sort: sort === 'latest' ? undefined : sort, page: undefined })}"${sort === current && html` aria-current="true"`}>${text}${sort === current && icon('check')}</a>`
  return menu(
    'sort',
    html`${words.sort}${current !== 'latest' && ' •'}${icon('chevron-down')}`,
    Object.entries(words.sorts).map(one),
    words.sort,
  )
}

function choiceMenu(visit: PageVisit, filter: IssueFilter, { param, options }: Choices): Html {
  const current = filter[param]
  const one = (value: string, text: Piece) =>
    html`<a class="item" href="${sameWith(visit, { [param]: value, page: undefined })}"${value === current && html` aria-current="true"`}>${text}${value === current && icon('check')}</a>`
  const items = html`${one('', words.anything[param])}${options.map(({ value, text }) => one(value, text))}`
  const name = words.by_[param]
  return menu(`filter-${param}`, html`${name}${current !== '' && ' •'}${icon('chevron-down')}`, items, name)
}
