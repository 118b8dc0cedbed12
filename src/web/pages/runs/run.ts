/** A run: its trigger, jobs and artifacts. */
import {
  type FormVisit,
  type Html,
  html,
  type OperationId,
  type Page,
  type PageVisit,
  page,
} from '#platform/page'
import type {
  ActionArtifact,
  ActionWorkflow,
  ActionWorkflowJob,
  ActionWorkflowRun,
} from '../../gen/contract.ts'
import { links, repositoryAt } from '../../links.ts'
import { icon, pill, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { liveRegion } from '../../parts/live.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { jobBox, type RunJob, withNeeds } from '../../parts/runs/jobs.ts'
import { duration, stateIcon, stateOf, workflowFile } from '../../parts/runs/run-state.ts'
import { runWords as words } from '../../words/runs.ts'
import { bytes } from '../../words/site.ts'

interface RunPath {
  readonly owner: string
  readonly repo: string
  readonly run: string
}

interface RunView {
  readonly view: RepositoryView
  readonly run: ActionWorkflowRun
  /** Undefined if the default branch no longer has it. */
  readonly workflow: ActionWorkflow | undefined
  readonly jobs: readonly RunJob[]
  readonly artifacts: readonly ActionArtifact[]
  /** Sets of labels that jobs wait for, and no online runner has. */
  readonly unserved: readonly (readonly string[])[]
}

const JOBS_MAX = 50

const runPage = page({
  path: '/:owner/:repo/actions/runs/:run',
  load: async (visit): Promise<RunView> => {
    const { params } = visit
    const view = await loadRepository(visit)
    const [run, { jobs }, needs, artifacts] = await Promise.all([
      visit.ask('GetWorkflowRun', params),
      visit.ask('listWorkflowRunJobs', { ...params, limit: JOBS_MAX }),
      visit.ask('runListJobNeeds', params),
      visit.maybe('getArtifactsOfRun', { ...params, limit: JOBS_MAX }),
    ])
    const unserved = await findUnserved(visit, jobs)
    const { owner, repo } = params
    const workflow = await visit.maybe('ActionsGetWorkflow', { owner, repo, workflow_id: workflowFile(run) })
    return {
      view,
      workflow,
      run,
      jobs: withNeeds(jobs, needs),
      artifacts: artifacts?.artifacts ?? [],
      unserved,
    }
  },
  show: (loaded, visit) => {
    const { view, run, jobs, unserved } = loaded
    const missing = unserved.map((labels) => html`<p class="flash warn">${words.unserved(labels)}</p>`)
    const content = html`${runHead(visit, loaded)}${missing}<div class="columns"><div>${jobBox(jobs, visit.ctx.now())}</div>
<aside>${facts(visit, loaded)}${artifactList(visit, loaded)}</aside></div>`
    return inRepository(view, 'actions', visit, {
      title: run.display_title,
      ...(run.status !== 'completed' && {
        head: html`<noscript><meta http-equiv="refresh" content="10"></noscript>`,
      }),
      body: liveRegion('run', `run:${run.id}`, content, run.status !== 'completed'),
    })
  },
  forms: {
    rerun: act('rerunWorkflowRun'),
    'rerun-failed': act('rerunFailedWorkflowRun'),
    cancel: act('cancelWorkflowRun'),
    'force-cancel': act('forceCancelWorkflowRun'),
    approve: act('approveWorkflowRun'),
    delete: {
      does: ['deleteActionRun'],
      handle: async ({ ask, params }) => {
        await ask('deleteActionRun', params)
        return links.of(repositoryAt(params), 'actions')
      },
    },
  },
})

/** Asks only if jobs wait. */
async function findUnserved(visit: PageVisit<RunPath>, jobs: readonly ActionWorkflowJob[]) {
  const waiting = jobs.filter(({ status }) => status === 'queued').map(({ labels }) => [...labels])
  const sets = [...new Map(waiting.map((labels) => [labels.join('\n'), labels])).values()]
  const { owner, repo } = visit.params
  return sets.length === 0 ? [] : visit.ask('runnerListUnserved', { owner, repo }, { labels: sets })
}

type RunAct =
  | 'rerunWorkflowRun'
  | 'rerunFailedWorkflowRun'
  | 'cancelWorkflowRun'
  | 'forceCancelWorkflowRun'
  | 'approveWorkflowRun'

function act(operation: RunAct & OperationId) {
  return {
    does: [operation],
    handle: async ({ ask, params }: FormVisit<RunPath>) => {
      await ask(operation, { owner: params.owner, repo: params.repo, run: params.run })
      return links.run(repositoryAt(params), Number(params.run))
    },
  }
}

/** Title and actions. */
function runHead(visit: PageVisit, { view: { may }, run }: RunView): Html {
  const isDone = run.status === 'completed'
  const state = stateOf(run)
  const buttons = !may.actions.write
    ? null
    : isDone
      ? html`${formButton(visit, 'rerun', html`${icon('refresh-cw')}${words.rerun}`)}${
          state === 'failure' && formButton(visit, 'rerun-failed', words.rerunFailed)
        }${formButton(visit, 'delete', html`${icon('trash-2')}${words.delete}`, {}, { tone: 'danger' })}`
      : html`${state === 'blocked' && formButton(visit, 'approve', words.approve, {}, { tone: 'primary' })}${formButton(
          visit,
          'cancel',
          words.cancel,
        )}${formButton(visit, 'force-cancel', words.forceCancel, {}, { tone: 'danger' })}`
  return html`<div class="spread run-title"><h1 class="grow">${stateIcon(run)} ${run.display_title} <span class="quiet-text">#${run.run_number}</span></h1><div class="actions">${buttons}</div></div>`
}

function facts({ ctx }: PageVisit, { view: { repo, may }, run, workflow, jobs }: RunView): Html {
  const now = ctx.now()
  const first =
    jobs
      .map(({ started_at }) => started_at)
      .filter((it) => it !== null)
      .sort()[0] ?? null
  const rows: [string, Html | string][] = [
    [words.workflow, html`<span title="${run.path}">${workflow?.name ?? workflowFile(run)}</span>`],
    [words.event, run.event],
    [
      words.commit,
      may.code.read
        ? html`<a class="mono" href="${links.commit(repo, run.head_sha)}">${run.head_sha.slice(0, 10)}</a>`
        : html`<span class="mono">${run.head_sha.slice(0, 10)}</span>`,
    ],
    [words.branch, run.head_branch ?? ''],
    [words.started, time(run.created_at, now)],
    [words.waited, duration(run.created_at, first, now)],
    [words.took, duration(first, run.completed_at, now)],
  ]
  return html`<section class="box"><header class="box-head"><h2>${words.summary}</h2></header><dl class="facts">${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`
}

function artifactList({ ctx }: PageVisit, { view: { repo }, artifacts }: RunView): Html {
  if (artifacts.length === 0) return html``
  const now = ctx.now()
  const one = ({
    id,
    name,
    size_in_bytes,
    expired,
    expires_at,
  }: ActionArtifact) => html`<li class="row">${icon('package')}<span class="grow">
${expired ? html`${name} ${pill(words.expired)}` : html`<a class="title" href="${links.of(repo, 'actions', 'artifacts', id)}">${name}</a>`}</span>
<span class="quiet-text">${bytes(size_in_bytes)} · ${time(expires_at, now)}</span></li>`
  return html`<section class="box"><header class="box-head"><h2>${words.artifacts}</h2></header><ul class="rows dense">${artifacts.map(one)}</ul></section>`
}

export const runPages: readonly Page[] = [runPage]
