/** A folder: entries, last commit and readme. */

import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { CombinedStatus, Commit, ContentsResponse } from '../../../gen/contract.ts'
import { links, type RefPath, type RepositoryPath } from '../../../links.ts'
import { markdown } from '../../../markdown.ts'
import { icon, time } from '../../../parts/basics.ts'
import { commitLine, subjectOf } from '../../../parts/code/commit-line.ts'
import { baseOf } from '../../../parts/code/text-base.ts'
import { codeWords as words } from '../../../words/code.ts'
import type { CodeView } from './place.ts'
import { textOf } from './texts.ts'

export interface TreeView {
  readonly entries: readonly ContentsResponse[]
  /** The newest commit of all entries. */
  readonly commit: Commit | undefined
  /** Number of commits of the branch; only at the root. */
  readonly commits: number | undefined
  readonly state: CombinedStatus['state'] | undefined
  readonly readme: { readonly path: string; readonly content: Html } | undefined
}

const ENTRIES_SHOWN = 1_000
const README = /^readme(?:\.(?:md|markdown|mdown|mkd|txt))?$/i
const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i
/** Icon and order of entry types; folders first. */
const KINDS = {
  dir: ['folder', 0],
  submodule: ['folder-git-2', 1],
  symlink: ['folder-symlink', 2],
  file: ['file', 2],
} as const

export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path)
}

export async function loadTree(
  visit: PageVisit<RepositoryPath>,
  { repository: { repo }, place }: Pick<CodeView, 'repository' | 'place'>,
  found: readonly ContentsResponse[],
): Promise<TreeView> {
  const entries = [...found].sort((a, b) => KINDS[a.type][1] - KINDS[b.type][1])
  const { owner, repo: name } = visit.params
  const readme = entries
    .filter((it) => it.type === 'file' && README.test(it.name))
    .sort((a, b) => Number(isMarkdown(b.name)) - Number(isMarkdown(a.name)))[0]
  const [newest, shown] = await Promise.all([
    findNewest(visit, place, entries),
    readme && loadReadme(visit, { repository: { repo }, place }, readme),
  ])
  const sha = newest.commit?.sha
  const status =
    sha && (await visit.maybe('repoGetCombinedStatusByRef', { owner, repo: name, ref: sha, limit: 1 }))
  return {
    entries,
    ...newest,
    state: status && status.total_count > 0 ? status.state : undefined,
    readme: shown,
  }
}

/** At the root the tip of the branch; in a folder the newest commit that changed one of its entries. */
async function findNewest(
  visit: PageVisit<RepositoryPath>,
  { path, ref }: CodeView['place'],
  entries: readonly ContentsResponse[],
): Promise<Pick<TreeView, 'commit' | 'commits'>> {
  const { owner, repo } = visit.params
  const plain = { stat: false, files: false }
  if (path === '') {
    const { items, total } = await visit.list('repoGetAllCommits', {
      owner,
      repo,
      sha: ref,
      limit: 1,
      ...plain,
    })
    return { commit: items[0], commits: total }
  }
  const [last] = entries
    .filter((it) => it.last_commit_sha !== undefined)
    .sort((a, b) => Date.parse(b.last_committer_date ?? '') - Date.parse(a.last_committer_date ?? ''))
  const sha = last?.last_commit_sha
  if (sha === undefined) return { commit: undefined, commits: undefined }
  return {
    commit: await visit.maybe('repoGetSingleCommit', { owner, repo, sha, ...plain }),
    commits: undefined,
  }
}

async function loadReadme(
  visit: PageVisit<RepositoryPath>,
  {
    repository: { repo },
    place,
  }: { repository: { repo: CodeView['repository']['repo'] }; place: CodeView['place'] },
  { path }: ContentsResponse,
): Promise<TreeView['readme']> {
  const { owner, repo: name } = visit.params
  const asked = { owner, repo: name, filepath: path, ref: place.ref, includes: 'file_content' }
  const { file_contents: file } = await visit.ask('repoGetContentsExt', asked)
  const text = file && textOf(file)
  if (text === undefined) return undefined
  const content = isMarkdown(path)
    ? await markdown(visit, text, repo, 'markdown', baseOf(repo, place, path))
    : html`<pre class="plain">${text}</pre>`
  return { path, content }
}

export function treeBox(
  { repository: { repo }, place }: CodeView,
  { entries, commit, commits, state }: TreeView,
  now: Date,
): Html {
  const ref: RefPath = place
  const parent = place.path.includes('/') ? place.path.slice(0, place.path.lastIndexOf('/')) : ''
  const up =
    place.path !== '' &&
    html`<tr><td><a href="${links.source(repo, ref, parent)}" data-key="u">${icon('arrow-up')}<span class="unseen">${words.up}</span> ..</a></td><td></td><td></td></tr>`
  const history = html`<a class="history-link" href="${links.commits(repo, ref, place.path)}" data-key="h">${icon('history')}${
    commits === undefined ? words.history : words.commitCount(commits)
  }</a>`
  const head = commit === undefined ? history : commitLine(repo, commit, { state, now }, history)
  return html`<section class="box tree-box"><header class="box-head">${head}</header>
<table class="tree"><colgroup><col><col><col></colgroup><thead class="unseen"><tr><th>${words.name}</th><th>${words.lastChange}</th><th>${words.when}</th></tr></thead>
<tbody>${up}${entries.slice(0, ENTRIES_SHOWN).map((entry) => entryRow(repo, ref, entry, now))}</tbody></table>${
    entries.length > ENTRIES_SHOWN &&
    html`<p class="box-text"><a href="${links.find(repo, ref)}">${words.findFile}</a></p>`
  }</section>`
}

function entryRow(
  repo: CodeView['repository']['repo'],
  ref: RefPath,
  entry: ContentsResponse,
  now: Date,
): Html {
  const { name, path, type, last_commit_sha, last_commit_message = '', last_committer_date } = entry
  const change =
    last_commit_sha &&
    html`<a class="clip quiet-text" href="${links.commit(repo, last_commit_sha)}">${subjectOf(last_commit_message)}</a>`
  return html`<tr><td><a href="${links.source(repo, ref, path)}">${icon(KINDS[type][0])}<span>${name}</span></a>${
    type === 'submodule' && html` <span class="mono quiet-text">@ ${entry.sha.slice(0, 10)}</span>`
  }</td><td>${change}</td><td>${time(last_committer_date, now)}</td></tr>`
}

export function readmeBox({ repository: { repo }, place }: CodeView, { readme }: TreeView): Html {
  if (readme === undefined) return nothing
  const { path, content } = readme
  const name = path.slice(path.lastIndexOf('/') + 1)
  return html`<section class="box readme" id="readme"><header class="box-head"><h2>${icon('book-open')} <a href="${links.source(repo, place, path)}">${name}</a></h2></header>
<div class="box-body">${content}</div></section>`
}
