/** One dense line for each issue or pull request. */
import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import type { Issue, Milestone, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { issueWords as words } from '../../words/issues.ts'
import { avatar, icon, label, stateMark, type Tone, time } from '../basics.ts'

interface Stateful {
  readonly state: string
  readonly pull_request?: { readonly merged: boolean; readonly draft: boolean } | null
}

interface StateFacts {
  readonly word: string
  readonly icon: string
  readonly tone: Tone
}

/** Text, icon and colour of the state of an issue or pull request. */
export function stateOf({ state, pull_request: pull }: Stateful): StateFacts {
  const { open, closed, merged, draft } = words.state
  if (!pull)
    return state === 'open'
      ? { word: open, icon: 'circle-dot', tone: 'good' }
      : { word: closed, icon: 'circle-check', tone: 'done' }
  if (pull.merged) return { word: merged, icon: 'git-merge', tone: 'done' }
  if (state === 'closed') return { word: closed, icon: 'git-pull-request-closed', tone: 'bad' }
  if (pull.draft) return { word: draft, icon: 'git-pull-request-draft', tone: 'plain' }
  return { word: open, icon: 'git-pull-request', tone: 'good' }
}

export function stateIcon(issue: Stateful): Html {
  const { word, icon: name, tone } = stateOf(issue)
  return stateMark(name, tone, word)
}

/** The page of an issue or pull request. */
export function pageOf({
  number,
  pull_request,
  repository,
}: Pick<Issue, 'number' | 'pull_request' | 'repository'>): string {
  return pull_request ? links.pull(repository, number) : links.issue(repository, number)
}

export interface RowFacts {
  /** Show the repository, in lists across repositories. */
  readonly namesRepository?: boolean
  /** Show a checkbox `issue` for the surrounding form. */
  readonly isSelectable?: boolean
  /** Rendered before the assignees: checks, reviews, whose turn it is. */
  readonly extra?: (issue: Issue) => Piece
}

export function issueRows(visit: PageVisit, issues: readonly Issue[], facts: RowFacts = {}): Html {
  return html`<ul class="rows issues">${issues.map((it) => issueRow(visit, it, facts))}</ul>`
}

function issueRow({ ctx, failed }: PageVisit, issue: Issue, facts: RowFacts): Html {
  const { number, title, repository, user, labels, comments, milestone, assignees, created_at } = issue
  const to = pageOf(issue)
  const isSelected = failed?.form === 'bulk' && failed.fields.numbers('issue').includes(number)
  return html`<li class="row" data-row>${
    facts.isSelectable &&
    html`<input type="checkbox" name="issue" value="${number}"${isSelected && html` checked`} aria-label="${words.select(number)}" data-select>`
  }${stateIcon(issue)}<div class="grow"><a class="title" href="${to}" data-open>${title}</a> ${labels.map((it) => html`${label(it)} `)}
<div class="small quiet-text">${facts.namesRepository && html`<a class="quiet-text" href="${links.repository(repository)}">${repository.full_name}</a> `}${words.opened(number)} ${time(created_at, ctx.now())} ${words.by} ${issue.original_author || html`<a class="quiet-text" href="${links.account(user.login)}">${user.login}</a>`}${within(milestone, repository)}</div></div>
${facts.extra?.(issue)}${faces(assignees)}${
  comments > 0 &&
  html`<a class="quiet-text talk" href="${to}" aria-label="${words.comments(comments)}">${icon('message-square')}${comments}</a>`
}</li>`
}

function within(milestone: Milestone | null, repository: Issue['repository']): Html {
  if (milestone === null) return nothing
  return html` <a class="quiet-text" href="${links.milestone(repository, milestone.id)}">${icon('milestone')} ${milestone.title}</a>`
}

export function faces(people: readonly User[]): Html {
  if (people.length === 0) return nothing
  const names = words.assignees(people.map(({ login }) => login).join(', '))
  return html`<span class="faces" role="img" aria-label="${names}" title="${names}">${people.slice(0, 4).map((it) => avatar(it, 20))}</span>`
}
