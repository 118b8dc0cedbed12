/** The wiki of a repository: pages, sidebar, history. */
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { Problem } from '#platform/problem'
import type { WikiCommitList, WikiPage, WikiPageMetaData } from '../../../gen/contract.ts'
import { links, type RepositoryPath } from '../../../links.ts'
import { markdown } from '../../../markdown.ts'
import { empty, icon, time } from '../../../parts/basics.ts'
import { copyField, shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/wiki.ts'
import { deleteForm, editor, loadEditor, pageForms, type WikiEditor } from './edit-wiki.ts'

interface WikiView {
  readonly repository: RepositoryView
  readonly pages: readonly WikiPageMetaData[]
  readonly shown:
    | {
        readonly kind: 'page'
        readonly page: WikiPage
        readonly text: Html
        readonly sidebar: Html
        readonly footer: Html
      }
    | { readonly kind: 'edit'; readonly editor: WikiEditor }
    | { readonly kind: 'history'; readonly page: WikiPage; readonly list: WikiCommitList }
    | { readonly kind: 'pages' }
}

interface WikiPath extends RepositoryPath {
  readonly name: string
}

const HOME = 'Home'
const PAGES_MAX = 50
const REVISIONS_A_PAGE = 50

const homePage = page({
  path: '/:owner/:repo/wiki',
  load: (visit) => loadWiki(visit, HOME, true),
  show: showWiki,
})

const pagesPage = page({
  path: '/:owner/:repo/wiki/_pages',
  load: async (visit): Promise<WikiView> => {
    const repository = await loadRepository(visit)
    return { repository, pages: await loadPages(visit), shown: { kind: 'pages' } }
  },
  show: showWiki,
})

const onePage = page({
  path: '/:owner/:repo/wiki/*name',
  load: (visit: PageVisit<WikiPath>) => loadWiki(visit, nameIn(visit), false),
  show: showWiki,
  forms: pageForms(nameIn),
})

/** Decoded from the raw path, where an unescaped plus is a blank. */
function nameIn({ path }: { readonly path: string }): string {
  const sent = path.slice(path.indexOf('/wiki/') + '/wiki/'.length).replace(/\/+$/, '')
  try {
    return decodeURIComponent(sent.replaceAll('+', ' '))
  } catch {
    return sent
  }
}

async function loadWiki(
  visit: PageVisit<RepositoryPath>,
  name: string,
  mayBeMissing: boolean,
): Promise<WikiView> {
  const { owner, repo } = visit.params
  const repository = await loadRepository(visit)
  const [pages, found] = await Promise.all([
    loadPages(visit),
    visit.maybe('repoGetWikiPage', { owner, repo, pageName: name }),
  ])
  if (found === undefined) {
    // A disabled or unreadable wiki is 404, not an empty wiki.
    if (!mayBeMissing || !repository.may.wiki.read) throw new Problem('not_found', 'wiki page does not exist')
    return { repository, pages, shown: { kind: 'pages' } }
  }
  const action = visit.query.get('action')
  if (action === '_edit')
    return { repository, pages, shown: { kind: 'edit', editor: await loadEditor(visit, repository, found) } }
  if (action === '_revision') {
    const asked = { owner, repo, pageName: name, page: pageNumber(visit) }
    return {
      repository,
      pages,
      shown: { kind: 'history', page: found, list: await visit.ask('repoGetWikiPageRevisions', asked) },
    }
  }
  const render = (content: string) =>
    markdown(
      visit,
      Buffer.from(content, 'base64').toString('utf8'),
      repository.repo,
      'wiki',
      baseOf(repository.repo),
    )
  const [text, sidebar, footer] = await Promise.all(
    [found.content_base64, found.sidebar, found.footer].map(render),
  )
  return {
    repository,
    pages,
    shown: {
      kind: 'page',
      page: found,
      text: text ?? html``,
      sidebar: sidebar ?? html``,
      footer: footer ?? html``,
    },
  }
}

async function loadPages(visit: PageVisit<RepositoryPath>): Promise<readonly WikiPageMetaData[]> {
  const { owner, repo } = visit.params
  return (await visit.maybe('repoGetWikiPages', { owner, repo, limit: PAGES_MAX })) ?? []
}

/** Links between pages are relative to `/wiki/`. */
function baseOf(repo: { readonly full_name: string }) {
  const root = `${links.wiki(repo)}/`
  return { root, pictures: root, folder: '' }
}

function showWiki(view: WikiView, visit: PageVisit): Rendered {
  const { repository, shown } = view
  const title = titleOf(shown)
  const content = contentOf(view, visit)
  const body =
    shown.kind === 'edit'
      ? content
      : html`<div class="columns left-wide"><div>${content}</div>${aside(view)}</div>`
  return inRepository(repository, 'wiki', visit, { title, body })
}

function titleOf(shown: WikiView['shown']): string {
  if (shown.kind === 'pages') return words.title
  if (shown.kind === 'edit') return words.editTitle(shown.editor.title)
  return shown.kind === 'history' ? words.historyOf(shown.page.title) : shown.page.title
}

function contentOf(view: WikiView, visit: PageVisit): Html {
  const { repository, shown } = view
  const { repo } = repository
  if (shown.kind === 'edit')
    return html`${editor(visit, repository, shown.editor)}${deleteForm(visit, shown.editor)}`
  if (shown.kind === 'pages') return pagesList(view, visit.ctx.now())
  if (shown.kind === 'history') return historyList(view, shown, visit)
  const { page, text, footer } = shown
  const { last_commit: last } = page
  return html`<article><div class="code-head"><h1>${page.title}</h1><span class="grow"></span><a class="button" href="${links.wiki(repo, page.sub_url, { action: '_revision' })}" data-key="h">${icon('history')}${words.revisions(page.commit_count)}</a>${
    mayWrite(view) &&
    html`<a class="button" href="${links.wiki(repo, page.sub_url, { action: '_edit' })}" data-key="e">${icon('pencil')}${words.edit}</a><a class="button primary" href="${links.of(repo, 'wiki', '_new')}" data-key="c">${icon('plus')}${words.new}</a>`
  }</div>${last && html`<p class="quiet-text">${words.changed} ${time(last.author.date, visit.ctx.now())} ${words.by} ${last.author.name}</p>`}
<div class="wiki-text">${text}</div><footer class="wiki-footer">${footer}</footer></article>`
}

function mayWrite({ repository: { may } }: Pick<WikiView, 'repository'>): boolean {
  return may.wiki.write
}

function pagesList(view: WikiView, now: Date): Html {
  const { repository, pages } = view
  const { repo } = repository
  const make =
    mayWrite(view) &&
    html`<a class="button primary" href="${links.of(repo, 'wiki', '_new')}" data-key="c">${icon('plus')}${pages.length === 0 ? words.first : words.new}</a>`
  if (pages.length === 0)
    return html`<div class="box">${empty(words.empty, html`<p>${mayWrite(view) ? words.emptyHelp : words.readers}</p>`, make)}</div>`
  const row = ({ title, sub_url, last_commit }: WikiPageMetaData) =>
    html`<li class="row">${icon('file')}<a class="grow title" href="${links.wiki(repo, sub_url)}">${title}</a><span class="quiet-text">${time(last_commit?.author.date, now)}</span></li>`
  return html`<div class="code-head"><h1>${words.pages}</h1><span class="grow"></span>${make}</div><ul class="box rows dense">${pages.map(row)}</ul>`
}

function historyList(
  { repository: { repo } }: WikiView,
  { page, list }: { readonly page: WikiPage; readonly list: WikiCommitList },
  visit: PageVisit,
): Html {
  const now = visit.ctx.now()
  return html`<div class="code-head"><h1>${words.historyOf(page.title)}</h1><span class="grow"></span><a class="button" href="${links.wiki(repo, page.sub_url)}">${icon('arrow-left')}${page.title}</a></div>
<ul class="box rows dense">${list.commits.map(
    ({ sha, message, author }) =>
      html`<li class="row">${icon('git-commit-horizontal')}<div class="grow"><a class="title" href="${links.wikiCommit(repo, sha)}">${subjectOf(message)}</a><p class="row-facts"><span>${author.name} ${time(author.date, now)}</span></p></div><code>${shortId(sha)}</code></li>`,
  )}</ul>${pager(visit, list.count, REVISIONS_A_PAGE)}`
}

/** The wiki's sidebar page, the list of pages, and the clone URL. */
function aside({ repository: { repo }, pages, shown }: WikiView): Html {
  const current = 'page' in shown ? shown.page.sub_url : undefined
  return html`<aside class="about" aria-label="${words.pages}">${shown.kind === 'page' && String(shown.sidebar) !== '' && html`<section>${shown.sidebar}</section>`}
${
  // The page itself is the list.
  shown.kind !== 'pages' &&
  html`<section><h2><a href="${links.of(repo, 'wiki', '_pages')}">${words.pages}</a></h2><nav class="side" aria-label="${words.allPages}">${pages.map(
    ({ title, sub_url }) =>
      html`<a href="${links.wiki(repo, sub_url)}"${sub_url === current && html` aria-current="page"`}>${title}</a>`,
  )}</nav></section>`
}<section>${copyField('clone-wiki', words.clone, repo.clone_url.replace(/\.git$/, '.wiki.git'))}</section></aside>`
}

export const wikiPages: readonly Page[] = [homePage, pagesPage, onePage]
