/** Milestones of a repository and their progress. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import type { Issue, Milestone } from '../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt, sameWith } from '../../links.ts'
import { markdown } from '../../markdown.ts'
import { empty, icon, pill } from '../../parts/basics.ts'
import { area, button, field, form, formButton, written } from '../../parts/forms.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { dueText, progressBar } from '../../parts/issues/milestone.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { assertAllowed, inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { milestoneWords as words } from '../../words/issues.ts'

const ROWS = 20

type MilestonePath = RepositoryPath & { readonly id: string }

interface ListView {
  readonly view: RepositoryView
  readonly milestones: readonly Milestone[]
  readonly total: number
  readonly state: string
}

const listPage = page({
  path: '/:owner/:repo/milestones',
  load: async (visit): Promise<ListView> => {
    const view = await loadRepository(visit)
    const { owner, repo } = visit.params
    const state = visit.query.get('state') === 'closed' ? 'closed' : 'open'
    const { items, total } = await visit.list('issueGetMilestonesList', {
      owner,
      repo,
      state,
      page: pageNumber(visit),
      limit: ROWS,
    })
    return { view, milestones: items, total, state }
  },
  show: (shown, visit) =>
    inRepository(shown.view, 'issues', visit, {
      title: words.title,
      hidesHeading: true,
      body: list(visit, shown),
    }),
})

function list(visit: PageVisit, { view, milestones, total, state }: ListView): Html {
  const link = (name: 'open' | 'closed') =>
    html`<a class="button" href="${sameWith(visit, { state: name === 'open' ? undefined : name, page: undefined })}"${name === state && html` aria-current="true"`}>${words[name]}</a>`
  const one = (it: Milestone) =>
    html`<li class="row" data-row>${icon('milestone')}<div class="grow"><a class="title" href="${links.milestone(view.repo, it.id)}" data-open>${it.title}</a>
<p class="row-facts"><span>${dueText(it, visit.ctx.now())}</span></p></div>${progressBar(it)}</li>`
  const make =
    mayPlan(view) &&
    html`<a class="button primary" href="${links.of(view.repo, 'milestones', 'new')}" data-key="c">${words.new}</a>`
  return html`<div class="filter"><div class="buttons">${link('open')}${link('closed')}</div><span class="grow"></span>${milestones.length > 0 && make}</div>${
    milestones.length === 0
      ? empty(words.none, html`<p>${words.noneHelp}</p>`, make)
      : html`<div class="box"><ul class="rows dense">${milestones.map(one)}</ul></div>`
  }${pager(visit, total, ROWS)}`
}

async function loadToPlan(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const view = await loadRepository(visit)
  assertAllowed(mayPlan(view))
  return view
}

/** Milestones belong to issues and pull requests. */
function mayPlan({ may }: RepositoryView): boolean {
  return may.issues.write || may.pulls.write
}

const newPage = page({
  path: '/:owner/:repo/milestones/new',
  requiresSignIn: true,
  load: loadToPlan,
  show: (view, visit) =>
    inRepository(view, 'issues', visit, {
      title: words.new,
      body: html`<h1>${words.new}</h1>${milestoneForm(visit, 'create', words.create)}`,
    }),
  forms: {
    create: {
      does: ['issueCreateMilestone'],
      handle: async (visit) => {
        const { id } = await visit.ask('issueCreateMilestone', visit.params, sent(visit))
        return links.milestone(repositoryAt(visit.params), id)
      },
    },
  },
})

interface OneView {
  readonly view: RepositoryView
  readonly milestone: Milestone
  readonly about: Html
  readonly issues: readonly Issue[]
  readonly total: number
  readonly state: 'open' | 'closed'
}

const onePage = page({
  path: '/:owner/:repo/milestone/:id',
  load: async (visit): Promise<OneView> => {
    const view = await loadRepository(visit)
    const { owner, repo } = visit.params
    const milestone = await visit.ask('issueGetMilestone', visit.params)
    const state = visit.query.get('state') === 'closed' ? 'closed' : 'open'
    const [about, { items, total }] = await Promise.all([
      markdown(visit, milestone.description, view.repo, 'comment'),
      visit.list('issueListIssues', {
        owner,
        repo,
        state,
        milestones: `${milestone.id}`,
        page: pageNumber(visit),
        limit: ROWS,
      }),
    ])
    return { view, milestone, about, issues: items, total, state }
  },
  show: (shown, visit) =>
    inRepository(shown.view, 'issues', visit, { title: shown.milestone.title, body: one(visit, shown) }),
  forms: {
    close: { does: ['issueEditMilestone'], handle: (visit) => setState(visit, 'closed') },
    reopen: { does: ['issueEditMilestone'], handle: (visit) => setState(visit, 'open') },
    delete: {
      does: ['issueDeleteMilestone'],
      handle: async ({ ask, params }) => {
        await ask('issueDeleteMilestone', params)
        return links.of(repositoryAt(params), 'milestones')
      },
    },
  },
})

