/** The log of a job: collapsible steps, all lines in the page, followed while the job runs. */
import { Type } from 'typebox'
import type { JobLog, TextLine } from '#domains/actions/runs'
import {
  type FormVisit,
  type Html,
  html,
  inLanguage,
  languageOf,
  type Page,
  type PageVisit,
  page,
  region,
} from '#platform/page'
import { asAnybody, type RawRoute, rawRoute } from '#platform/rest'
import type { ActionWorkflowJob, ActionWorkflowRun } from '../../gen/contract.ts'
import { links, local, path, withQuery } from '../../links.ts'
import { icon } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { ansiRuns } from '../../parts/runs/ansi.ts'
import { duration, stateIcon } from '../../parts/runs/run-state.ts'
import { ENGLISH, LANGUAGES } from '../../words/languages.ts'
import { runWords as words } from '../../words/runs.ts'

interface JobPath {
  readonly owner: string
  readonly repo: string
  readonly run: string
  readonly job: string
}

interface LogView {
  readonly view: RepositoryView
  readonly run: ActionWorkflowRun
  readonly job: ActionWorkflowJob
  readonly jobs: readonly ActionWorkflowJob[]
  readonly log: JobLog
}

/** Lines shown initially and with the link to the whole log; longer logs are downloaded. */
const LINES_FIRST = 5_000
const LINES_MAX = 50_000
const JOBS_MAX = 50
/** Lines that are laid out together when they are near the viewport. */
const CHUNK = 200
const LINE_PX = 20

/** A step, or the lines before or after all steps. */
interface Section {
  readonly key: string
  readonly name: string
  readonly first: number
  readonly end: number
  readonly state: string
  readonly took: string
}

