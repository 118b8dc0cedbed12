/** Moderation: abuse reports, quarantined repositories and suspended accounts with their appeals. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import type { QuarantinedRepository, Suspension } from '../../gen/contract.ts'
import { links, repositoryAt } from '../../links.ts'
import { box, empty, time } from '../../parts/basics.ts'
import { button, field, form, formButton } from '../../parts/forms.ts'
import { pageNumber } from '../../parts/pager.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { moderationWords as words } from '../../words/moderation.ts'
import { REPORTS_LIMIT, reasonArea, reportBox } from './reports.ts'

/** The most that one call lists; administrators deal with the oldest first. */
const LISTED_MAX = 50

const moderationPage = page({
  path: '/-/admin/moderation',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'moderation')
    const isClosed = visit.query.get('state') === 'closed'
    const paging = { page: pageNumber(visit), limit: REPORTS_LIMIT }
    const [reports, quarantined, suspended] = await Promise.all([
      visit.list('adminListReports', { closed: isClosed, ...paging }),
      visit.ask('adminListQuarantined', { limit: LISTED_MAX }),
      visit.ask('adminListSuspensions', { limit: LISTED_MAX }),
    ])
    return { frame, reports, isClosed, quarantined, suspended }
  },
  show: ({ frame, reports, isClosed, quarantined, suspended }, visit) =>
    frame({
      title: words.title,
      body: html`<h1>${words.title}</h1>${reportBox(visit, reports, isClosed)}${quarantineBox(visit, quarantined)}${suspensionBox(visit, suspended)}`,
    }),
  forms: {
    quarantine: {
      does: ['adminQuarantineRepository', 'adminCloseReport'],
      handle: async (visit) => {
        const { ask, fields } = visit
        const reason = fields.required('reason')
        await ask('adminQuarantineRepository', repositoryNamed(fields.required('repository')), { reason })
        return close(visit, 'acted')
      },
    },
    'end-quarantine': {
      does: ['adminEndQuarantine'],
      handle: async ({ ask, fields, path }) => {
        await ask('adminEndQuarantine', repositoryNamed(fields.required('repository')))
        return path
      },
    },
    suspend: {
      does: ['adminSuspendAccount', 'adminCloseReport'],
      isDangerous: true,
      handle: async (visit) => {
        const { ask, fields } = visit
        const username = fields.required('username').trim()
        await ask('adminSuspendAccount', { username }, { reason: fields.required('reason') })
        return close(visit, 'acted')
      },
    },
    dismiss: { does: ['adminCloseReport'], handle: (visit) => close(visit, 'dismissed') },
    lift: {
      does: ['adminLiftSuspension'],
      handle: async ({ ask, fields, path }) => {
        await ask('adminLiftSuspension', { username: fields.required('username') })
        return path
      },
    },
  },
})

/** Closes the report that the form names, if it names one. */
async function close({ ask, fields, path }: FormVisit, outcome: 'acted' | 'dismissed'): Promise<string> {
  const id = fields.number('report')
  if (id !== undefined) await ask('adminCloseReport', { id }, { outcome })
  return path
}

function repositoryNamed(text: string): { readonly owner: string; readonly repo: string } {
  const [owner = '', repo = '', ...more] = text.trim().split('/')
  if (owner === '' || repo === '' || more.length > 0) throw invalid(words.badRepository)
  return { owner, repo }
}

function quarantineBox(visit: PageVisit, listed: readonly QuarantinedRepository[]): Html {
  const rows = listed.map(({ owner, name, reason }) => {
    const full = `${owner}/${name}`
    return html`<li class="row top"><div class="grow"><a class="title" href="${links.repository(repositoryAt({ owner, repo: name }))}">${full}</a><p class="row-text">${reason}</p></div>${formButton(visit, 'end-quarantine', words.liftQuarantine, { repository: full }, { label: `${words.liftQuarantine}: ${full}` })}</li>`
  })
  return box(
    words.quarantined,
    html`<p class="box-text">${words.quarantinedHelp}</p>${rows.length === 0 ? empty(words.noQuarantined) : html`<ul class="rows">${rows}</ul>`}<details class="box-text"><summary>${words.quarantine}</summary>${form(visit, 'quarantine', html`${field({ name: 'repository', label: words.repository, isRequired: true, autocomplete: 'off' })}${reasonArea('quarantine')}${button(words.quarantine, { tone: 'danger' })}`)}</details>`,
  )
}

function suspensionBox(visit: PageVisit, listed: readonly Suspension[]): Html {
  const rows = listed.map(
    ({ username, type, reason, created_at, appeal }) =>
      html`<li class="row top"><div class="grow"><a class="title" href="${type === 'organization' ? links.account(username) : links.adminOf('users', username)}">${username}</a> <span class="quiet-text">${time(created_at, visit.ctx.now())}</span><p class="row-text">${reason}</p>${appeal !== null && html`<p class="row-text"><strong>${words.appeal}</strong> ${appeal}</p>`}</div>${formButton(visit, 'lift', words.lift, { username }, { label: `${words.lift}: ${username}` })}</li>`,
  )
  return box(
    words.suspended,
    html`<p class="box-text">${words.suspendedHelp}</p>${rows.length === 0 ? empty(words.noSuspended) : html`<ul class="rows">${rows}</ul>`}<details class="box-text"><summary>${words.suspend}</summary>${form(visit, 'suspend', html`${field({ name: 'username', label: words.username, isRequired: true, autocomplete: 'off' })}${reasonArea('suspend')}${button(words.suspend, { tone: 'danger' })}`)}</details>`,
  )
}

export const moderationPages: readonly Page[] = [moderationPage]
