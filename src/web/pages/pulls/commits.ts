/** Commits of a pull request by version, and single commits. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { diffOf } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import type { Commit, PullVersion } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { person, pill, time } from '../../parts/basics.ts'
import { author, commitRows, detailsOf, subjectOf } from '../../parts/code/commit-list.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { pullWords as words } from '../../words/pulls.ts'
import { inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath, type PullView } from './load.ts'

const PAGE = 50

interface CommitsView extends PullView {
  readonly commits: readonly Commit[]
  readonly total: number
  readonly versions: readonly PullVersion[]
}

const commitsPage = page({
  path: '/:owner/:repo/pulls/:index/commits',
  load: async (visit): Promise<CommitsView> => {
    const it = await loadPull(visit)
    const given = indexOf(visit.params)
    const [{ items: commits, total }, { items: versions }] = await Promise.all([
      visit.list('repoGetPullRequestCommits', {
        ...given,
        limit: PAGE,
        page: pageNumber(visit),
        files: false,
      }),
      visit.list('repoListPullVersions', given),
    ])
    return { ...it, commits, total, versions }
  },
  show: (it, visit) =>
    inPull(it, 'commits', visit, {
      title: words.tabs.commits,
      body: html`<section class="box"><header class="box-head"><h2>${words.commits(it.total)}</h2></header>${commitRows(
        it.commits,
        {
          now: visit.ctx.now(),
          to: (sha) => links.pull(it.view.repo, it.pull.number, 'commits', sha),
        },
      )}</section>${pager(visit, it.total, PAGE)}${versionsBox(it, visit)}`,
    }),
})

/** Each push is a version; newest first. */
export function versionsBox(
  { versions, pull, view: { repo } }: PullView & { readonly versions: readonly PullVersion[] },
  { ctx }: PageVisit,
): Html {
  const one = ({ version, sha, forced, pusher, created_at }: PullVersion) =>
    html`<li class="row"><div class="grow"><strong>${words.version(version)}</strong> ${pusher && person(pusher)} ${words.versionPushed} ${time(created_at, ctx.now())} ${forced && pill(words.versionForced, 'warn')}</div>${
      version > 1 &&
      html`<a href="${links.pull(repo, pull.number, 'versions', `${version - 1}..${version}`)}">${words.compareBefore}</a>`
    } <a class="mono" href="${links.commit(repo, sha)}">${sha.slice(0, 10)}</a></li>`
  return html`<section class="box" id="versions"><header class="box-head"><h2>${words.versions}</h2></header><ul class="rows">${versions
    .toReversed()
    .map(one)}</ul></section>`
}

interface CommitPath extends PullPath {
  readonly sha: string
}

const commitPage = page({
  path: '/:owner/:repo/pulls/:index/commits/:sha',
  load: loadCommit,
  show: ({ commit, diff, ...it }, visit) =>
    inPull(it, 'commits', visit, {
      title: subjectOf(commit),
      isWide: true,
      islands: ['diff.ts'],
      body: html`<section class="box"><header class="box-head"><h2>${subjectOf(commit)}</h2><a class="mono" href="${links.commit(it.view.repo, commit.sha)}">${commit.sha.slice(0, 10)}</a></header><div class="box-text">${author(commit)} ${time(commit.commit.committer.date, visit.ctx.now())}${
        detailsOf(commit) !== '' && html`<pre class="commit-message">${detailsOf(commit)}</pre>`
      }</div></section>${diffView(visit, { diff })}`,
    }),
})

/** Refuses commits that are not part of the pull request; they have their own page. */
async function loadCommit(visit: PageVisit<CommitPath>) {
  const { ask, params } = visit
  const it = await loadPull(visit)
  const { owner, repo, sha } = params
  const commit = await ask('repoGetSingleCommit', { owner, repo, sha, files: false, stat: false })
  const span = await ask('pullGetSpan', { ...indexOf(params), sha: commit.sha })
  return { ...it, commit, diff: await diffOf(visit, span) }
}

export const commitsPages: readonly Page[] = [commitsPage, commitPage]
