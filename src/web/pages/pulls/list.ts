/** Pull requests of a repository, one dense line each. */
import { html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import { links, type RepositoryPath } from '../../links.ts'
import { empty, icon, label } from '../../parts/basics.ts'
import { loadPushedBranches, pushedBranches } from '../../parts/code/pushed-branches.ts'
import { BULK_ISLANDS, bulkForm, bulkList } from '../../parts/issues/bulk-edit.ts'
import { findInList } from '../../parts/issues/find-in-list.ts'
import { filterLinks, isFiltered, readFilter, searchLine } from '../../parts/issues/issue-filter.ts'
import { loadLabels } from '../../parts/issues/load-facts.ts'
import { loadPullSigns, pullSigns } from '../../parts/issues/pull-signs.ts'
import { savedViews } from '../../parts/issues/saved-views.ts'
import { pager } from '../../parts/pager.ts'
import { inRepository, loadRepository, mayReadPulls } from '../../parts/repository.ts'
import { issueWords } from '../../words/issues.ts'
import { pullWords as words } from '../../words/pulls.ts'

const PAGE = 30
const PEOPLE_MAX = 100

const listPage = page({
  path: '/:owner/:repo/pulls',
  load: loadList,
  show: (shown, visit) => {
    const { view, signs, total, filter, choices, counts, views, pushed } = shown
    const { repo, may } = view
    const create = html`<a class="button primary" href="${links.of(repo, 'compare')}" data-key="c">${icon('plus')}${words.new}</a>`
    const nothing = isFiltered(filter)
      ? empty(issueWords.nothing, html`<p>${issueWords.nothingHelp}</p>`)
      : empty(
          words.none,
          html`<p>${words.noneHelp}</p><pre>git switch -c topic && git push -u origin topic</pre>`,
          may.pulls.join &&
            html`<p><a class="button primary" href="${links.of(repo, 'compare')}">${words.new}</a></p>`,
        )
    const list = bulkList(visit, {
      ...shown,
      head: filterLinks(visit, { filter, choices, counts, isSorted: true }),
      nothing,
      mayWrite: may.pulls.write,
      extra: pullSigns(signs),
    })
    return inRepository(view, 'pulls', visit, {
      title: words.list,
      hidesHeading: true,
      islands: BULK_ISLANDS,
      body: html`${pushedBranches(visit, pushed)}${searchLine(visit, { filter, acts: may.pulls.join ? create : undefined })}${savedViews(visit, views)}${list}${pager(visit, total, PAGE)}`,
    })
  },
  forms: { bulk: bulkForm },
})

async function loadList(visit: PageVisit<RepositoryPath>) {
  const { ask, list, params, query } = visit
  const { owner, repo } = params
  const view = await loadRepository(visit)
  if (!mayReadPulls(view)) throw notFound('pull requests', view.repo.full_name)
  const filter = readFilter(query)
  const { actor } = visit.ctx
  const [{ items: issues, total, counts }, labels, people, milestones, views, pushed] = await Promise.all([
    findInList(visit, 'pulls', filter, PAGE),
    loadLabels(visit, view.repo),
    actor === null ? [] : ask('repoGetAssignees', { owner, repo }),
    list('issueGetMilestonesList', { owner, repo, state: 'all', limit: 50 }),
    actor === null ? [] : ask('viewsList', { path: visit.path }),
    loadPushedBranches(visit, view),
  ])
  const choices = [
    { param: 'labels' as const, options: labels.map((it) => ({ value: it.name, text: label(it) })) },
    {
      param: 'milestone' as const,
      options: milestones.items.map(({ title }) => ({ value: title, text: title })),
    },
    ...(['assignee', 'poster'] as const).map((param) => ({
      param,
      options: people.slice(0, PEOPLE_MAX).map(({ login }) => ({ value: login, text: login })),
    })),
  ]
  const signs = await loadPullSigns(visit, issues)
  return {
    view,
    filter,
    choices,
    issues,
    signs,
    total,
    counts,
    labels,
    milestones: milestones.items,
    people: people.slice(0, PEOPLE_MAX),
    views,
    pushed,
  }
}

export const listPages: readonly Page[] = [listPage]
