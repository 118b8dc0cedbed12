/** List of releases, and a release by its tag. */
import {
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  Redirect,
  type Rendered,
} from '#platform/page'
import { notFound } from '#platform/problem'
import type { Attachment, Release } from '../../../gen/contract.ts'
import { links, local, repositoryAt } from '../../../links.ts'
import { markdownOfAll } from '../../../markdown.ts'
import { author as by, empty, icon, pill, time } from '../../../parts/basics.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { releaseWords as words } from '../../../words/releases.ts'
import { bytes } from '../../../words/site.ts'

interface ShownRelease {
  readonly release: Release
  readonly notes: Html
  /** Name at the source of an import. */
  readonly original: string | undefined
  /** Tag of the previous release, for the comparison. */
  readonly before: string | undefined
  readonly isLatest: boolean
}

interface ReleasesView {
  readonly repository: RepositoryView
  readonly releases: readonly ShownRelease[]
  readonly total: number
}

const LIMIT = 10

const listPage = page({
  path: '/:owner/:repo/releases',
  load: async (visit): Promise<ReleasesView> => {
    const { owner, repo } = visit.params
    const repository = await loadRepository(visit)
    const { items, total } = await visit.list('repoListReleases', {
      owner,
      repo,
      page: pageNumber(visit),
      limit: LIMIT,
    })
    return { repository, releases: await withNotes(visit, repository, items), total }
  },
  show: showList,
})

const onePage = page({
  path: '/:owner/:repo/releases/tag/*tag',
  load: async (visit) => {
    const { owner, repo, tag } = visit.params
    const repository = await loadRepository(visit)
    const release = await visit.ask('repoGetReleaseByTag', { owner, repo, tag })
    const [shown] = await withNotes(visit, repository, [release])
    if (shown === undefined) throw notFound('release', tag)
    return { repository, shown }
  },
  show: ({ repository, shown }, visit) =>
    inRepository(repository, 'releases', visit, {
      title: shown.release.name || shown.release.tag_name,
      body: releaseBox(repository, shown, visit.ctx.now(), true),
    }),
})

const latestPage = page({
  path: '/:owner/:repo/releases/latest',
  load: async (visit): Promise<never> => {
    const { tag_name } = await visit.ask('repoGetLatestRelease', visit.params)
    const { owner, repo } = visit.params
    throw new Redirect(links.release(repositoryAt({ owner, repo }), tag_name))
  },
  show: () => ({ title: '', body: nothing }),
})

async function withNotes(
  visit: PageVisit,
  { repo }: RepositoryView,
  releases: readonly Release[],
): Promise<ShownRelease[]> {
  const texts = releases.map(({ body }) => ({ text: body }))
  const named = { owner: repo.owner.login, repo: repo.name }
  const ids = releases.map(({ id }) => id)
  const [notes, latest, originals] = await Promise.all([
    markdownOfAll(visit, texts, repo),
    visit.maybe('repoGetLatestRelease', named),
    visit.ask('releaseListOriginalAuthors', named, { ids }),
  ])
  return releases.map((release, i) => ({
    release,
    notes: notes[i] ?? nothing,
    original: originals.get(release.id),
    before: releases.slice(i + 1).find(({ draft }) => !draft)?.tag_name,
    isLatest: release.id === latest?.id,
  }))
}

function showList({ repository, releases, total }: ReleasesView, visit: PageVisit): Rendered {
  const { repo, may } = repository
  const make =
    may.releases.write &&
    html`<a class="button primary" href="${links.of(repo, 'releases', 'new')}" data-key="c">${icon('plus')}${words.new}</a>`
  const now = visit.ctx.now()
  return inRepository(repository, 'releases', visit, {
    title: words.title,
    head: html`<link rel="alternate" type="application/rss+xml" title="${words.title}" href="${links.of(repo, 'releases.rss')}">`,
    body: html`<div class="code-head"><h1>${words.title}</h1><span class="grow"></span>${may.code.read && html`<a class="button" href="${links.of(repo, 'tags')}">${icon('tag')}${words.tags}</a>`}${releases.length > 0 && make}</div>
${releases.length === 0 ? html`<div class="box">${empty(words.none, html`<p>${words.noneHelp}</p>`, make)}</div>` : releases.map((it) => releaseBox(repository, it, now))}${pager(visit, total, LIMIT)}`,
  })
}

function releaseBox(
  { repo, may }: RepositoryView,
  { release, notes, original, before, isLatest }: ShownRelease,
  now: Date,
  isAlone = false,
): Html {
  const { tag_name, name, draft, prerelease, author, published_at, created_at, body } = release
  const state = draft
    ? pill(words.draft, 'warn')
    : prerelease
      ? pill(words.prerelease, 'warn')
      : isLatest && pill(words.latest, 'good')
  const title = html`<a href="${links.release(repo, tag_name)}">${name || tag_name}</a> ${state}`
  return html`<article class="box release"><header class="release-head">${isAlone ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
${may.releases.write && html`<a class="button quiet" href="${links.of(repo, 'releases', 'edit', tag_name)}" aria-label="${words.edit}: ${tag_name}" title="${words.edit}">${icon('pencil')}</a>`}
<p class="spread quiet-text"><span>${icon('tag')} ${draft || !may.code.read ? tag_name : html`<a href="${links.source(repo, { kind: 'tag', name: tag_name })}">${tag_name}</a>`}</span>${
    author &&
    html`<span>${words.released} ${time(published_at ?? created_at, now)} ${words.by} ${by(author, original, 16)}</span>`
  }${
    before !== undefined &&
    !draft &&
    may.code.read &&
    html`<a href="${links.compare(repo, before, tag_name)}">${icon('git-compare')} ${words.compare(before)}</a>`
  }</p></header><div class="box-body">${body.trim() === '' ? html`<p class="quiet-text">${words.noNotes}</p>` : notes}</div>${filesOf(release, may.code.read && !draft)}</article>`
}

/** Attachments, and source archives for viewers who may read code. */
function filesOf({ assets, zipball_url, tarball_url }: Release, hasSource: boolean): Html {
  const asset = ({ name, size, download_count, browser_download_url }: Attachment) =>
    html`<li class="row">${icon('package')}<a class="grow clip" href="${local(browser_download_url)}">${name}</a><span class="quiet-text">${words.downloads(download_count)} · ${bytes(size)}</span></li>`
  const source = (url: string, text: string) =>
    html`<li class="row">${icon('archive')}<a class="grow" href="${local(url)}" rel="nofollow">${text}</a></li>`
  if (!hasSource && assets.length === 0) return nothing
  return html`<ul class="rows release-files">${assets.map(asset)}${hasSource && html`${source(zipball_url, words.sourceZip)}${source(tarball_url, words.sourceTar)}`}</ul>`
}

export const releasePages: readonly Page[] = [listPage, onePage, latestPage]