const logPage = page({
  path: '/:owner/:repo/actions/runs/:run/jobs/:job',
  load: async (visit): Promise<LogView> => {
    const { owner, repo, run, job } = visit.params
    const view = await loadRepository(visit)
    const [record, one, jobs, log] = await Promise.all([
      visit.ask('GetWorkflowRun', { owner, repo, run }),
      visit.ask('getWorkflowJob', { owner, repo, job_id: job }),
      visit.ask('listWorkflowRunJobs', { owner, repo, run, limit: JOBS_MAX }),
      visit.ask('runGetJobLog', logPath(visit.params)),
    ])
    return { view, run: record, job: one, jobs: jobs.jobs, log }
  },
  show: (loaded, visit) => {
    const { view, run, job, log } = loaded
    const isLive = !log.isDone
    return inRepository(view, 'actions', visit, {
      title: `${job.name} · ${run.display_title}`,
      isWide: true,
      islands: ['log.ts'],
      ...(isLive && { head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>` }),
      body: region(
        'job',
        html`${head(visit, loaded)}<div class="columns left">${jobNav(loaded)}${steps(visit, loaded)}</div>`,
      ),
    })
  },
  forms: {
    'rerun-job': {
      does: ['rerunWorkflowJob'],
      handle: async ({ ask, params }: FormVisit<JobPath>) => {
        const { owner, repo, run, job } = params
        await ask('rerunWorkflowJob', { owner, repo, run, job_id: job })
        return path(owner, repo, 'actions', 'runs', run)
      },
    },
  },
})

function logPath({ owner, repo, job }: Omit<JobPath, 'run'>) {
  return { owner, repo, job_id: job }
}

function head(visit: PageVisit, { view: { repo, may }, run, job, log }: LogView): Html {
  return html`<div class="spread run-title"><h1 class="grow">${stateIcon(job)} <a href="${links.run(repo, run.id)}">${run.display_title}</a> / ${job.name}</h1>
<div class="actions"><a class="button" href="${rawLog(repo, job)}" data-key="r">${icon('download')}${words.raw}</a>${
    may.actions.write &&
    log.isDone &&
    formButton(visit, 'rerun-job', html`${icon('refresh-cw')}${words.rerunJob}`)
  }</div></div>`
}

function rawLog(repo: RepositoryView['repo'], job: ActionWorkflowJob): string {
  return path(repo.full_name, 'actions', 'jobs', job.id, 'log')
}

function jobNav({ view: { repo }, run, job, jobs }: LogView): Html {
  return html`<nav class="side" aria-label="${words.jobs}"><a href="${links.run(repo, run.id)}">${icon('house')}${words.summary}</a>${jobs.map(
    (it) =>
      html`<a href="${local(it.html_url)}"${it.id === job.id && html` aria-current="page"`}>${stateIcon(it)}${it.name}</a>`,
  )}</nav>`
}

function steps(visit: PageVisit, { view: { repo }, job, log }: LogView): Html {
  const isAll = visit.query.has('all')
  const from = Math.max(0, log.lines - (isAll ? LINES_MAX : LINES_FIRST))
  const live =
    !log.isDone &&
    html` data-log="${path(repo.full_name, 'actions', 'jobs', job.id, 'lines')}" data-next="${log.lines}"`
  const earlier =
    from > 0 &&
    html`<p class="flash"><a href="${isAll ? rawLog(repo, job) : withQuery(visit.path, { all: 1 })}">${
      isAll ? words.earlierInRaw(from) : words.earlier(from)
    }</a></p>`
  const sections = sectionsOf(log, visit.ctx.now())
  const isNothing =
    log.lines === 0 &&
    html`<p class="quiet-text" data-empty>${log.isDone || job.status === 'in_progress' ? words.noLog : words.waiting}</p>`
  const reader = { lines: log.read(from, log.lines - from), next: from }
  return html`<div class="log"${live}>${earlier}${isNothing}${sections.map((it) => section(it, log, reader))}</div>`
}

/** One reader for all sections, which are consecutive, so the log is read once. */
interface LineReader {
  readonly lines: AsyncGenerator<TextLine>
  /** Number of its next line. */
  next: number
}

/** Failed and running steps are open. */
function section(it: Section, log: JobLog, reader: LineReader): Html {
  const isOpen = it.state === 'failure' || it.state === 'running' || log.lines < CHUNK
  return html`<details class="log-step" id="${it.key}"${isOpen && html` open`}><summary>${stateIcon({ status: stateName(it.state) })}<span class="grow">${it.name}</span>
<span class="quiet-text">${it.took}</span></summary><div class="log-lines">${it.end > it.first && chunks(reader, it.end)}</div></details>`
}

async function* chunks(reader: LineReader, end: number): AsyncGenerator<Html> {
  let chunk: Html[] = []
  let isWhole = false
  try {
    while (reader.next < end) {
      const { value: line } = await reader.lines.next()
      if (line === undefined) break
      reader.next = line.number + 1
      chunk.push(lineOf(line))
      if (chunk.length < CHUNK) continue
      yield chunkOf(chunk)
      chunk = []
    }
    if (chunk.length > 0) yield chunkOf(chunk)
    isWhole = true
  } finally {
    // The browser has disconnected.
    if (!isWhole) await reader.lines.return(undefined)
  }
}

function chunkOf(lines: readonly Html[]): Html {
  return html`<div class="log-chunk" style="contain-intrinsic-size:auto ${lines.length * LINE_PX}px">${lines}</div>`
}

/** One element for each line; the style sheet shows its number, so it is neither copied nor read aloud. */
function lineOf({ number, at, text }: TextLine): Html {
  const kind = /^(?:##\[|::)(error|warning|group|debug|notice|command)/.exec(text)?.[1]
  const said = text.replace(/^##\[\w+\]|^::(?:error|warning|group|debug|notice)(?: [^:]*)?::/, '')
  return html`<span id="L${number + 1}" data-l="${number + 1}" title="${at}"${kind && html` class="log-${kind}"`}>${ansiRuns(
    said,
  ).map((run) => (run.class === '' ? run.text : html`<b class="${run.class}">${run.text}</b>`))}
</span>`
}

/** Steps, and the lines before the first and after the last. A line between two steps belongs to the earlier one. */
function sectionsOf({ steps, lines, isDone }: JobLog, now: Date): Section[] {
  const begun = steps.filter(({ log_length, status }) => log_length > 0 || status !== 'waiting')
  const told = begun.filter(({ log_length }) => log_length > 0)
  const first = told[0]?.log_index ?? lines
  const endOf = ({ log_index, log_length, position }: JobLog['steps'][number]) =>
    (log_length > 0 && told.find((it) => it.position > position)?.log_index) || log_index + log_length
  const sections: Section[] = begun.map((step) => ({
    key: `step-${step.position}`,
    name: step.name,
    first: step.log_index,
    end: endOf(step),
    state: step.status,
    took: duration(step.started_at?.toISOString() ?? null, step.stopped_at?.toISOString() ?? null, now),
  }))
  const end = sections.reduce((last, section) => Math.max(last, section.end), first)
  const around = (key: string, name: string, from: number, to: number): Section[] =>
    to > from ? [{ key, name, first: from, end: to, state: isDone ? 'success' : 'running', took: '' }] : []
  return [
    ...around('step-before', words.setUp, 0, first),
    ...sections,
    ...around('step-after', words.after, end, lines),
  ]
}

function stateName(state: string): string {
  return state === 'running' ? 'in_progress' : state
}

const params = Type.Object({ owner: Type.String(), repo: Type.String(), job: Type.String() })
const FOLLOWED_MAX = 2_000

/** Polled by the island while a job runs: new lines, each with its section. */
const followRoute = rawRoute({
  method: 'GET',
  path: '/:owner/:repo/actions/jobs/:job/lines',
  operationId: 'webFollowLog',
  scopes: ['repository'],
  takesSession: true,
  params,
  query: Type.Object({
    from: Type.Optional(Type.Integer()),
    language: Type.Optional(Type.String({ maxLength: 35 })),
  }),
  open: asAnybody,
  handle: async ({ ctx, ask, params, query }) => {
    const log = await ask('runGetJobLog', logPath(params))
    const language = languageOf(LANGUAGES, query.language ?? 'en') ?? ENGLISH
    const sections = inLanguage(language, () => sectionsOf(log, ctx.now()))
    const from = Math.max(0, query.from ?? 0)
    const lines = await Array.fromAsync(log.read(from, FOLLOWED_MAX), ({ number, at, text }) => ({
      number,
      at,
      section: sections.find(({ first, end }) => number >= first && number < end)?.key ?? 'step-after',
      runs: ansiRuns(text),
    }))
    const body = {
      isDone: log.isDone && from + lines.length >= log.lines,
      sections: sections.map(({ key, name, first, end, state }) => ({
        key,
        name,
        first,
        end,
        state: inLanguage(language, () => words.states[stateName(state)]) ?? state,
      })),
      lines,
    }
    const headers = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' }
    return { status: 200, headers, body: JSON.stringify(body) }
  },
})

/** The whole log as text. */
const rawLogRoute = rawRoute({
  method: 'GET',
  path: '/:owner/:repo/actions/jobs/:job/log',
  operationId: 'webDownloadLog',
  scopes: ['repository'],
  takesSession: true,
  params,
  open: asAnybody,
  handle: async ({ ask, params }) => {
    const log = await ask('runGetJobLog', logPath(params))
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
    }
    return { status: 200, headers, body: await log.open() }
  },
})

export const logPages: readonly Page[] = [logPage]
export const logRoutes: readonly RawRoute[] = [followRoute, rawLogRoute]
