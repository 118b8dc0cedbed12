/** A file: highlighted text, rendered markup, a picture, or why it cannot be shown. */

import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import type { CombinedStatus, Commit, ContentsResponse } from '../../../gen/contract.ts'
import { highlightLines } from '../../../highlight/index.ts'
import { links, outside, type RepositoryPath, sameWith } from '../../../links.ts'
import { markdown } from '../../../markdown.ts'
import { icon, outsideLink, pill } from '../../../parts/basics.ts'
import { commitLine } from '../../../parts/code/commit-line.ts'
import { baseOf } from '../../../parts/code/text-base.ts'
import { codeWords as words } from '../../../words/code.ts'
import { bytes } from '../../../words/site.ts'
import { editLink } from './edit-link.ts'
import type { CodeView } from './place.ts'
import { contentOf, type FileContent } from './texts.ts'
import { isMarkdown } from './tree.ts'

export interface FileView {
  readonly file: ContentsResponse
  readonly content: FileContent['kind']
  readonly lines: readonly Html[]
  readonly rendered: Html | undefined
  /** Contains characters that make text look like other text. */
  readonly isDisguised: boolean
  readonly commit: Commit | undefined
  readonly state: CombinedStatus['state'] | undefined
}

const EXECUTABLE = '100755'
const DISGUISE = /[\u202a-\u202e\u2066-\u2069]/

export async function loadFile(
  visit: PageVisit<RepositoryPath>,
  { repository: { repo }, place }: CodeView,
  file: ContentsResponse,
): Promise<FileView> {
  const { owner, repo: name } = visit.params
  const content = file.type === 'file' ? contentOf(file) : { kind: 'binary' as const }
  const text = content.kind === 'text' ? content.text : ''
  const isRendered =
    content.kind === 'text' && isMarkdown(file.path) && visit.query.get('display') !== 'source'
  const sha = file.last_commit_sha
  const [commit, status, lines, rendered] = await Promise.all([
    sha && visit.maybe('repoGetSingleCommit', { owner, repo: name, sha, stat: false, files: false }),
    sha && visit.maybe('repoGetCombinedStatusByRef', { owner, repo: name, ref: sha, limit: 1 }),
    isRendered ? [] : highlightLines(visit.ctx, file.path, text),
    isRendered ? markdown(visit, text, repo, 'markdown', baseOf(repo, place, file.path)) : undefined,
  ])
  return {
    file,
    content: content.kind,
    lines,
    rendered,
    isDisguised: DISGUISE.test(text),
    commit: commit || undefined,
    state: status && status.total_count > 0 ? status.state : undefined,
  }
}

export function fileBox(view: CodeView, shown: FileView, visit: PageVisit): Html {
  const { repo } = view.repository
  const { commit, state, isDisguised } = shown
  const now = visit.ctx.now()
  return html`<section class="box file"><header class="box-head">${
    commit === undefined ? nothing : commitLine(repo, commit, { state, now })
  }</header><div class="file-bar">${facts(shown)}<span class="grow"></span>${acts(view, shown, visit)}</div>
${isDisguised && html`<p class="flash warn">${words.disguised}</p>`}${bodyOf(view, shown, visit)}</section>`
}

function facts({ file, content, lines, rendered }: FileView): Html {
  const { type, mode, size, lfs_size } = file
  const said: Piece[] = []
  if (content === 'text' && rendered === undefined) said.push(words.lines(lines.length))
  if (type === 'file') said.push(bytes(lfs_size ?? size))
  if (mode === EXECUTABLE) said.push(pill(words.executable))
  if (type === 'symlink') said.push(pill(words.symlink))
  if (type === 'submodule') said.push(pill(words.submodule))
  if (file.lfs_oid !== undefined) said.push(pill(words.lfs))
  return html`<span class="spread quiet-text">${said.map((it) => html`<span>${it}</span>`)}</span>`
}

