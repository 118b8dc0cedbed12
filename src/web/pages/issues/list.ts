/** Issues of a repository: a list filtered by the address, with bulk edit. */
import type { SavedView } from '#domains/work/views'
import { type FormVisit, type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { invalid, Problem } from '#platform/problem'
import type { Issue, Label, Milestone, User } from '../../gen/contract.ts'
import { links, type RepositoryPath, sameWith } from '../../links.ts'
import { empty, icon, label } from '../../parts/basics.ts'
import { button, form, select } from '../../parts/forms.ts'
import {
  askedOf,
  filterBar,
  type IssueFilter,
  isFiltered,
  readFilter,
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
      findIssues(visit, filter),
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
      body: html`<h2 class="unseen">${issueWords.title}</h2>${bar(visit, shown)}${savedViews(visit, shown.views)}${pins(visit, shown)}${list(visit, shown)}`,
    })
  },
  forms: {
    bulk: {
      does: ['issueEditIssue', 'issueAddAssignees', 'issueAddLabel', 'issueRemoveLabel'],
      handle: changeAll,
    },
  },
})

/** A filter by an unknown user finds no issues. */
async function findIssues(visit: PageVisit<RepositoryPath>, filter: IssueFilter) {
  const { owner, repo } = visit.params
  try {
    return await visit.list('issueListIssues', {
      owner,
      repo,
      type: 'issues',
      ...askedOf(filter),
      created_by: filter.poster || undefined,
      assigned_by: filter.assignee || undefined,
      page: pageNumber(visit),
      limit: ROWS,
    })
  } catch (error) {
    const isNobody = error instanceof Problem && (error.kind === 'not_found' || error.kind === 'invalid')
    if (!isNobody || (filter.poster === '' && filter.assignee === '')) throw error
    return { items: [], total: 0 }
  }
}

function bar(visit: PageVisit, { view, filter, labels, milestones, people }: ListView): Html {
  const { repo } = view
  const persons = people.map(({ login }) => ({ value: login, text: login }))
  const acts = html`<a class="button" href="${links.of(repo, 'labels')}">${icon('tag')}${words.labels}</a><a class="button" href="${links.of(repo, 'milestones')}">${icon('milestone')}${words.milestones}</a>${
    mayOpen(visit, view) &&
    html`<a class="button primary" href="${links.of(repo, 'issues', 'new', 'choose')}" data-key="c">${words.new}</a>`
  }`
  return filterBar(visit, {
    filter,
    acts,
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
  const { view, filter, issues, total } = shown
  const isWriter = view.may.issues.write
  if (issues.length === 0)
    return isFiltered(filter)
      ? empty(issueWords.nothing, html`<p>${issueWords.nothingHelp}</p>`)
      : empty(
          words.first,
          html`<p>${words.firstHelp}</p>`,
          mayOpen(visit, view) &&
            html`<p><a class="button primary" href="${links.of(view.repo, 'issues', 'new', 'choose')}">${words.new}</a></p>`,
        )
  const rows = html`<div class="box">${issueRows(visit, issues, { isSelectable: isWriter })}</div>`
  const content = isWriter ? form(visit, 'bulk', html`${bulk(shown)}${rows}`) : rows
  return html`${content}${pager(visit, total, ROWS)}`
}

/** Each select is one change; «unchanged» leaves the value. */
function bulk({ labels, milestones, people }: ListView): Html {
  const none = ['', words.unchanged] as const
  const named = labels.map(({ id, name }) => [`${id}`, name] as const)
  return html`<details class="bulk"><summary>${icon('list-checks')} ${words.bulk}</summary><p class="help">${words.bulkHelp}</p><div class="bulk-fields">
${select({ name: 'add_label', label: words.addLabel, options: [none, ...named] })}${select({ name: 'remove_label', label: words.removeLabel, options: [none, ...named] })}
${select({ name: 'milestone', label: words.milestone, options: [none, ['0', words.noMilestone], ...milestones.map(({ id, title }) => [`${id}`, title] as const)] })}
${select({ name: 'assignee', label: words.assign, options: [none, ...people.map(({ login }) => [login, login] as const)] })}</div>
<div class="actions">${button(words.apply, { tone: 'primary' })}${button(words.close, { name: 'state', value: 'closed' })}${button(words.reopen, { name: 'state', value: 'open' })}</div></details>`
}

/** Sequentially, each issue as if edited alone; if one is refused, earlier changes stay. */
async function changeAll(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, fields, params } = visit
  const numbers = fields.numbers('issue').slice(0, ROWS * 2)
  if (numbers.length === 0) throw invalid(words.nothingSelected)
  const state = fields.maybe('state')
  const milestone = fields.number('milestone')
  const assignee = fields.maybe('assignee')
  const [added, removed] = [fields.number('add_label'), fields.number('remove_label')]
  for (const index of numbers) {
    const at = { ...params, index }
    if (state !== undefined || milestone !== undefined)
      await ask('issueEditIssue', at, {
        ...(state !== undefined && { state }),
        ...(milestone !== undefined && { milestone }),
      })
    if (assignee !== undefined) await ask('issueAddAssignees', at, { assignees: [assignee] })
    if (added !== undefined) await ask('issueAddLabel', at, { labels: [added] })
    if (removed !== undefined) await ask('issueRemoveLabel', { ...at, id: removed })
  }
  return sameWith(visit, {})
}

export const listPages: readonly Page[] = [listPage]
