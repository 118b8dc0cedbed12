/** The inbox: notifications by repository, marked as read, unread or saved. */
import type { Reason } from '#domains/work/notifications'
import { type FormVisit, type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import type { NotificationThread } from '../../gen/contract.ts'
import { links, local, sameWith } from '../../links.ts'
import { empty, icon, time } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { stateIcon } from '../../parts/issues/issue-list.ts'
import { liveRegion } from '../../parts/live.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inboxWords as words } from '../../words/dashboard.ts'

const ROWS = 30
const STATUSES = ['unread', 'read', 'pinned'] as const
type Status = (typeof STATUSES)[number]

interface InboxView {
  readonly status: Status
  readonly threads: readonly NotificationThread[]
  readonly total: number
  readonly reasons: ReadonlyMap<number, Reason>
}

const inboxPage = page({
  path: '/notifications',
  requiresSignIn: true,
  load: async (visit): Promise<InboxView> => {
    const status = STATUSES.find((it) => it === visit.query.get('q')) ?? 'unread'
    const { items, total } = await visit.list('notifyGetList', {
      'status-types': [status],
      page: pageNumber(visit),
      limit: ROWS,
    })
    const reasons = await visit.ask('notifyGetReasons', { id: items.map(({ id }) => String(id)) })
    return { status, threads: items, total, reasons }
  },
  show: (view, visit) => ({ title: words.title, body: inbox(visit, view) }),
  forms: {
    mark: { does: ['notifyReadThread'], handle: mark },
    'all-read': {
      does: ['notifyReadList'],
      handle: async (visit) => {
        await visit.ask('notifyReadList', { 'to-status': 'read' })
        return visit.path
      },
    },
    'repository-read': {
      does: ['notifyReadRepoList'],
      handle: async (visit) => {
        const [owner = '', repo = ''] = visit.fields.required('repository').split('/')
        await visit.ask('notifyReadRepoList', { owner, repo, 'to-status': 'read' })
        return sameWith(visit, {})
      },
    },
  },
})

async function mark(visit: FormVisit): Promise<string> {
  const { ask, fields } = visit
  const to = STATUSES.find((it) => it === fields.text('to'))
  if (to === undefined) throw invalid('to: is none of unread, read, pinned')
  await ask('notifyReadThread', { id: fields.required('id'), 'to-status': to })
  return sameWith(visit, {})
}

function inbox(visit: PageVisit, view: InboxView): Html {
  const { status, threads, total } = view
  const link = (it: Status) =>
    html`<a href="${sameWith(visit, { q: it === 'unread' ? undefined : it, page: undefined })}"${it === status && html` aria-current="page"`}>${icon(ICONS[it])}${words[it]}</a>`
  const groups = Map.groupBy(threads, ({ repository }) => repository?.full_name ?? '')
  const content =
    threads.length === 0
      ? empty(words.empty, html`<p>${words.emptyHelp}</p>`)
      : html`${[...groups].map(([repo, list]) => group(visit, repo, list, view))}`
  return html`<div class="spread"><h1 class="grow">${words.title}</h1>${status === 'unread' && threads.length > 0 && formButton(visit, 'all-read', html`${icon('check')}${words.allRead}`)}</div>
<div class="columns left"><nav class="side" aria-label="${words.title}">${STATUSES.map(link)}</nav><div>${liveRegion('inbox', 'inbox', content)}${pager(visit, total, ROWS)}</div></div>`
}

const ICONS = { unread: 'inbox', read: 'check', pinned: 'bookmark' } as const

function group(
  visit: PageVisit,
  repo: string,
  threads: readonly NotificationThread[],
  { status, reasons }: InboxView,
): Html {
  return html`<section class="box"><header class="box-head"><h2><a href="${links.repository({ full_name: repo })}">${repo}</a></h2>${
    status === 'unread' &&
    formButton(
      visit,
      'repository-read',
      icon('check'),
      { repository: repo },
      { tone: 'quiet', label: words.repoRead(repo) },
    )
  }</header><ul class="rows">${threads.map((it) => row(visit, it, reasons.get(it.id)))}</ul></section>`
}

/** The subject determines the icon; shortcuts act on the focused row. */
function row(visit: PageVisit, thread: NotificationThread, reason: Reason | undefined): Html {
  const { id, subject, unread, pinned, updated_at } = thread
  if (subject === null) return nothing
  const isPull = subject.type === 'Pull'
  const facts = {
    state: subject.state === 'merged' ? 'closed' : subject.state,
    pull_request: isPull ? { merged: subject.state === 'merged', draft: false } : null,
  }
  const to = local(subject.latest_comment_html_url || subject.html_url)
  const button = (status: Status, text: string, iconName: string, act: string) =>
    html`<span data-act="${act}">${formButton(visit, 'mark', icon(iconName), { id, to: status }, { tone: 'quiet', label: `${text}: ${subject.title}` })}</span>`
  return html`<li class="row" data-row>${subject.type === 'Repository' ? icon('book') : stateIcon(facts)}<div class="grow"><a class="title" href="${to}" data-open>${subject.title}</a>
<div class="small quiet-text">${words.types[subject.type]} ${time(updated_at, visit.ctx.now())}${
    reason && html` <span class="reason">${words.reasons[reason]}</span>`
  }</div></div>${
    unread || pinned ? button('read', words.done, 'check', 'e') : button('unread', words.undone, 'inbox', 'u')
  }${!pinned && button('pinned', words.save, 'bookmark', 's')}</li>`
}

export const inboxPages: readonly Page[] = [inboxPage]
