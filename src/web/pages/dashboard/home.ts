/** The dashboard: first what waits for the user, then what the user waits for, then recent activity. */
import type { ReviewState } from '#domains/review/reviews'
import { type Html, html, nothing, type Page, type PageVisit, page, Redirect } from '#platform/page'
import type {
  ActionWorkflowRun,
  Activity,
  Issue,
  NotificationThread,
  Repository,
} from '../../gen/contract.ts'
import { links, local, withQuery } from '../../links.ts'
import { box, empty, icon, pill, time } from '../../parts/basics.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { liveRegion } from '../../parts/live.ts'
import { feed } from '../../parts/people/feed.ts'
import { dashboardWords as words } from '../../words/en/dashboard.ts'

const SOME = 8
const ACTS = 15

interface HomeView {
  readonly reviews: readonly Issue[]
  readonly pulls: readonly Issue[]
  readonly assigned: readonly Issue[]
  readonly unread: readonly NotificationThread[]
  readonly failing: readonly ActionWorkflowRun[]
  readonly repositories: readonly Repository[]
  readonly acts: readonly Activity[]
  readonly reviewStates: ReadonlyMap<number, ReviewState>
}

const homePage = page({
  path: '/',
  load: async (visit): Promise<HomeView> => {
    const { actor } = visit.ctx
    // Anonymous users are redirected to the list of repositories.
    if (actor === null) throw new Redirect(links.explore)
    const open = { state: 'open', limit: SOME }
    const [reviews, pulls, assigned, unread, failing, found, acts] = await Promise.all([
      visit.ask('issueSearchIssues', { ...open, type: 'pulls', review_requested: true }),
      visit.ask('issueSearchIssues', { ...open, type: 'pulls', created: true, limit: SOME * 2 }),
      visit.ask('issueSearchIssues', { ...open, assigned: true }),
      visit.ask('notifyGetList', { limit: SOME }),
      visit.ask('getUserWorkflowRuns', { status: ['failure'], limit: 5 }),
      visit.ask('repoSearch', { uid: actor.id, sort: 'updated', order: 'desc', limit: SOME }),
      visit.ask('userListActivityFeeds', { username: actor.login, limit: ACTS }),
    ])
    const reviewStates = await visit.ask('pullListReviewStates', {}, { issue_ids: pulls.map(({ id }) => id) })
    return {
      reviews,
      pulls,
      assigned,
      unread,
      failing: failing.workflow_runs,
      repositories: found.data,
      acts,
      reviewStates,
    }
  },
  show: (view, visit) => ({
    title: words.home,
    body: html`<h1 class="unseen">${words.home}</h1><div class="columns"><div>${liveRegion('turn', 'inbox', yourTurn(visit, view))}${waiting(visit, view)}${box(
      words.feed,
      view.acts.length === 0
        ? html`<p class="box-text quiet-text">${words.feedNone}</p>`
        : feed(view.acts, visit.ctx.now()),
    )}</div><aside aria-label="${words.recent}">${recent(view)}</aside></div>`,
  }),
})

/** Empty lists are hidden; a note is shown if all are empty. */
function yourTurn(visit: PageVisit, view: HomeView): Html {
  const { reviews, pulls, assigned, unread, failing, reviewStates } = view
  const changed = pulls.filter(({ id }) => reviewStates.get(id) === 'changes')
  const parts = [
    part(
      words.reviews,
      'eye',
      reviews.length,
      withQuery(links.pulls, { type: 'review_requested' }),
      issueRows(visit, reviews, { namesRepository: true }),
    ),
    part(
      words.changes,
      'git-pull-request',
      changed.length,
      withQuery(links.pulls, { type: 'created' }),
      issueRows(visit, changed, { namesRepository: true }),
    ),
    part(words.unread, 'bell', unread.length, links.notifications, threads(visit, unread)),
    part(words.failing, 'circle-x', failing.length, undefined, runs(visit, failing)),
    part(
      words.assigned,
      'user',
      assigned.length,
      links.issues,
      issueRows(visit, assigned, { namesRepository: true }),
    ),
  ].filter((it) => it !== nothing)
  return html`<section class="turn"><h2>${words.yourTurn}</h2>${parts.length === 0 ? html`<div class="box">${empty(words.yourTurnNone)}</div>` : parts}</section>`
}

function part(title: string, iconName: string, count: number, all: string | undefined, content: Html): Html {
  if (count === 0) return nothing
  const more = all === undefined ? nothing : html`<a href="${all}">${words.all}</a>`
  return html`<section class="box"><header class="box-head"><h3>${icon(iconName)} ${title}</h3>${more}</header>${content}</section>`
}

function threads({ ctx }: PageVisit, list: readonly NotificationThread[]): Html {
  const one = ({ subject, repository, updated_at }: NotificationThread) =>
    subject === null || repository === null
      ? nothing
      : html`<li class="row" data-row><span class="unread-dot" aria-hidden="true"></span><div class="grow"><a class="title" href="${local(subject.latest_comment_html_url || subject.html_url)}" data-open>${subject.title}</a> <span class="quiet-text">${repository.full_name}</span></div><span class="small quiet-text">${time(updated_at, ctx.now())}</span></li>`
  return html`<ul class="rows">${list.map(one)}</ul>`
}

function runs({ ctx }: PageVisit, list: readonly ActionWorkflowRun[]): Html {
  const one = (it: ActionWorkflowRun) =>
    html`<li class="row" data-row><span class="state bad">${icon('circle-x', it.conclusion ?? it.status)}</span><div class="grow"><a class="title" href="${local(it.html_url)}" data-open>${it.display_title}</a> <span class="quiet-text">${it.repository.full_name} ${words.run(it.path.split('@')[0]?.split('/').at(-1) ?? '', it.run_number)}</span></div><span class="small quiet-text">${time(it.started_at ?? it.created_at, ctx.now())}</span></li>`
  return html`<ul class="rows">${list.map(one)}</ul>`
}

function waiting(visit: PageVisit, { pulls, reviewStates }: HomeView): Html {
  const others = pulls.filter(({ id }) => reviewStates.get(id) !== 'changes').slice(0, SOME)
  if (others.length === 0) return nothing
  const extra = ({ id }: Issue) =>
    reviewStates.get(id) === 'approved' ? pill(words.approved, 'good', 'check') : nothing
  return html`<section class="box"><header class="box-head"><h2>${words.waiting}</h2><a href="${withQuery(links.pulls, { type: 'created' })}">${words.all}</a></header>${issueRows(visit, others, { namesRepository: true, extra })}</section>`
}

function recent({ repositories }: HomeView): Html {
  const one = (it: Repository) =>
    html`<li class="row">${icon(it.private ? 'lock' : 'book')}<a class="grow title" href="${links.repository(it)}">${it.full_name}</a></li>`
  const list =
    repositories.length === 0
      ? html`<p class="box-text quiet-text">${words.recentNone}</p>`
      : html`<ul class="rows">${repositories.map(one)}</ul>`
  return box(
    words.recent,
    list,
    html`<a class="button quiet" href="${links.newRepository}" aria-label="${words.newRepository}" title="${words.newRepository}">${icon('plus')}</a>`,
  )
}

export const homePages: readonly Page[] = [homePage]
