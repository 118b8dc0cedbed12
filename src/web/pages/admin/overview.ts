/** Status, settings, cron tasks and job queue of the forge. */
import type { Finding } from '#domains/instance/admin'
import { listSettings } from '#platform/config'
import { type Html, html, type Page, page } from '#platform/page'
import type { QueueState } from '#platform/queue'
import { VERSION } from '#platform/version'
import { box, empty, pill, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { adminWords as words } from '../../words/admin.ts'

const ERROR_MAX = 500

const overviewPage = page({
  path: '/-/admin',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'overview')
    const [{ version }, users, organizations, repositories, queue] = await Promise.all([
      visit.ask('getVersion', {}),
      visit.list('adminSearchUsers', { limit: 1 }),
      visit.list('adminGetAllOrgs', { limit: 1 }),
      visit.list('repoSearch', { limit: 1 }),
      visit.ask('adminGetQueue', {}),
    ])
    const facts: [string, string | number][] = [
      [words.version, VERSION],
      [words.apiVersion, version],
      [words.users, users.total],
      [words.organizations, organizations.total],
      [words.repositories, repositories.total],
      [words.waiting, sumOf(queue, 'waiting')],
      [words.dead, sumOf(queue, 'dead')],
    ]
    return { frame, facts }
  },
  show: ({ frame, facts }, visit) =>
    frame({
      title: words.overview,
      body: html`<h1>${words.overview}</h1><dl class="numbers">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${box(words.health, html`<p class="box-text">${words.healthHelp}</p>`, formButton(visit, 'look', words.look))}`,
    }),
  forms: {
    look: {
      does: ['adminCheckHealth'],
      handle: async (visit) => {
        const frame = await adminScope.open(visit, 'overview')
        const findings = await visit.ask('adminCheckHealth', {})
        return frame({
          title: words.health,
          body: box(words.health, findingRows(findings), formButton(visit, 'look', words.look)),
        })
      },
    },
  },
})

function findingRows(findings: readonly Finding[]): Html {
  return html`<ul class="rows" role="status">${findings.map(
    ({ name, isWell, says }) =>
      html`<li class="row"><div class="grow"><strong>${name}</strong> ${says}</div>${isWell ? pill(words.well, 'good', 'check') : pill(words.ill, 'bad', 'x')}</li>`,
  )}</ul>`
}

const cronPage = page({
  path: '/-/admin/monitor/cron',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'cron')
    return { frame, tasks: await visit.list('adminCronList', { limit: 50 }) }
  },
  show: ({ frame, tasks }, visit) => {
    const now = visit.ctx.now()
    return frame({
      title: words.cron,
      body: html`<h1>${words.cron}</h1><div class="box scrolls" tabindex="0" role="group" aria-label="${words.cron}"><table class="list"><thead><tr><th scope="col">${words.task}</th><th scope="col">${words.schedule}</th><th scope="col">${words.next}</th><th scope="col">${words.previous}</th><th scope="col">${words.runs}</th><td></td></tr></thead>
<tbody>${tasks.items.map(
        ({ name, schedule, next, prev, exec_times }) =>
          html`<tr><th scope="row"><code>${name}</code></th><td>${schedule}</td><td>${time(next, now)}</td><td>${time(prev, now)}</td><td>${exec_times}</td><td>${formButton(visit, 'run', words.run, { task: name }, { label: `${words.run}: ${name}` })}</td></tr>`,
      )}</tbody></table></div>`,
    })
  },
  forms: {
    run: {
      does: ['adminCronRun'],
      handle: async ({ ask, fields, path }) => {
        await ask('adminCronRun', { task: fields.required('task') })
        return path
      },
    },
  },
})

function sumOf(queue: readonly QueueState[], state: 'waiting' | 'dead'): number {
  return queue.reduce((sum, it) => sum + it[state], 0)
}

function queueTable(queue: readonly QueueState[]): Html {
  const columns = [words.kind, words.waiting, words.oldest, words.running, words.later, words.dead]
  return html`<div class="box scrolls" tabindex="0" role="group" aria-label="${words.queue}"><table class="list"><thead><tr>${columns.map((it) => html`<th scope="col">${it}</th>`)}</tr></thead>
<tbody>${queue.map(
    ({ kind, waiting, oldest_ms, running, later, dead }) =>
      html`<tr><th scope="row"><code>${kind}</code></th><td>${waiting}</td><td>${(oldest_ms / 1000).toFixed(1)} s</td><td>${running}</td><td>${later}</td><td>${dead}</td></tr>`,
  )}</tbody></table></div>`
}

const queuePage = page({
  path: '/-/admin/monitor/queue',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'queue')
    const [queue, dead] = await Promise.all([
      visit.ask('adminGetQueue', {}),
      visit.ask('adminListDeadJobs', {}),
    ])
    return { frame, queue, dead: dead.slice(0, 100) }
  },
  show: ({ frame, queue, dead }, visit) =>
    frame({
      title: words.queue,
      body: html`<div class="pane-head"><h1>${words.queue}</h1>${dead.length > 0 && formButton(visit, 'requeue-all', words.requeueAll)}</div><p>${words.queueHelp}</p>${queue.length > 0 && queueTable(queue)}${
        dead.length === 0
          ? empty(words.noDead)
          : html`<div class="box"><ul class="rows">${dead.map(
              ({ id, kind, attempts, error, failed_at }) =>
                html`<li class="row top"><div class="grow"><strong>${kind}</strong> <span class="quiet-text">${attempts} ${words.attempts}, ${words.failed} ${time(failed_at, visit.ctx.now())}</span><pre class="value scrolls" tabindex="0" aria-label="${kind}">${(error ?? '').slice(0, ERROR_MAX)}</pre></div>${formButton(visit, 'requeue', words.requeue, { id }, { label: `${words.requeue}: ${kind} ${id}` })}</li>`,
            )}</ul></div>`
      }`,
    }),
  forms: {
    requeue: {
      does: ['adminRequeueJobs'],
      handle: async ({ ask, fields, path }) => {
        await ask('adminRequeueJobs', {}, { ids: [fields.number('id') ?? 0] })
        return path
      },
    },
    'requeue-all': {
      does: ['adminRequeueJobs'],
      handle: async ({ ask, path }) => {
        const dead = await ask('adminListDeadJobs', {})
        await ask('adminRequeueJobs', {}, { ids: dead.map(({ id }) => id) })
        return path
      },
    },
  },
})

const configPage = page({
  path: '/-/admin/config',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'config')
    return { frame, settings: listSettings(visit.ctx.config) }
  },
  show: ({ frame, settings }) =>
    frame({
      title: words.config,
      body: html`<h1>${words.config}</h1><p>${words.configHelp}</p>${
        settings.length === 0
          ? empty(words.noConfig)
          : html`<ul class="box rows">${settings.map(
              ({ name, value, source, help }) =>
                html`<li class="row"><div class="grow"><code>${name}</code><p class="help">${help}</p></div><div class="setting"><span class="mono">${value}</span>${
                  source === 'default'
                    ? html`<span class="small quiet-text">${source}</span>`
                    : pill(source, 'done')
                }</div></li>`,
            )}</ul>`
      }`,
    }),
})

export const overviewPages: readonly Page[] = [overviewPage, cronPage, queuePage, configPage]
