/** Jobs of a run: in columns by `needs` if there are any, otherwise as a list. */
import type { JobNeeds } from '#domains/actions/runs'
import { type Html, html } from '#platform/page'
import type { ActionWorkflowJob } from '../../gen/contract.ts'
import { local } from '../../links.ts'
import { runWords as words } from '../../words/runs.ts'
import { duration, stateIcon, stateOf } from './run-state.ts'

export type RunJob = ActionWorkflowJob & JobNeeds

/** The jobs of one key in the workflow: several for a matrix. They have the same needs. */
interface Group {
  readonly key: string
  readonly jobs: readonly RunJob[]
  readonly needs: readonly string[]
}

type Columns = readonly (readonly Group[])[]

/** A job that was added between the two queries has no needs yet. */
export function withNeeds(jobs: readonly ActionWorkflowJob[], all: readonly JobNeeds[]): RunJob[] {
  const found = new Map(all.map((it) => [it.id, it]))
  return jobs.map((job) => ({
    key: job.name,
    needs: [],
    parent_id: null,
    queued_at: null,
    ...found.get(job.id),
    ...job,
  }))
}

export function jobBox(jobs: readonly RunJob[], now: Date): Html {
  const ids = new Set(jobs.map(({ id }) => id))
  const inside = Map.groupBy(jobs, ({ parent_id }) =>
    parent_id !== null && ids.has(parent_id) ? parent_id : null,
  )
  const rows = (group: Group, isInner: boolean, needs: readonly string[]): Html[] =>
    group.jobs.flatMap((job) => [row(job, { now, isInner, needs }), ...rowsInside(job)])
  // Jobs of a called workflow are listed below the calling job, in execution order.
  const rowsInside = ({ id }: RunJob): Html[] => {
    const called = inside.get(id) ?? []
    return columnsOf(called)
      .flat()
      .flatMap((group) => rows(group, true, namesOf(group, called)))
  }
  const top = inside.get(null) ?? []
  const columns = columnsOf(top)
  const card = (group: Group) => html`<li class="job-card">${needsOf(namesOf(group, top))}
<ul class="rows">${rows(group, false, [])}</ul></li>`
  const list = html`<ul class="rows" data-list>${columns[0]?.flatMap((group) => rows(group, false, namesOf(group, top)))}</ul>`
  const graph = html`<ol class="job-columns">${columns.map((column) => html`<li><ul class="rows">${column.map(card)}</ul></li>`)}</ol>`
  return html`<section class="box"><header class="box-head"><h2>${words.jobs}</h2></header>${columns.length > 1 ? graph : list}</section>`
}

/** Each job is to the right of the jobs it needs. Unknown needs are ignored, and cycles are placed last. */
function columnsOf(jobs: readonly RunJob[]): Columns {
  const groups = [...Map.groupBy(jobs, ({ key }) => key)].map(
    ([key, jobs]): Group => ({ key, jobs, needs: jobs[0]?.needs ?? [] }),
  )
  const columns: Group[][] = []
  let rest = groups
  while (rest.length > 0) {
    const waited = new Set(rest.map(({ key }) => key))
    const free = rest.filter(({ needs }) => !needs.some((it) => waited.has(it)))
    columns.push(free.length > 0 ? free : rest)
    rest = free.length > 0 ? rest.filter((it) => !free.includes(it)) : []
  }
  return columns
}

/** Displayed names: the name of a single job, or the key of a matrix. */
function namesOf({ needs }: Group, among: readonly RunJob[]): string[] {
  return needs.map((key) => {
    const [only, ...others] = among.filter((job) => job.key === key)
    return only === undefined || others.length > 0 ? key : only.name
  })
}

interface Around {
  readonly now: Date
  readonly isInner: boolean
  readonly needs: readonly string[]
}

function row(job: RunJob, { now, isInner, needs }: Around): Html {
  const waited = waitedOf(job, now)
  const ran = duration(job.started_at, job.completed_at, now)
  const facts = [job.runner_name, waited !== '' && words.waitedFor(waited)].filter(Boolean).join(' · ')
  return html`<li class="row${isInner && ' inner'}">${stateIcon(job)}<div class="grow"><a class="title" href="${local(job.html_url)}">${job.name}</a>
${facts !== '' && html`<div class="quiet-text">${facts}</div>`}${needsOf(needs)}</div>
${ran !== '' && html`<span class="quiet-text run-when">${words.ran(ran)}</span>`}</li>`
}

/** Time in the queue: from `queued_at` until the job began or ended. */
function waitedOf(job: RunJob, now: Date): string {
  if (job.queued_at === null || stateOf(job) === 'skipped') return ''
  return duration(job.queued_at.toISOString(), job.started_at ?? job.completed_at, now)
}

function needsOf(names: readonly string[]): Html {
  return html`${names.length > 0 && html`<div class="quiet-text">${words.needs(names)}</div>`}`
}
