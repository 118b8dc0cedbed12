/** Pull requests of a repository, one dense line each. */
import { html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import type { Issue } from '../../gen/contract.ts'
import { links, type RepositoryPath } from '../../links.ts'
import { box, empty, icon, label } from '../../parts/basics.ts'
import { loadPushedBranches, pushedBranches } from '../../parts/code/pushed-branches.ts'
import { askedOf, filterBar, isFiltered, readFilter } from '../../parts/issues/issue-filter.ts'
import { issueRows } from '../../parts/issues/issue-list.ts'
import { loadPullSigns, pullSigns } from '../../parts/issues/pull-signs.ts'
import { savedViews } from '../../parts/issues/saved-views.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inRepository, loadRepository, mayReadPulls } from '../../parts/repository.ts'
import { issueWords } from '../../words/issues.ts'
import { pullWords as words } from '../../words/pulls.ts'

const PAGE = 30

const listPage = page({
  path: '/:owner/:repo/pulls',
  load: loadList,
  show: ({ view, pulls, signs, total, filter, choices, views, pushed }, visit) => {
    const { repo, may } = view
    const create = html`<a class="button primary" href="${links.of(repo, 'compare')}" data-key="c">${icon('plus')}${words.new}</a>`
    const isNone = pulls.length === 0
    const nothing = isFiltered(filter)
      ? empty(issueWords.nothing, html`<p>${issueWords.nothingHelp}</p>`)
      : empty(
          words.none,
          html`<p>${words.noneHelp}</p><pre>git switch -c topic && git push -u origin topic</pre>`,
        )
    return inRepository(view, 'pulls', visit, {
      title: words.list,
      body: html`${pushedBranches(visit, pushed)}${filterBar(visit, { filter, choices, acts: may.pulls.join ? create : undefined })}${savedViews(visit, views)}${box(words.list, isNone ? nothing : issueRows(visit, pulls, { extra: pullSigns(signs) }))}${pager(visit, total, PAGE)}`,
    })
  },
})

async function loadList(visit: PageVisit<RepositoryPath>) {
  const { ask, list, params, query } = visit
  const { owner, repo } = params
  const view = await loadRepository(visit)
  if (!mayReadPulls(view)) throw notFound('pull requests', view.repo.full_name)
  const filter = readFilter(query)
  const { assignee, poster } = filter
  const { actor } = visit.ctx
  const [pulls, labels, people, milestones, views, pushed] = await Promise.all([
    list('issueListIssues', {
      owner,
      repo,
      type: 'pulls',
      limit: PAGE,
      page: pageNumber(visit),
      ...askedOf(filter),
      ...(assignee !== '' && { assigned_by: assignee }),
      ...(poster !== '' && { created_by: poster }),
    }),
    list('issueListLabels', { owner, repo, limit: 50 }),
    actor === null ? [] : ask('repoGetAssignees', { owner, repo }),
    list('issueGetMilestonesList', { owner, repo, state: 'all', limit: 50 }),
    actor === null ? [] : ask('viewsList', { path: visit.path }),
    loadPushedBranches(visit, view),
  ])
  const choices = [
    { param: 'labels' as const, options: labels.items.map((it) => ({ value: it.name, text: label(it) })) },
    {
      param: 'milestone' as const,
      options: milestones.items.map(({ title }) => ({ value: title, text: title })),
    },
    ...(['assignee', 'poster'] as const).map((param) => ({
      param,
      options: people.slice(0, 100).map(({ login }) => ({ value: login, text: login })),
    })),
  ]
  const signs = await loadPullSigns(visit, pulls.items)
  return {
    view,
    filter,
    choices,
    pulls: pulls.items as readonly Issue[],
    signs,
    total: pulls.total,
    views,
    pushed,
  }
}

export const listPages: readonly Page[] = [listPage]
