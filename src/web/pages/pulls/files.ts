/** The changed files of a pull request, in full or since the viewer's last review, with line comments. */
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { type Diff, diffOf, diffOfText } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import { links, withQuery } from '../../links.ts'
import { icon } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { pullWords as words } from '../../words/en/pulls.ts'
import { inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath, type PullView, pullHref } from './load.ts'
import { reviewForms } from './review-forms.ts'
import { batchForm, finishBox, remarkTemplate, reviewExtras, viewedForm } from './review-parts.ts'
import { renderRemarks } from './threads.ts'
import type { FilesView } from './views.ts'

const filesPage = page({
  path: '/:owner/:repo/pulls/:index/files',
  load: loadFiles,
  show: (it, visit) => showFiles(it, visit),
  forms: reviewForms,
})

async function loadFiles(visit: PageVisit<PullPath>): Promise<FilesView> {
  const { ask, list, query } = visit
  const it = await loadPull(visit)
  const [progress, lines, versions] = await Promise.all([
    ask('pullGetReviewProgress', indexOf(visit.params)),
    ask('pullListLines', indexOf(visit.params)),
    list('repoListPullVersions', indexOf(visit.params)),
  ])
  const remarks = await renderRemarks(visit, it.view.repo, lines)
  const since = query.get('since') === 'look' ? progress.last?.version : undefined
  const facts = { ...it, progress, remarks, versions: versions.items, since }
  return { ...facts, ...(await loadDiff(visit, it, since)) }
}

async function loadDiff(
  visit: PageVisit<PullPath>,
  { tip }: PullView,
  since: number | undefined,
): Promise<{ diff: Diff; isPlain: boolean }> {
  const { ask, params } = visit
  if (since !== undefined) {
    const given = { ...indexOf(params), base: since, head: tip.version }
    const { diff, plain } = await ask('repoComparePullVersions', given)
    return { diff: diffOfText(diff), isPlain: plain }
  }
  return { diff: await diffOf(visit, await ask('pullGetSpan', indexOf(params))), isPlain: false }
}

function showFiles(it: FilesView, visit: PageVisit<PullPath>) {
  const { diff, progress, since, isPlain } = it
  const isSomebody = visit.ctx.actor !== null
  return inPull(it, 'files', visit, {
    title: words.tabs.files,
    isWide: true,
    islands: ['diff.ts'],
    body: html`<h2 class="unseen">${words.tabs.files}</h2>${isSomebody && viewedForm(visit)}${since !== undefined && html`<p class="quiet-text">${words.sinceHelp(since)}</p>`}${
      isPlain && html`<p class="flash warn">${words.plain}</p>`
    }${diffView(visit, { diff, viewed: progress.viewed, extras: reviewExtras(visit, it), tools: tools(it, visit) })}${it.rights.mayJoin && html`${remarkTemplate(visit, it)}${finishBox(visit, it)}`}`,
  })
}

/** Links to the diff of the whole pull request, of the versions since the last review, and to the list of versions. */
function tools(it: FilesView, visit: PageVisit<PullPath>): Html {
  const { progress, since, tip, view } = it
  const files = pullHref(visit.params, 'files')
  const whole = html`<a class="button" href="${files}"${since === undefined && html` aria-current="true"`}>${words.whole}</a>`
  const last = progress.last
  const isNews = last !== undefined && last.version < tip.version
  const news = isNews
    ? html`<a class="button" href="${withQuery(files, { since: 'look' })}" data-key="u"${since !== undefined && html` aria-current="true"`}>${icon('eye')}${words.sinceLook}</a>`
    : nothing
  const seen =
    visit.ctx.actor === null || last?.version === tip.version
      ? nothing
      : formButton(visit, 'look', words.look, { version: tip.version }, { tone: 'quiet', action: files })
  const older = it.versions.at(-2)
  const versions =
    older === undefined
      ? nothing
      : html`<a class="button quiet" href="${links.pull(view.repo, it.pull.number, 'versions', `${older.version}..${tip.version}`)}" data-key="[">${icon('history')}${words.versions}</a>`
  return html`${batchForm(visit, it)}${(isNews || since !== undefined) && whole}${news}${seen}${versions}`
}

export const filesPages: readonly Page[] = [filesPage]
