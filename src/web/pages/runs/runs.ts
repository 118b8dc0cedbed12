/** Runs of a repository or of one workflow. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import type { ActionWorkflow, ActionWorkflowRun } from '../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt, withQuery } from '../../links.ts'
import { empty, icon, pill, time } from '../../parts/basics.ts'
import { area, button, field, form, formButton, hidden, select, written } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { duration, stateIcon, workflowName } from '../../parts/runs/run-state.ts'
import { runWords as words } from '../../words/runs.ts'

const LIMIT = 30
const STATES = ['', 'success', 'failure', 'in_progress', 'queued', 'waiting', 'cancelled', 'skipped']

interface RunsView {
  readonly view: RepositoryView
  readonly workflows: readonly ActionWorkflow[]
  readonly current: ActionWorkflow | undefined
  readonly runs: readonly ActionWorkflowRun[]
  readonly total: number
}

async function loadRuns(visit: PageVisit<RepositoryPath>): Promise<RunsView> {
  const { params, query } = visit
  const view = await loadRepository(visit)
  const asked = query.get('workflow') ?? ''
  const state = query.get('status') ?? ''
  const where = {
    ...params,
    page: pageNumber(visit),
    limit: LIMIT,
    ...(state !== '' && { status: [state] }),
    ...(query.get('actor') && { actor: query.get('actor') ?? '' }),
    ...(query.get('branch') && { branch: query.get('branch') ?? '' }),
  }
  const [listed, runs] = await Promise.all([
    visit.maybe('ActionsListRepositoryWorkflows', params),
    asked === ''
      ? visit.ask('getWorkflowRuns', where)
      : visit.ask('ActionsListWorkflowRuns', { ...where, workflow_id: asked }),
  ])
  const workflows = listed?.workflows ?? []
  return {
    view,
    workflows,
    current: workflows.find(({ id }) => id === asked),
    runs: runs.workflow_runs,
    total: runs.total_count,
  }
}

const runsPage = page({
  path: '/:owner/:repo/actions',
  requiresSignIn: true,
  load: loadRuns,
  show: (loaded, visit) => {
    const { view, workflows, current, runs, total } = loaded
    const { repo } = view
    const to = (workflow?: string) => withQuery(links.of(repo, 'actions'), { workflow })
    const side = html`<nav class="side" aria-label="${words.workflows}"><a href="${to()}"${!current && html` aria-current="page"`}>${icon('workflow')}${words.all}</a>
${workflows.map(
  ({ id, name, state }) =>
    html`<a href="${to(id)}"${id === current?.id && html` aria-current="page"`}>${icon('file-code')}${name}${
      state !== 'active' && pill(words.disabled)
    }</a>`,
)}</nav>`
    return inRepository(view, 'actions', visit, {
      title: current?.name ?? words.title,
      body: html`<div class="columns left">${side}<div>
<div class="spread"><h1 class="grow">${current?.name ?? words.all}</h1>${filter(visit, current)}${current && acts(visit, view, current)}</div>
${runs.length === 0 ? nothingYet(visit, view) : list(visit, loaded)}${pager(visit, total, LIMIT)}</div></div>`,
    })
  },
  forms: {
    enable: {
      does: ['ActionsEnableWorkflow'],
      handle: (visit) => switchOver(visit, 'ActionsEnableWorkflow'),
    },
    disable: {
      does: ['ActionsDisableWorkflow'],
      handle: (visit) => switchOver(visit, 'ActionsDisableWorkflow'),
    },
    dispatch: { does: ['ActionsDispatchWorkflow'], handle: dispatch },
  },
})

async function switchOver(
  { ask, params, fields }: FormVisit<RepositoryPath>,
  operation: 'ActionsEnableWorkflow' | 'ActionsDisableWorkflow',
): Promise<string> {
  const workflow_id = fields.required('workflow')
  await ask(operation, { ...params, workflow_id })
  return withQuery(links.of(repositoryAt(params), 'actions'), { workflow: workflow_id })
}

async function dispatch({ ask, params, fields }: FormVisit<RepositoryPath>): Promise<string> {
  const workflow_id = fields.required('workflow')
  const inputs: Record<string, string> = {}
  for (const line of fields.text('inputs').split('\n')) {
    if (line.trim() === '') continue
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(line) ?? []
    if (name === '') throw invalid(words.inputsHelp)
    inputs[name] = value.trim()
  }
  const body = { ref: fields.required('ref'), inputs }
  const run = await ask('ActionsDispatchWorkflow', { ...params, workflow_id, return_run_details: true }, body)
  if (run !== undefined) return links.run(repositoryAt(params), run.workflow_run_id)
  return withQuery(links.of(repositoryAt(params), 'actions'), { workflow: workflow_id })
}

function nothingYet({ query }: PageVisit, { repo, may }: RepositoryView): Html {
  if (query.size > 0) return empty(words.noneMatch)
  const make =
    may.code.write &&
    !repo.empty &&
    html`<p><a class="button primary" href="${links.change(repo, '_new', repo.default_branch, '.gitea/workflows')}">${words.newWorkflow}</a></p>`
  return empty(words.none, html`<p>${words.noneHelp}</p>`, make)
}

function filter({ query, path }: PageVisit, current: ActionWorkflow | undefined): Html {
  const options = STATES.map((it) => [it, it === '' ? words.anyState : (words.states[it] ?? it)] as const)
  return html`<form class="spread" action="${path}">${current && hidden('workflow', current.id)}
${select({ name: 'status', label: words.state, isLabelHidden: true, options, value: query.get('status') ?? '' })}
<button class="button">${words.filter}</button></form>`
}

function acts(visit: PageVisit, { repo, may }: RepositoryView, { id, state }: ActionWorkflow): Html {
  if (!may.actions.write) return html``
  const isOn = state === 'active'
  return html`${formButton(visit, isOn ? 'disable' : 'enable', isOn ? words.disable : words.enable, { workflow: id })}
${
  isOn &&
  html`<details class="drop"><summary class="button">${words.dispatch}</summary>${form(
    visit,
    'dispatch',
    html`${hidden('workflow', id)}${field({ name: 'ref', label: words.ref, value: written(visit, 'dispatch', 'ref', repo.default_branch) })}
${area({ name: 'inputs', label: words.inputs, help: words.inputsHelp, rows: 3, isCode: true, value: written(visit, 'dispatch', 'inputs') })}${button(words.dispatch, { tone: 'primary' })}`,
  )}</details>`
}`
}

function list({ ctx }: PageVisit, { view, runs, workflows }: RunsView): Html {
  const { repo } = view
  const now = ctx.now()
  const one = (run: ActionWorkflowRun) => html`<li class="row">${stateIcon(run)}<div class="grow">
<a class="title" href="${links.run(repo, run.id)}">${run.display_title}</a>
<p class="row-facts"><span>#${run.run_number} · <span title="${run.path}">${workflowName(run, workflows)}</span> · ${words.by(run.event)} ${
    run.actor && html`· <a href="${links.account(run.actor.login)}">${run.actor.login}</a>`
  } ${run.run_attempt > 1 && html`· ${words.attempt(run.run_attempt)}`}</span></p></div>
${run.head_branch && branchOf(view, run.head_branch)}
<span class="quiet-text run-when">${time(run.created_at, now)} · ${duration(run.started_at, run.completed_at, now)}</span></li>`
  return html`<div class="box"><ul class="rows dense" data-list>${runs.map(one)}</ul></div>`
}

function branchOf({ repo, may }: RepositoryView, name: string): Html {
  const content = html`${icon('git-branch')}${name}`
  if (!may.code.read) return html`<span class="pill">${content}</span>`
  return html`<a class="pill" href="${links.source(repo, { kind: 'branch', name })}">${content}</a>`
}

export const runListPages: readonly Page[] = [runsPage]