function acts({ repository, place }: CodeView, shown: FileView, visit: PageVisit): Html {
  const { repo, may } = repository
  const { file, content, rendered } = shown
  const { path } = file
  if (file.type === 'submodule') return nothing
  const link = (to: string, text: string, iconName: string, key: string) =>
    html`<a class="button quiet" href="${to}" data-key="${key}">${icon(iconName)}${text}</a>`
  const bare = (to: string, text: string, iconName: string, key: string) =>
    html`<a class="button quiet" href="${to}" data-key="${key}" aria-label="${text}" title="${text}">${icon(iconName)}</a>`
  const isText = content === 'text'
  const isBranch = place.kind === 'branch'
  const edit = isBranch && isText ? editLink(visit, repository, place.name, path) : undefined
  const ways =
    isText &&
    isMarkdown(path) &&
    html`<span class="buttons"><a class="button" href="${sameWith(visit, { display: undefined })}"${
      rendered && html` aria-current="true"`
    }>${words.rendered}</a><a class="button" href="${sameWith(visit, { display: 'source' })}"${
      rendered === undefined && html` aria-current="true"`
    }>${words.source}</a></span>`
  const isWrapped = visit.query.get('wrap') !== 'off'
  return html`${ways}${link(links.raw(repo, place, path), words.raw, 'file', 'r')}${
    isText && link(links.blame(repo, place, path), words.blame, 'users', 'B')
  }${link(links.commits(repo, place, path), words.history, 'history', 'h')}${
    place.kind === 'commit'
      ? nothing
      : bare(links.source(repo, { kind: 'commit', name: place.oid }, path), words.permalink, 'link', 'y')
  }${
    rendered === undefined &&
    isText &&
    html`${bare(
      sameWith(visit, { wrap: isWrapped ? 'off' : undefined }),
      isWrapped ? words.noWrap : words.wrap,
      'text-wrap',
      'w',
    )}<button type="button" class="button quiet with-scripts" data-does="copy-lines" aria-label="${words.copyFile}" title="${words.copyFile}">${icon('copy')}</button>`
  }${edit && bare(edit.to, edit.isFork ? words.forkAndEdit : words.edit, 'pencil', 'e')}${
    isBranch &&
    may.code.write &&
    bare(links.change(repo, '_delete', place.name, path), words.delete, 'trash-2', 'D')
  }`
}

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i
const PICTURE_BYTES_MAX = 20 * 1024 * 1024

/** By its name, because the page reads no object. The address of the media says what it is. */
function isLfsPicture({ name, lfs_size = 0 }: ContentsResponse): boolean {
  return PICTURE_NAME.test(name) && lfs_size <= PICTURE_BYTES_MAX
}

function bodyOf({ repository: { repo }, place }: CodeView, shown: FileView, visit: PageVisit): Html {
  const { file, content, lines, rendered } = shown
  const raw = (file.lfs_oid === undefined ? links.raw : links.media)(repo, place, file.path)
  const download = html`<p><a class="button" href="${raw}">${icon('download')}${words.download}</a></p>`
  const said = (text: Piece, more: Piece = download) => html`<div class="empty"><p>${text}</p>${more}</div>`
  if (file.type === 'symlink') return said(html`${words.leadsTo} ${linkTarget(repo, place, file)}`, nothing)
  if (file.type === 'submodule') {
    const url = file.submodule_git_url ?? ''
    return said(
      html`${words.submodule} ${outside(url) ? outsideLink(url) : url} <span class="mono">@ ${file.sha}</span>`,
      nothing,
    )
  }
  const picture = () => html`<div class="picture"><img src="${raw}" alt="${file.name}"></div>`
  if (file.lfs_oid !== undefined) {
    const help = said(words.lfsHelp(bytes(file.lfs_size ?? 0)))
    return isLfsPicture(file) ? html`${picture()}${help}` : help
  }
  if (content === 'picture') return picture()
  if (content === 'binary') return said(words.binary)
  if (content === 'too-large') return said(words.tooLarge)
  if (rendered !== undefined) return html`<div class="box-body readme">${rendered}</div>`
  if (lines.length === 0) return said(words.emptyFile, nothing)
  return numbered(lines, visit.query.get('wrap') !== 'off')
}

/** The target of a symlink, resolved from its folder. */
function linkTarget(
  repo: { full_name: string },
  place: CodeView['place'],
  { path, target }: ContentsResponse,
): Html {
  if (target === null || target.startsWith('/')) return html`<code>${target}</code>`
  const steps = path.split('/').slice(0, -1)
  for (const step of target.split('/'))
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  return html`<a href="${links.source(repo, place, steps.join('/'))}"><code>${target}</code></a>`
}

/** Lines are laid out in chunks when they become visible; the height of a chunk is known in advance. */
const CHUNK = 100
const LINE_PX = 20

/** The style sheet shows line numbers, so they are not copied. */
export function numbered(lines: readonly Html[], isWrapped: boolean): Html {
  const chunks = Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, i) => {
    const start = i * CHUNK
    const part = lines.slice(start, start + CHUNK)
    return html`<span class="chunk" style="--h:${part.length * LINE_PX}px">${part.map((line, j) => html`<span class="l" id="L${start + j + 1}" data-l="${start + j + 1}">${line}\n</span>`)}</span>`
  })
  return html`<pre class="lines${!isWrapped && ' no-wrap'}" tabindex="0" aria-label="${words.source}"><code>${chunks}</code></pre>`
}
