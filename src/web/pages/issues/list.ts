/** Issues of a repository: a list filtered by the address, with bulk edit. */

import type { StateCounts } from '#domains/work/issues'
import type { SavedView } from '#domains/work/views'
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import type { Issue, Label, Milestone, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { empty, icon, label } from '../../parts/basics.ts'
import { BULK_ISLANDS, bulkForm, bulkList } from '../../parts/issues/bulk-edit.ts'
import { findInList } from '../../parts/issues/find-in-list.ts'
import {
  filterLinks,
  type IssueFilter,
  isFiltered,
  readFilter,
  searchLine,
} from '../../parts/issues/issue-filter.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { loadLabels } from '../../parts/issues/load-facts.ts'
import { savedViews } from '../../parts/issues/saved-views.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { issueListWords, issueWords } from '../../words/issues.ts'

const words = issueListWords
const ROWS = 25

interface ListView {
  readonly view: RepositoryView
  readonly filter: IssueFilter
  readonly issues: readonly Issue[]
  readonly total: number
  readonly counts: StateCounts
  readonly pinned: readonly Issue[]
  readonly labels: readonly Label[]
  readonly milestones: readonly Milestone[]
  readonly people: readonly User[]
  readonly views: readonly SavedView[]
}

const listPage = page({
  path: '/:owner/:repo/issues',
  load: async (visit): Promise<ListView> => {
    const view = await loadRepository(visit)
    const { owner, repo } = visit.params
    const filter = readFilter(visit.query)
    const isPlain = !isFiltered(filter) && pageNumber(visit) === 1
    const { actor } = visit.ctx
    const [listed, pinned, labels, milestones, people, views] = await Promise.all([
      findInList(visit, 'issues', filter, ROWS),
      isPlain ? visit.ask('repoListPinnedIssues', { owner, repo }) : [],
      loadLabels(visit, view.repo),
      visit.ask('issueGetMilestonesList', { owner, repo, state: 'open', limit: 50 }),
      actor === null ? [] : visit.maybe('repoGetAssignees', { owner, repo }),
      actor === null ? [] : visit.ask('viewsList', { path: visit.path }),
    ])
    return {
      view,
      filter,
      issues: listed.items,
      total: listed.total,
      counts: listed.counts,
      pinned,
      labels,
      milestones,
      people: people ?? [],
      views,
    }
  },
  show: (shown, visit) => {
    const { view } = shown
    return inRepository(view, 'issues', visit, {
      title: issueWords.title,
      hidesHeading: true,
      islands: BULK_ISLANDS,
      body: html`${bar(visit, shown)}${savedViews(visit, shown.views)}${pins(visit, shown)}${list(visit, shown)}`,
    })
  },
  forms: { bulk: bulkForm },
})

function bar(visit: PageVisit, { view, filter }: ListView): Html {
  const { repo } = view
  const acts = html`<a class="button" href="${links.of(repo, 'labels')}">${icon('tag')}${words.labels}</a><a class="button" href="${links.of(repo, 'milestones')}">${icon('milestone')}${words.milestones}</a>${
    mayOpen(visit, view) &&
    html`<a class="button primary" href="${links.of(repo, 'issues', 'new', 'choose')}" data-key="c">${words.new}</a>`
  }`
  return searchLine(visit, { filter, acts })
}

function head(visit: PageVisit, { filter, labels, milestones, people, counts }: ListView): Html {
  const persons = people.map(({ login }) => ({ value: login, text: login }))
  return filterLinks(visit, {
    filter,
    counts,
    isSorted: true,
    choices: [
      { param: 'labels', options: labels.map((it) => ({ value: it.name, text: label(it) })) },
      { param: 'milestone', options: milestones.map(({ title }) => ({ value: title, text: title })) },
      ...(persons.length === 0
        ? []
        : ([
            { param: 'assignee', options: persons },
            { param: 'poster', options: persons },
          ] as const)),
    ],
  })
}

/** Anonymous users see the button too, and sign in when they press it. */
function mayOpen({ ctx }: PageVisit, { repo, may }: RepositoryView): boolean {
  return may.issues.join || (ctx.actor === null && may.issues.read && !repo.archived)
}

function pins(visit: PageVisit, { pinned }: ListView): Html {
  if (pinned.length === 0) return nothing
  return html`<section class="box"><header class="box-head"><h2>${icon('pin')} ${words.pinned}</h2></header>${issueRows(visit, pinned)}</section>`
}

function list(visit: PageVisit, shown: ListView): Html {
  const { view, filter, total } = shown
  const nothing = isFiltered(filter)
    ? empty(issueWords.nothing, html`<p>${issueWords.nothingHelp}</p>`)
    : empty(
        words.first,
        html`<p>${words.firstHelp}</p>`,
        mayOpen(visit, view) &&
          html`<p><a class="button primary" href="${links.of(view.repo, 'issues', 'new', 'choose')}">${words.new}</a></p>`,
      )
  return html`${bulkList(visit, { ...shown, head: head(visit, shown), nothing, mayWrite: view.may.issues.write })}${pager(visit, total, ROWS)}`
}

export const listPages: readonly Page[] = [listPage]
