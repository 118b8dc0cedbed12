/** What needs the user: requested reviews, own pull requests that stopped, unread mentions and assigned issues. */
import type { OwnTurn } from '#domains/review/merges'
import type { Reason } from '#domains/work/notifications'
import { type FormVisit, type Html, html, type PageVisit } from '#platform/page'
import type { Issue, NotificationThread } from '../../gen/contract.ts'
import { links, local, withQuery } from '../../links.ts'
import { counter, empty, icon, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { pageOf, stateIcon } from '../../parts/issues/issue-list.ts'
import { loadPullSigns, type PullSigns } from '../../parts/issues/pull-signs.ts'
import { turnWords as words } from '../../words/turns.ts'

/** Of each list. */
const LISTED_MAX = 30

export interface TurnView {
  readonly reviews: readonly Issue[]
  readonly pulls: readonly Issue[]
  readonly assigned: readonly Issue[]
  readonly mentions: readonly NotificationThread[]
  /** Of `reviews` and `pulls`. */
  readonly signs: PullSigns
}

export async function loadTurn(visit: PageVisit): Promise<TurnView> {
  const open = { state: 'open', limit: LISTED_MAX }
  const [reviews, pulls, assigned, unread] = await Promise.all([
    visit.ask('issueSearchIssues', { ...open, type: 'pulls', review_requested: true }),
    visit.ask('issueSearchIssues', { ...open, type: 'pulls', created: true }),
    visit.ask('issueSearchIssues', { ...open, type: 'issues', assigned: true }),
    visit.ask('notifyGetList', { limit: LISTED_MAX }),
  ])
  const [signs, reasons] = await Promise.all([
    loadPullSigns(visit, [...reviews, ...pulls]),
    visit.ask('notifyGetReasons', { id: unread.map(({ id }) => String(id)) }),
  ])
  const mentions = unread.filter(({ id }) => reasons.get(id) === ('mentioned' satisfies Reason))
  return { reviews, pulls, assigned, mentions, signs }
}

/** The form `mark` of the page. */
export async function markRead(visit: FormVisit): Promise<string> {
  await visit.ask('notifyReadThread', { id: visit.fields.required('id'), 'to-status': 'read' })
  return visit.path
}

interface Row {
  readonly mark: Html
  readonly to: string
  readonly title: string
  readonly place: string
  readonly reason: string
  readonly when: string
  readonly act?: Html
}

/** Each issue or pull request once, with the first reason that applies. */
export function yourTurn(visit: PageVisit, view: TurnView): Html {
  const { reviews, pulls, assigned, mentions, signs } = view
  const rows = new Map<string, Row>()
  const add = (key: string, row: Row) => {
    if (!rows.has(key)) rows.set(key, row)
  }
  for (const it of [...reviews, ...pulls]) {
    const own = signs.get(it.id)?.ownTurn
    if (own !== undefined) add(pageOf(it), pullRow(it, own))
  }
  for (const it of mentions) {
    const key = local(it.subject?.html_url ?? '')
    if (it.subject !== null && it.repository !== null) add(key, mentionRow(visit, it))
  }
  for (const it of assigned) add(pageOf(it), issueRow(it, words.reasons.assigned))
  const list = [...rows.values()]
  const content =
    list.length === 0 ? empty(words.none) : html`<ul class="rows">${list.map((it) => rowOf(visit, it))}</ul>`
  return html`<section class="box turn"><header class="box-head"><h2>${words.title}${counter(list.length)}</h2></header>${content}${reviews.length === LISTED_MAX && more(links.pulls, 'review_requested')}${assigned.length === LISTED_MAX && more(links.issues, 'assigned')}</section>`
}

function more(list: string, type: string): Html {
  return html`<p class="box-text"><a href="${withQuery(list, { type })}">${words.more}</a></p>`
}

function issueRow(it: Issue, reason: string): Row {
  const { title, number, repository, updated_at } = it
  return {
    mark: stateIcon(it),
    to: pageOf(it),
    title,
    place: `${repository.full_name}#${number}`,
    reason,
    when: updated_at,
  }
}

function pullRow(it: Issue, own: OwnTurn): Row {
  const { repository, number } = it
  const to = own === 'review' ? links.pull(repository, number, 'files') : links.merging(repository, number)
  const act = html`<a class="button" href="${own === 'changes' ? pageOf(it) : to}">${words.acts[own]}</a>`
  return { ...issueRow(it, words.reasons[own]), act }
}

function mentionRow(visit: PageVisit, { id, subject, repository, updated_at }: NotificationThread): Row {
  const title = subject?.title ?? ''
  const state = subject?.state ?? 'open'
  const isPull = subject?.type === 'Pull'
  const facts = {
    state: state === 'merged' ? 'closed' : state,
    pull_request: isPull ? { merged: state === 'merged', draft: false } : null,
  }
  const label = `${words.read}: ${title}`
  return {
    mark: stateIcon(facts),
    to: local(subject?.latest_comment_html_url || subject?.html_url || ''),
    title,
    place: `${repository?.full_name ?? ''}#${subject?.html_url.split('/').at(-1) ?? ''}`,
    reason: words.reasons.mentioned,
    when: updated_at,
    act: html`<span data-act="e">${formButton(visit, 'mark', icon('check'), { id }, { tone: 'quiet', label })}</span>`,
  }
}

function rowOf({ ctx }: PageVisit, { mark, to, title, place, reason, when, act }: Row): Html {
  return html`<li class="row" data-row>${mark}<div class="grow"><a class="title" href="${to}" data-open>${title}</a>
<div class="small quiet-text"><strong class="turn-reason">${reason}</strong> · ${place} ${time(when, ctx.now())}</div></div>${act}</li>`
}
