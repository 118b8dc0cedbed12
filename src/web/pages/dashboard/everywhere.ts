/** The user's issues, pull requests and milestones in all repositories. */
import type { SavedView } from '#domains/work/views'
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { Issue, Milestone, Repository } from '../../gen/contract.ts'
import { links, sameWith } from '../../links.ts'
import { empty, icon } from '../../parts/basics.ts'
import {
  askedOf,
  filterLinks,
  type IssueFilter,
  readFilter,
  searchLine,
  sortOf,
} from '../../parts/issues/issue-filter.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { dueText, progressBar } from '../../parts/issues/milestone.ts'
import { loadPullSigns, type PullSigns, pullSigns } from '../../parts/issues/pull-signs.ts'
import { savedViews } from '../../parts/issues/saved-views.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { dashboardWords as words } from '../../words/dashboard.ts'
import { issueWords } from '../../words/issues.ts'

const ROWS = 25
type Kind = keyof typeof words.kinds

interface ListView {
  readonly filter: IssueFilter
  readonly kind: Kind
  readonly issues: readonly Issue[]
  /** Only for pull requests. */
  readonly signs: PullSigns
  readonly total: number
  readonly views: readonly SavedView[]
}

function everywhere(path: '/issues' | '/pulls', type: 'issues' | 'pulls', kinds: readonly Kind[]): Page {
  return page({
    path,
    requiresSignIn: true,
    load: async (visit): Promise<ListView> => {
      const filter = readFilter(visit.query)
      const asked = visit.query.get('type') as Kind | null
      const kind = kinds.find((it) => it === asked) ?? kinds[0] ?? 'all'
      const views = await visit.ask('viewsList', { path })
      const { items, total } = await visit.ask('issueSearchSorted', {
        type,
        ...askedOf(filter),
        ...(kind === 'all' ? {} : { [kind]: true }),
        ...(filter.poster !== '' && { created_by: filter.poster }),
        page: pageNumber(visit),
        limit: ROWS,
        sort: sortOf(visit),
      })
      const signs: PullSigns = type === 'pulls' ? await loadPullSigns(visit, items) : new Map()
      return { filter, kind, issues: items, signs, total, views }
    },
    show: (view, visit) => ({ title: words[type], body: list(visit, view, kinds, words[type]) }),
  })
}

function list(
  visit: PageVisit,
  { filter, kind, issues, signs, total, views }: ListView,
  kinds: readonly Kind[],
  title: string,
): Html {
  const link = (it: Kind) =>
    html`<a href="${sameWith(visit, { type: it === kinds[0] ? undefined : it, page: undefined })}"${it === kind && html` aria-current="page"`}>${words.kinds[it]}</a>`
  return html`<h1>${title}</h1><div class="columns left"><nav class="side" aria-label="${words.kind}">${kinds.map(link)}</nav><div>${searchLine(visit, { filter, kept: ['type'] })}${filterLinks(visit, { filter, choices: [], isSorted: true })}${savedViews(visit, views)}${
    issues.length === 0
      ? empty(issueWords.nothing, html`<p>${issueWords.nothingHelp}</p>`)
      : html`<div class="box">${issueRows(visit, issues, { namesRepository: true, extra: pullSigns(signs) })}</div>`
  }${pager(visit, total, ROWS)}</div></div>`
}

const issuesPage = everywhere('/issues', 'issues', ['assigned', 'created', 'mentioned', 'all'])
const pullsPage = everywhere('/pulls', 'pulls', [
  'review_requested',
  'created',
  'assigned',
  'mentioned',
  'reviewed',
  'all',
])

interface MilestonesView {
  readonly lists: readonly { readonly repo: Repository; readonly milestones: readonly Milestone[] }[]
}

/** Queries the most recently updated repositories; each costs the same. */
const REPOSITORIES = 10

const milestonesPage = page({
  path: '/milestones',
  requiresSignIn: true,
  load: async (visit): Promise<MilestonesView> => {
    const found = await visit.ask('repoSearch', {
      uid: visit.ctx.actor?.id,
      sort: 'updated',
      order: 'desc',
      limit: REPOSITORIES,
    })
    const repos = found.data.filter(({ has_issues }) => has_issues)
    const lists = await Promise.all(
      repos.map(async (repo) => ({
        repo,
        milestones:
          (await visit.maybe('issueGetMilestonesList', {
            owner: repo.owner.login,
            repo: repo.name,
            state: 'open',
            limit: REPOSITORIES,
          })) ?? [],
      })),
    )
    return { lists: lists.filter(({ milestones }) => milestones.length > 0) }
  },
  show: ({ lists }, visit) => {
    const one = (repo: Repository) => (it: Milestone) =>
      html`<li class="row" data-row>${icon('milestone')}<div class="grow"><a class="title" href="${links.milestone(repo, it.id)}" data-open>${it.title}</a><p class="row-facts"><span>${dueText(it, visit.ctx.now())}</span></p></div>${progressBar(it)}</li>`
    const section = ({ repo, milestones }: MilestonesView['lists'][number]) =>
      html`<section class="box"><header class="box-head"><h2><a href="${links.of(repo, 'milestones')}">${repo.full_name}</a></h2></header><ul class="rows dense">${milestones.map(one(repo))}</ul></section>`
    return {
      title: words.milestones,
      body: html`<h1>${words.milestones}</h1><p class="quiet-text">${words.milestonesHelp}</p>${lists.length === 0 ? empty(words.milestonesNone) : lists.map(section)}`,
    }
  },
})

export const everywherePages: readonly Page[] = [issuesPage, pullsPage, milestonesPage]
