/** The reports on the moderation page. */
import { type Html, html, type PageVisit } from '#platform/page'
import type { AbuseReport } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { box, empty, pill, time } from '../../parts/basics.ts'
import { area, button, form, formButton, hidden } from '../../parts/forms.ts'
import { pager } from '../../parts/pager.ts'
import { moderationWords as words } from '../../words/moderation.ts'

export const REASON_MAX = 5_000
export const REPORTS_LIMIT = 30

interface Reports {
  readonly items: readonly AbuseReport[]
  readonly total: number
}

export function reportBox(visit: PageVisit, { items, total }: Reports, isClosed: boolean): Html {
  const state = (name: keyof typeof words.states) =>
    html`<a class="button quiet" href="?state=${name}"${(name === 'closed') === isClosed && html` aria-current="page"`}>${words.states[name]}</a>`
  return box(
    words.reports,
    items.length === 0
      ? empty(words.noReports)
      : html`<ul class="rows">${items.map((it) => row(visit, it))}</ul>${pager(visit, total, REPORTS_LIMIT)}`,
    html`${state('open')}${state('closed')}`,
  )
}

function row(visit: PageVisit, report: AbuseReport): Html {
  const { id, path, category, body, reporter, created_at, account, outcome } = report
  return html`<li class="row top"><div class="grow"><a class="title" href="${path}">${path}</a> ${pill(words.categories[category])} <span class="quiet-text">${account !== null && html`${words.by} <a href="${links.account(account)}">${account}</a>, `}${words.reportedBy} <a href="${links.account(reporter)}">${reporter}</a> ${time(created_at, visit.ctx.now())}</span><p class="row-text">${body}</p>${outcome === null && acts(visit, report)}</div>${outcome === null ? formButton(visit, 'dismiss', words.dismiss, { report: id }, { label: `${words.dismiss}: ${path}` }) : pill(words.outcomes[outcome])}</li>`
}

function acts(visit: PageVisit, { id, repository, account }: AbuseReport): Html {
  return html`${
    repository !== null &&
    act(visit, id, 'quarantine', `${words.quarantine} ${repository}`, hidden('repository', repository))
  }${account !== null && act(visit, id, 'suspend', words.suspendNamed(account), hidden('username', account))}`
}

function act(visit: PageVisit, id: number, name: string, text: string, target: Html): Html {
  return html`<details><summary>${text}</summary>${form(visit, name, html`${hidden('report', id)}${target}${reasonArea(`${name}-${id}`)}${button(text, { tone: 'danger' })}`)}</details>`
}

export function reasonArea(of: string): Html {
  const facts = { rows: 3, maxLength: REASON_MAX, isRequired: true }
  return area({ name: 'reason', id: `reason-${of}`, label: words.reason, ...facts })
}