function one(visit: PageVisit, { view, milestone, about, issues, total, state }: OneView): Html {
  const isOpen = milestone.state === 'open'
  const acts = html`<a class="button" href="${links.of(view.repo, 'milestones', milestone.id, 'edit')}" data-key="e">${icon('pencil')}${words.edit}</a>${
    isOpen ? formButton(visit, 'close', words.close) : formButton(visit, 'reopen', words.reopen)
  }${formButton(visit, 'delete', words.delete, {}, { tone: 'danger' })}`
  const link = (name: 'open' | 'closed', count: number) =>
    html`<a class="button" href="${sameWith(visit, { state: name === 'open' ? undefined : name, page: undefined })}"${name === state && html` aria-current="true"`}>${words[name]} ${count}</a>`
  return html`<div class="issue-title"><h1>${milestone.title}</h1>${mayPlan(view) && html`<div class="actions">${acts}</div>`}</div>
<div class="spread">${pill(isOpen ? words.open : words.closed, isOpen ? 'good' : 'done', 'milestone')}<span class="quiet-text">${dueText(milestone, visit.ctx.now())}</span>${progressBar(milestone)}</div>
<div class="milestone-about">${about}</div><div class="filter"><div class="buttons">${link('open', milestone.open_issues)}${link('closed', milestone.closed_issues)}</div></div>${
    issues.length === 0 ? empty(words.empty) : html`<div class="box">${issueRows(visit, issues)}</div>`
  }${pager(visit, total, ROWS)}`
}

/** Compat: an edit without `due_on` would remove the due date. */
async function setState({ ask, params, path }: FormVisit<MilestonePath>, state: string): Promise<string> {
  const { due_on } = await ask('issueGetMilestone', params)
  await ask('issueEditMilestone', params, { state, ...(due_on !== null && { due_on }) })
  return path
}

const editPage = page({
  path: '/:owner/:repo/milestones/:id/edit',
  requiresSignIn: true,
  load: async (visit) => ({
    view: await loadToPlan(visit),
    milestone: await visit.ask('issueGetMilestone', visit.params),
  }),
  show: ({ view, milestone }, visit) =>
    inRepository(view, 'issues', visit, {
      title: words.edit,
      body: html`<h1>${words.edit}</h1>${milestoneForm(visit, 'edit', words.save, milestone)}`,
    }),
  forms: {
    edit: {
      does: ['issueEditMilestone'],
      handle: async (visit) => {
        const { owner, repo, id } = visit.params
        await visit.ask('issueEditMilestone', visit.params, sent(visit))
        return links.milestone(repositoryAt({ owner, repo }), Number(id))
      },
    },
  },
})

function milestoneForm(visit: PageVisit, name: string, save: string, it?: Milestone): Html {
  const value = (field: string, old = '') => written(visit, name, field, old)
  return form(
    visit,
    name,
    html`${field({ name: 'title', label: words.name, value: value('title', it?.title), isRequired: true, isFocused: visit.failed === null })}
${area({ name: 'description', label: words.description, value: value('description', it?.description) })}
${field({ name: 'due_on', label: words.due, type: 'date', value: value('due_on', it?.due_on?.slice(0, 10)) })}${button(save, { tone: 'primary' })}`,
    { class: 'settings' },
  )
}

/** Compat: this value removes the due date. */
const NEVER = '0001-01-01'

function sent({ fields }: FormVisit): { title: string; description: string; due_on: string } {
  const day = fields.maybe('due_on') ?? NEVER
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw invalid('due_on: must be a day')
  return {
    title: fields.required('title'),
    description: fields.text('description'),
    due_on: `${day}T00:00:00Z`,
  }
}

export const milestonePages: readonly Page[] = [listPage, newPage, editPage, onePage]
