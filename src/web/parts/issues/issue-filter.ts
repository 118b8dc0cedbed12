/** What a list of issues is filtered by: all of it in the address, as parameters or as words in the one field. */
import { type Html, html, type PageVisit, type Piece } from '#platform/page'
import { sameWith } from '../../links.ts'
import { issueWords as words } from '../../words/en/issues.ts'
import { icon, menu } from '../basics.ts'

type Param = keyof typeof words.by_

export interface IssueFilter {
  /** As it was written. */
  readonly q: string
  /** What is left of it without the words that filter. */
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

/** Words in the field win over what the address says besides. */
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

/** As the operations `issueListIssues` and `issueSearchIssues` take it. */
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
  /** How many there are by state, where that is known. */
  readonly counts?: { readonly open?: number; readonly closed?: number }
  /** Parameters that the field must not forget. */
  readonly kept?: readonly string[]
}

/** The field, then the states, then one menu for each thing to filter by. */
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
