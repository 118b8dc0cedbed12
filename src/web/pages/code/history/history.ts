/** The history of a branch, folder or file, by day. */
import type { State } from '#domains/code/statuses'
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import type { Commit } from '../../../gen/contract.ts'
import { links } from '../../../links.ts'
import { empty, icon, time } from '../../../parts/basics.ts'
import { copyButton, pathTrail, refSwitcher, shortId } from '../../../parts/code/code-head.ts'
import { authorOf, checkSign, subjectOf, verifiedPill } from '../../../parts/code/commit-line.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository } from '../../../parts/repository.ts'
import { codeWords as words } from '../../../words/code.ts'
import { type CodeView, loadCode, type PlacePath } from '../files/place.ts'

interface Filter {
  readonly since: string
  readonly until: string
  readonly author: string
  readonly q: string
}

interface HistoryView extends CodeView {
  readonly commits: readonly Commit[]
  readonly total: number
  readonly filter: Filter
  /** By commit. */
  readonly states: ReadonlyMap<string, State>
}

const LIMIT = 50
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TEXT_MAX = 200

const historyPage = page({
  path: '/:owner/:repo/commits/:kind/*place',
  load: loadHistory,
  show: showHistory,
})

async function loadHistory(visit: PageVisit<PlacePath>): Promise<HistoryView> {
  const { owner, repo } = visit.params
  const view = await loadCode(visit)
  const { path, ref } = view.place
  const filter = readFilter(visit.query)
  const { since, until, author, q } = filter
  const { items, total } = await visit.ask('repoListHistory', {
    owner,
    repo,
    sha: ref,
    ...(path !== '' && { path }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && { until: `${until}T23:59:59Z` }),
    ...(author !== '' && { author }),
    ...(q !== '' && { q }),
    page: pageNumber(visit),
    limit: LIMIT,
  })
  const shas = items.map(({ sha }) => sha)
  const states = await visit.ask('repoListStates', { owner, repo }, { shas })
  return { ...view, commits: items, total, filter, states }
}

function readFilter(query: URLSearchParams): Filter {
  const text = (name: string) =>
    (query.get(name) ?? '')
      .replace(/[\n\r\0]/g, ' ')
      .trim()
      .slice(0, TEXT_MAX)
  return {
    since: dayIn(query.get('since')),
    until: dayIn(query.get('until')),
    author: text('author'),
    q: text('q'),
  }
}

function dayIn(text: string | null): string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

function showHistory(view: HistoryView, visit: PageVisit): Rendered {
  const { repository, place, refs, commits, total, filter } = view
  const { repo } = repository
  const here = links.commits(repo, place, place.path)
  const switcher = refSwitcher(repo, place, refs, (ref) => links.commits(repo, ref, place.path))
  const isFiltered = Object.values(filter).some((it) => it !== '')
  const list =
    commits.length === 0
      ? empty(
          words.noCommits,
          isFiltered && html`<p><a class="button" href="${here}">${icon('x')}${words.clearFilter}</a></p>`,
        )
      : byDay(commits).map(
          ([day, some]) =>
            html`<h2 class="day">${icon('git-commit-horizontal')}${words.commitsOn(day)}</h2><ul class="box rows dense">${some.map((it) => commitRow(view, it, visit.ctx.now()))}</ul>`,
        )
  return inRepository(repository, 'code', visit, {
    title: words.historyOf(place.path || place.name),
    hidesHeading: true,
    head: html`<link rel="alternate" type="application/atom+xml" title="${repo.full_name}" href="${links.repository(repo)}.atom">`,
    body: html`<div class="code-head">${switcher}${pathTrail(repo, place, place.path, (folder) => links.commits(repo, place, folder))}<span class="quiet-text">${words.commitCount(total)}</span></div>${filterForm(here, filter)}${list}${pager(visit, total, LIMIT)}`,
  })
}

function filterForm(here: string, { since, until, author, q }: Filter): Html {
  const day = (name: string, label: string, value: string) =>
    html`<label>${label} <input type="date" name="${name}" value="${value}"></label>`
  const text = (name: string, label: string, value: string) =>
    html`<label class="unseen" for="history-${name}">${label}</label><input id="history-${name}" type="search" name="${name}" value="${value}" placeholder="${label}" maxlength="${TEXT_MAX}">`
  return html`<form class="days" action="${here}" role="search" aria-label="${words.filter}">${text('q', words.inMessage, q)}${text('author', words.author, author)}${day('since', words.since, since)}${day('until', words.until, until)}
<button class="button" type="submit">${words.filter}</button></form>`
}

/** Days in the committer's time zone. */
function byDay(commits: readonly Commit[]): [string, Commit[]][] {
  const days = new Map<string, Commit[]>()
  for (const commit of commits) {
    const day = commit.commit.committer.date.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), commit])
  }
  return [...days]
}

function commitRow({ repository: { repo }, place, states }: HistoryView, commit: Commit, now: Date): Html {
  const { sha } = commit
  const { message, committer } = commit.commit
  const rest = message.slice(message.split('\n', 1)[0]?.length ?? 0).trim()
  return html`<li class="row"><div class="grow"><a class="title" href="${links.commit(repo, sha)}">${subjectOf(message)}</a>${
    rest !== '' &&
    html`<details class="message"><summary aria-label="${words.message}">…</summary><pre>${rest}</pre></details>`
  }</div><div class="line-facts quiet-text">${authorOf(commit, 16)}${time(committer.date, now)}${verifiedPill(commit)}${checkSign(states.get(sha))}</div>
<a class="mono" href="${links.commit(repo, sha)}">${shortId(sha)}</a>${copyButton(sha, words.copyId)}<a class="button quiet" href="${links.source(repo, { kind: 'commit', name: sha }, place.path)}" aria-label="${words.browseHere}" title="${words.browseHere}">${icon('code')}</a></li>`
}

export const historyPages: readonly Page[] = [historyPage]
