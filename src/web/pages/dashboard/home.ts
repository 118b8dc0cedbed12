/** The dashboard: first what waits for the user, then what the user waits for, then recent activity. */
import { type Html, html, nothing, type Page, type PageVisit, page, Redirect } from '#platform/page'
import type { ActionWorkflowRun, Activity, Issue, Repository } from '../../gen/contract.ts'
import { links, local, withQuery } from '../../links.ts'
import { box, icon, time } from '../../parts/basics.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { liveRegion } from '../../parts/live.ts'
import { feed } from '../../parts/people/feed.ts'
import { stateIcon, workflowFile } from '../../parts/runs/run-state.ts'
import { dashboardWords as words } from '../../words/dashboard.ts'
import { turnWords } from '../../words/turns.ts'
import { loadTurn, markRead, type TurnView, yourTurn } from './your-turn.ts'

const SOME = 8
const ACTS = 15

interface HomeView {
  readonly turn: TurnView
  readonly failing: readonly ActionWorkflowRun[]
  readonly repositories: readonly Repository[]
  readonly acts: readonly Activity[]
}

const homePage = page({
  path: '/',
  load: async (visit): Promise<HomeView> => {
    const { actor } = visit.ctx
    // Anonymous users are redirected to the list of repositories.
    if (actor === null) throw new Redirect(links.explore)
    const [turn, failing, found, acts] = await Promise.all([
      loadTurn(visit),
      visit.ask('getUserWorkflowRuns', { status: ['failure'], limit: 5 }),
      visit.ask('repoSearch', { uid: actor.id, sort: 'updated', order: 'desc', limit: SOME }),
      visit.ask('userListActivityFeeds', { username: actor.login, limit: ACTS }),
    ])
    return { turn, failing: failing.workflow_runs, repositories: found.data, acts }
  },
  show: (view, visit) => ({
    title: words.home,
    body: html`<h1 class="unseen">${words.home}</h1><div class="columns"><div>${start(view)}${liveRegion('turn', 'inbox', yourTurn(visit, view.turn))}${waiting(visit, view.turn)}${box(
      words.feed,
      view.acts.length === 0
        ? html`<p class="box-text quiet-text">${words.feedNone}</p>`
        : feed(view.acts, visit.ctx.now()),
    )}</div><aside aria-label="${words.recent}">${recent(view)}${view.failing.length > 0 && box(words.failing, runs(visit, view.failing))}</aside></div>`,
  }),
  forms: { mark: { does: ['notifyReadThread'], handle: markRead } },
})

/** First steps, until the user has a repository. */
function start({ repositories }: HomeView): Html {
  if (repositories.length > 0) return nothing
  const step = (to: string, name: string, title: string, help: string) =>
    html`<li class="row">${icon(name)}<div class="grow"><a class="title" href="${to}">${title}</a><div class="small quiet-text">${help}</div></div></li>`
  return box(
    words.start,
    html`<ul class="rows">${step(links.newRepository, 'book', words.startNew, words.startNewHelp)}${step(links.migrate, 'download', words.startImport, words.startImportHelp)}${step(links.settingsOf('keys'), 'key', words.startKeys, words.startKeysHelp)}${step(links.explore, 'search', words.startExplore, words.startExploreHelp)}</ul>`,
  )
}

function runs({ ctx }: PageVisit, list: readonly ActionWorkflowRun[]): Html {
  const one = (it: ActionWorkflowRun) =>
    html`<li class="row" data-row>${stateIcon(it)}<div class="grow"><a class="title" href="${local(it.html_url)}" data-open>${it.display_title}</a>
<div class="small quiet-text">${it.repository.full_name} ${words.run(workflowFile(it), it.run_number)} · ${time(it.started_at ?? it.created_at, ctx.now())}</div></div></li>`
  return html`<ul class="rows">${list.map(one)}</ul>`
}

/** Own pull requests on which others act, and for what they wait. */
function waiting(visit: PageVisit, { pulls, signs }: TurnView): Html {
  const others = pulls.filter(({ id }) => signs.get(id)?.ownTurn === undefined).slice(0, SOME)
  if (others.length === 0) return nothing
  const extra = ({ id, user }: Issue) => {
    const { turn, requested = [] } = signs.get(id) ?? {}
    return (
      turn !== undefined &&
      html`<span class="small quiet-text">${turnWords.of(turn, user.login, requested)}</span>`
    )
  }
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
