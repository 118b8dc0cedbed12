/** The changed files of a pull request, in full or since the viewer's last review, with line comments. */
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { type Diff, diffOf, diffOfText } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import { links, withQuery } from '../../links.ts'
import { formButton } from '../../parts/forms.ts'
import { pullWords as words } from '../../words/pulls.ts'
import { inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath, type PullView, pullHref } from './load.ts'
import { reviewForms } from './review-forms.ts'
import {
  batchForm,
  finishBox,
  remarkTemplate,
  reviewExtras,
  viewedCount,
  viewedForm,
} from './review-parts.ts'
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
    }${versionsBar(it, visit)}${diffView(visit, {
      diff,
      viewed: progress.viewed,
      extras: reviewExtras(visit, it),
      facts: isSomebody ? viewedCount(it) : nothing,
      tools: html`${batchForm(visit, it)}${it.rights.mayJoin && finishBox(visit, it)}`,
    })}${it.rights.mayJoin && remarkTemplate(visit, it)}`,
  })
}

/** The newest of many. */
const VERSIONS_MAX = 8

/** Links to all changes, to the changes since the viewer's last review, and to those since each version. */
function versionsBar(it: FilesView, visit: PageVisit<PullPath>): Html {
  const { progress, since, tip, view, pull } = it
  const files = pullHref(visit.params, 'files')
  const one = (text: string, to: string, { isCurrent = false, key = '', label = text } = {}) =>
    html`<a class="button" href="${to}"${isCurrent && html` aria-current="true"`}${key && html` data-key="${key}"`}${label !== text && html` aria-label="${label}" title="${label}"`}>${text}</a>`
  const last = progress.last?.version
  const isNews = last !== undefined && last < tip.version
  const news =
    isNews &&
    one(words.sinceLook(last), withQuery(files, { since: 'look' }), {
      isCurrent: since !== undefined,
      key: 'u',
    })
  const between = (from: number, to: number) =>
    links.pull(view.repo, pull.number, 'versions', `${from}..${to}`)
  const versions = it.versions
    .slice(-VERSIONS_MAX)
    .map(({ version }) =>
      version === tip.version
        ? one(`v${version}`, between(version - 1, version), { label: words.changedBy(version), key: '[' })
        : one(`v${version}`, between(version, tip.version), { label: words.changedSince(version) }),
    )
  const seen =
    visit.ctx.actor !== null &&
    last !== tip.version &&
    formButton(visit, 'look', words.look, { version: tip.version }, { tone: 'quiet', action: files })
  if (it.versions.length < 2) return html`${seen}`
  return html`<nav class="actions versions" aria-label="${words.versions}"><span class="buttons">${one(words.whole, files, { isCurrent: since === undefined })}${news}</span><span class="quiet-text">${words.versions}</span><span class="buttons">${versions}</span>${seen}</nav>`
}

export const filesPages: readonly Page[] = [filesPage]
