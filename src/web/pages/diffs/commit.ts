/** A commit: message, author and diff. */
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import { diffOf } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import type { Commit, PullRequest, Repository } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { icon, menu, time } from '../../parts/basics.ts'
import { author, detailsOf, subjectOf, verified } from '../../parts/code/commit-list.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { checksLine } from '../../parts/runs/checks.ts'
import { changeWords } from '../../words/change.ts'
import { diffWords, commitWords as words } from '../../words/diff.ts'

interface CommitPath {
  readonly owner: string
  readonly repo: string
  readonly sha: string
}

const commitPage = page({
  path: '/:owner/:repo/commit/:sha',
  load: loadCommit,
  show: ({ view, commit, diff, status, pull }, visit) =>
    inRepository(view, 'code', visit, {
      title: subjectOf(commit),
      isWide: true,
      islands: ['diff.ts'],
      body: html`${heading(view, commit, pull, visit)}${checksLine(status)}<h2 class="unseen">${diffWords.files}</h2>${diffView(visit, { diff, tools: downloads(view.repo, commit) })}`,
    }),
})

async function loadCommit(visit: PageVisit<CommitPath>) {
  const { ask, maybe, params } = visit
  const { owner, repo, sha } = params
  const view = await loadRepository(visit)
  const commit = await ask('repoGetSingleCommit', { owner, repo, sha, files: false, stat: false })
  const span = { from: commit.parents[0]?.sha ?? null, to: commit.sha }
  const [diff, status, pull] = await Promise.all([
    diffOf(visit, span),
    maybe('repoGetCombinedStatusByRef', { owner, repo, ref: commit.sha, limit: 50 }),
    maybe('repoGetCommitPullRequest', { owner, repo, sha: commit.sha }),
  ])
  return { view, commit, diff, status, pull }
}

function heading(
  view: RepositoryView,
  commit: Commit,
  pull: PullRequest | undefined,
  visit: PageVisit,
): Html {
  const { repo } = view
  const details = detailsOf(commit)
  const now = visit.ctx.now()
  const parents = commit.parents.map(
    ({ sha }) => html` <a class="mono" href="${links.commit(repo, sha)}">${sha.slice(0, 10)}</a>`,
  )
  return html`<section class="box"><header class="box-head"><h1>${subjectOf(commit)}</h1>${verified(commit)}<a class="button" href="${links.source(repo, { kind: 'commit', name: commit.sha })}">${icon('code')}${words.browse}</a>${acts(view, commit)}</header>
<div class="box-text">${author(commit)} ${words.committed} ${time(commit.commit.committer.date, now)}${
    details !== '' && html`<pre class="commit-message">${details}</pre>`
  }</div><div class="box-text spread quiet-text"><span>${commit.parents.length === 0 ? words.noParents : html`${words.parents}${parents}`}</span>${
    pull === undefined
      ? nothing
      : html`<span>${words.mergedWith} <a href="${links.pull(repo, pull.number)}">#${pull.number} ${pull.title}</a></span>`
  }<span class="grow"></span><code>${commit.sha}</code></div></section>`
}

/** Actions for users with write access. */
function acts({ repo, may }: RepositoryView, { sha }: Commit): Html {
  if (!may.code.write) return nothing
  const items = html`<a href="${links.pick(repo, sha, true)}">${icon('undo-2')}${changeWords.revert}</a>
<a href="${links.pick(repo, sha, false)}">${icon('copy')}${changeWords.pick}</a>`
  return menu('menu-commit', icon('ellipsis'), items, words.more)
}

function downloads(repo: Repository, { sha }: Commit): Html {
  return html`<a class="button quiet" href="${links.commit(repo, `${sha}.diff`)}">${words.diff}</a><a class="button quiet" href="${links.commit(repo, `${sha}.patch`)}">${words.patch}</a>`
}

export const commitPages: readonly Page[] = [commitPage]
