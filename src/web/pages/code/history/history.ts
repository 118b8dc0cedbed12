/** The history of a branch, folder or file, by day. */
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import type { Commit } from '../../../gen/contract.ts'
import { links } from '../../../links.ts'
import { empty, icon, time } from '../../../parts/basics.ts'
import { copyButton, pathTrail, refSwitcher, shortId } from '../../../parts/code/code-head.ts'
import { authorOf, subjectOf, verifiedPill } from '../../../parts/code/commit-line.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository } from '../../../parts/repository.ts'
import { codeWords as words } from '../../../words/code.ts'
import { type CodeView, loadCode, type PlacePath } from '../files/place.ts'

interface HistoryView extends CodeView {
  readonly commits: readonly Commit[]
  readonly total: number
  readonly since: string
  readonly until: string
}

/** With a path, the operation ignores `limit`. */
const LIMIT = 50
const DAY = /^\d{4}-\d{2}-\d{2}$/

const historyPage = page({
  path: '/:owner/:repo/commits/:kind/*place',
  load: loadHistory,
  show: showHistory,
})

async function loadHistory(visit: PageVisit<PlacePath>): Promise<HistoryView> {
  const { owner, repo } = visit.params
  const view = await loadCode(visit)
  const { path, ref } = view.place
  const [since, until] = ['since', 'until'].map((name) => dayIn(visit.query.get(name)))
  const { items, total } = await visit.list('repoGetAllCommits', {
    owner,
    repo,
    sha: ref,
    ...(path !== '' && { path }),
    ...(since && { since: `${since}T00:00:00Z` }),
    ...(until && { until: `${until}T23:59:59Z` }),
    stat: false,
    files: false,
    page: pageNumber(visit),
    limit: LIMIT,
  })
  return { ...view, commits: items, total, since: since ?? '', until: until ?? '' }
}

function dayIn(text: string | null): string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

function showHistory(view: HistoryView, visit: PageVisit): Rendered {
  const { repository, place, refs, commits, total } = view
  const { repo } = repository
  const switcher = refSwitcher(repo, place, refs, (ref) => links.commits(repo, ref, place.path))
  const list =
    commits.length === 0
      ? empty(words.noCommits)
      : byDay(commits).map(
          ([day, some]) =>
            html`<h2 class="day">${icon('git-commit-horizontal')}${words.commitsOn(day)}</h2><ul class="box rows two-line">${some.map((it) => commitRow(view, it, visit.ctx.now()))}</ul>`,
        )
  return inRepository(repository, 'code', visit, {
    title: words.historyOf(place.path || place.name),
    head: html`<link rel="alternate" type="application/atom+xml" title="${repo.full_name}" href="${links.repository(repo)}.atom">`,
    body: html`<div class="code-head">${switcher}${pathTrail(repo, place, place.path, (folder) => links.commits(repo, place, folder))}<span class="quiet-text">${words.commitCount(total)}</span>
<span class="grow"></span>${daysForm(view)}</div>${list}${pager(visit, total, LIMIT)}`,
  })
}

function daysForm({ repository: { repo }, place, since, until }: HistoryView): Html {
  const field = (name: string, label: string, value: string) =>
    html`<label>${label} <input type="date" name="${name}" value="${value}"></label>`
  return html`<form class="days" action="${links.commits(repo, place, place.path)}">${field('since', words.since, since)}${field('until', words.until, until)}
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

function commitRow({ repository: { repo }, place }: HistoryView, commit: Commit, now: Date): Html {
  const { sha } = commit
  const { message, committer } = commit.commit
  const rest = message.slice(message.split('\n', 1)[0]?.length ?? 0).trim()
  return html`<li class="row"><div class="grow"><a class="title" href="${links.commit(repo, sha)}">${subjectOf(message)}</a>${
    rest !== '' &&
    html`<details class="message"><summary aria-label="${words.message}">…</summary><pre>${rest}</pre></details>`
  }<div class="spread quiet-text">${authorOf(commit, 16)}<span>${words.committed} ${time(committer.date, now)}</span>${verifiedPill(commit)}</div></div>
<a class="mono" href="${links.commit(repo, sha)}">${shortId(sha)}</a>${copyButton(sha, words.copyId)}<a class="button quiet" href="${links.source(repo, { kind: 'commit', name: sha }, place.path)}" aria-label="${words.browseHere}" title="${words.browseHere}">${icon('code')}</a></li>`
}

export const historyPages: readonly Page[] = [historyPage]
