/** The audit log on pages of administrators and of organizations. */
import type { ResponseOf } from '#platform/page'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, sameWith } from '../links.ts'
import { auditWords as words } from '../words/audit.ts'
import { empty, pill, time } from './basics.ts'
import { button, field, select } from './forms.ts'

export const AUDIT_LIMIT = 50

type Full = ResponseOf<'adminListAudit'>[number]
type AuditEntry = ResponseOf<'orgListAudit'>[number] & Partial<Pick<Full, 'address'>>
type Outcome = AuditEntry['outcome']

/** Parameters of the operations that list records. Null: the filter names something that does not exist. */
export async function auditFilter(visit: PageVisit) {
  const { query } = visit
  const text = (name: string) => query.get(name)?.trim() || undefined
  const ids = await idsOf(visit, text('account'), text('repository'))
  if (ids === null) return null
  const before = Number(text('before_id'))
  const given = { operation: text('operation'), since: text('since'), until: text('until') }
  const outcome = Object.keys(words.outcomes).find((it) => it === text('outcome')) as Outcome | undefined
  const filter = {
    ...ids,
    ...given,
    outcome,
    before_id: Number.isSafeInteger(before) && before > 0 ? before : undefined,
  }
  return { limit: AUDIT_LIMIT, ...withoutUndefined(filter) }
}

type Defined<T> = { [Name in keyof T]?: NonNullable<T[Name]> }

function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}

async function idsOf(visit: PageVisit, account: string | undefined, repository: string | undefined) {
  const [owner = '', repo = ''] = repository?.split('/') ?? []
  const [user, found] = await Promise.all([
    account && visit.maybe('userGet', { username: account }),
    repository && visit.maybe('repoGet', { owner, repo }),
  ])
  if ((account && !user) || (repository && !found)) return null
  return { account_id: user ? user.id : undefined, repository_id: found ? found.id : undefined }
}

export function auditLog(visit: PageVisit, help: string, records: readonly AuditEntry[]): Html {
  return html`<h1>${words.title}</h1><p>${help}</p>${filterForm(visit)}${records.length === 0 ? empty(words.none) : table(visit, records)}${older(visit, records)}`
}

function filterForm({ query, path }: PageVisit): Html {
  const value = (name: string) => query.get(name) ?? ''
  const outcomes = [['', words.anyOutcome] as const, ...Object.entries(words.outcomes)]
  return html`<form method="get" action="${path}" class="filters">${field({ name: 'account', label: words.account, value: value('account') })}${field({ name: 'repository', label: words.repository, value: value('repository'), placeholder: words.repositoryExample })}${field({ name: 'operation', label: words.operation, value: value('operation'), maxLength: 100 })}${select({ name: 'outcome', label: words.outcome, options: outcomes, value: value('outcome') })}${field({ name: 'since', label: words.since, value: value('since'), type: 'date' })}${field({ name: 'until', label: words.until, value: value('until'), type: 'date' })}<div class="actions">${button(words.filter)}</div></form>`
}

function table({ ctx }: PageVisit, records: readonly AuditEntry[]): Html {
  const hasAddresses = records.some(({ address }) => address !== undefined)
  const columns = [words.time, words.who, words.operation, words.target, words.outcome]
  const row = (it: AuditEntry) =>
    html`<tr><td>${time(it.at, ctx.now())}</td><th scope="row">${who(it)}</th><td><code>${it.operation}</code></td><td><code>${targetText(it.target)}</code></td><td>${outcome(it)}</td>${hasAddresses && html`<td>${it.address ?? ''}</td>`}</tr>`
  return html`<div class="box scrolls wide" tabindex="0" role="group" aria-label="${words.title}"><table class="list"><thead><tr>${[...columns, ...(hasAddresses ? [words.from] : [])].map((it) => html`<th scope="col">${it}</th>`)}</tr></thead>
<tbody>${records.map(row)}</tbody></table></div>`
}

/** The account may have been renamed or deleted since. */
function who({ account, as_account, via }: AuditEntry): Html {
  const name =
    account === null
      ? (viaText(via) ?? words.anonymous)
      : html`<a href="${links.account(account)}">${account}</a>`
  const how = account === null ? undefined : viaText(via)
  return html`${name}${as_account !== null && html` ${words.asAccount(as_account)}`}${how !== undefined && html` <span class="quiet-text">${how}</span>`}`
}

function viaText(via: string): string | undefined {
  return (words.vias as Readonly<Record<string, string>>)[via]
}

function targetText(target: string): string {
  const { owner, repo, org, ...others } = JSON.parse(target) as Record<string, string>
  const place = owner === undefined ? org : [owner, repo].filter((it) => it !== undefined).join('/')
  return [place, ...Object.values(others)].filter((it) => it !== undefined).join(' ')
}

function outcome({ outcome, problem, times }: AuditEntry): Html {
  const tone = outcome === 'refused' || outcome === 'failed' ? 'bad' : 'plain'
  return html`${pill(words.outcomes[outcome], tone)}${problem !== null && html` <span class="quiet-text">${problem}</span>`}${times > 1 && html` ${words.times(times)}`}`
}

function older(visit: PageVisit, records: readonly AuditEntry[]): Html {
  const last = records.at(-1)
  if (last === undefined || records.length < AUDIT_LIMIT) return nothing
  return html`<nav class="pager" aria-label="${words.title}"><a class="button" rel="next" href="${sameWith(visit, { before_id: last.id })}">${words.older}</a></nav>`
}
