/** Filters of issue lists: kept in the address, as parameters or as keywords in the search field. */
import { type Html, html, type PageVisit, type Piece } from '#platform/page'
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
export function readFilter(query: URLSearchParams): IssueFilter {
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
    state: STATES.has(state) ? (state as IssueFilter['state']) : 'open',
    labels: of('labels'),
    milestone: of('milestone'),
    assignee: of('assignee'),
    poster: of('poster'),
  }
}

/** As parameters of `issueListIssues` and `issueSearchIssues`. */
export function askedOf({ text, state, labels, milestone }: IssueFilter) {
  return { state, q: or(text), labels: or(labels), milestones: or(milestone) }
}

export function isFiltered({ q, state, labels, milestone, assignee, poster }: IssueFilter): boolean {
  return q !== '' || state !== 'open' || [labels, milestone, assignee, poster].some((it) => it !== '')
}

interface Choices {
  readonly param: Param
  readonly options: readonly { readonly value: string; readonly text: Piece }[]
}

interface FilterFacts {
  readonly filter: IssueFilter
  readonly choices: readonly Choices[]
  /** Buttons at the end of the line. */
  readonly acts?: Piece
  /** Number of issues by state, if known. */
  readonly counts?: { readonly open?: number; readonly closed?: number }
  /** Parameters that the search form must keep. */
  readonly kept?: readonly string[]
}

/** Search field, states, and one menu for each filter. */
export function filterBar(visit: PageVisit, { filter, choices, acts, kept = [] }: FilterFacts): Html {
  const keeps = ['state', 'labels', 'milestone', 'assignee', 'poster', 'sort', ...kept]
  const fields = keeps.flatMap((name) => {
    const value = visit.query.get(name)
    return value === null ? [] : html`<input type="hidden" name="${name}" value="${value}">`
  })
  return html`<div class="filter"><form action="${visit.path}" role="search" aria-label="${words.filter}">${fields}
<label class="unseen" for="filter-q">${words.filter}</label><input id="filter-q" type="search" name="q" value="${filter.q}" maxlength="400" placeholder="${words.filter}" title="${words.filterHelp}" data-key="f">
<button class="button" aria-label="${words.filter}" title="${words.filter}">${icon('search')}</button></form>${acts}</div>
<div class="filter filter-links">${stateLinks(visit, filter)}<span class="grow"></span>${choices.map((it) => choiceMenu(visit, filter, it))}${
    isFiltered(filter) && html`<a class="button quiet" href="${visit.path}">${icon('x')}${words.clear}</a>`
  }</div>`
}

function stateLinks(visit: PageVisit, filter: IssueFilter): Html {
  const one = (state: IssueFilter['state']) => {
    const q = filter.q.replace(/(^|\s)is:\S+/g, ' ').trim()
    const to = sameWith(visit, { state: state === 'open' ? undefined : state, q, page: undefined })
    return html`<a class="button" href="${to}"${state === filter.state && html` aria-current="true"`}>${words.states[state]}</a>`
  }
  return html`<div class="buttons">${(['open', 'closed', 'all'] as const).map(one)}</div>`
}

function choiceMenu(visit: PageVisit, filter: IssueFilter, { param, options }: Choices): Html {
  const current = filter[param]
  const one = (value: string, text: Piece) =>
    html`<a class="item" href="${sameWith(visit, { [param]: value, page: undefined })}"${value === current && html` aria-current="true"`}>${text}${value === current && icon('check')}</a>`
  const items = html`${one('', words.anything[param])}${options.map(({ value, text }) => one(value, text))}`
  const name = words.by_[param]
  return menu(`filter-${param}`, html`${name}${current !== '' && ' •'}${icon('chevron-down')}`, items, name)
}

function or(text: string): string | undefined {
  return text === '' ? undefined : text
}
