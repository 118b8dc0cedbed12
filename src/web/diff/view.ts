/** The diff view that all pages share: options, file tree and files. */
import { type Html, html, nothing, type PageVisit, region } from '#platform/page'
import { sameWith } from '../links.ts'
import { changes, icon } from '../parts/basics.ts'
import { hidden } from '../parts/forms.ts'
import { diffWords as words } from '../words/diff.ts'
import { type Extras, writeFiles } from './files.ts'
import type { Diff, DiffFile } from './source.ts'

/** Limits of one page; the tree lists all files. */
const FILES_MAX = 1_000
const LINES_MAX = 50_000

interface ViewFacts {
  readonly diff: Diff
  readonly extras?: Extras
  /** Changes that the viewer has marked as viewed. */
  readonly viewed?: ReadonlySet<string>
  /** Beside the number of files. */
  readonly facts?: Html
  /** After the common options. With it, the bar stays at the top of the window. */
  readonly tools?: Html
}

export function diffView(visit: PageVisit, { diff, extras = () => ({}), viewed, ...more }: ViewFacts): Html {
  const pages = pagesOf(diff.files)
  const page = Math.min(Math.max(Number(visit.query.get('page') ?? 1) || 1, 1), pages.length)
  const wanted = pages[page - 1] ?? []
  const isSplit = visit.query.get('style') === 'split'
  if (diff.files.length === 0)
    return html`${bar(visit, diff, isSplit, more)}<div class="empty"><p class="empty-title">${words.nothing}</p></div>`
  return html`${bar(visit, diff, isSplit, more)}
<div class="diff${isSplit && ' split'}"><nav class="diff-tree" id="files" popover aria-label="${words.files}">${tree(visit, pages, page, viewed)}</nav>
<div class="diff-files">${diff.isTruncated && html`<p class="flash warn">${words.truncated}</p>`}${filesOf(visit, diff, wanted, extras)}${pagerOf(visit, page, pages.length)}</div></div>`
}

/** The region of a file that is shown with all lines. */
const WHOLE = 'whole'

function filesOf(visit: PageVisit, diff: Diff, wanted: readonly DiffFile[], extras: Extras): Html {
  const withMore: Extras = (file) => {
    const more = diff.wholeOf(file) && `${sameWith(visit, { [WHOLE]: file.path })}#${file.anchor}`
    return { ...extras(file), more }
  }
  const at = wanted.findIndex(({ path }) => path === visit.query.get(WHOLE))
  const file = wanted[at]
  const whole = file && diff.wholeOf(file)
  if (file === undefined || whole === undefined) return html`${writeFiles(diff, wanted, withMore)}`
  const withLess: Extras = (file) => {
    const less = `${sameWith(visit, { [WHOLE]: undefined })}#${file.anchor}`
    return { ...extras(file), isClosed: false, less }
  }
  return html`${writeFiles(diff, wanted.slice(0, at), withMore)}${region(WHOLE, html`${writeFiles(whole, [file], withLess)}`)}${writeFiles(diff, wanted.slice(at + 1), withMore)}`
}

function bar(
  visit: PageVisit,
  diff: Diff,
  isSplit: boolean,
  { facts, tools }: Pick<ViewFacts, 'facts' | 'tools'>,
): Html {
  const isHidden = diff.whitespace === 'ignore-all'
  const style = isSplit ? undefined : 'split'
  const spaces = isHidden ? undefined : 'ignore-all'
  return html`<div class="diff-bar${tools && ' sticky'}"><button type="button" class="button tree-button" popovertarget="files">${icon('list')}${words.files}</button>
<span>${words.fileCount(diff.files.length)}</span> ${changes(diff.additions, diff.deletions)}${facts}<span class="grow"></span>
<a class="button" href="${sameWith(visit, { style })}" data-key="s"${isSplit && html` aria-current="true"`}>${icon('columns-3')}${words.split}</a>
<a class="button" href="${sameWith(visit, { whitespace: spaces })}" data-key="i"${isHidden && html` aria-current="true"`}>${words.hideSpaces}</a>${tools}</div>`
}

/** By folder; contains the files of all pages. */
function tree(
  visit: PageVisit,
  pages: readonly (readonly DiffFile[])[],
  current: number,
  viewed: ReadonlySet<string> | undefined,
): Html {
  let folder: string | undefined
  const only = visit.query.get('only') ?? ''
  const rows = pages.flatMap((all, i) => {
    const files = all.filter(({ path }) => path.toLowerCase().includes(only.toLowerCase()))
    return files.map((file) => {
      const slash = file.path.lastIndexOf('/')
      const own = file.path.slice(0, Math.max(0, slash))
      const heading = own === folder || own === '' ? nothing : html`<li class="folder">${own}/</li>`
      folder = own
      const page = i === 0 ? undefined : i + 1
      const to = i + 1 === current ? '' : sameWith(visit, { page })
      return html`${heading}<li><a href="${to}#${file.anchor}" title="${file.path}" data-status="${file.status[0]}"><b title="${words.statuses[file.status]}">${file.status[0]?.toUpperCase()}</b><span>${
        viewed?.has(file.change) && html`<b title="${words.viewed}">✓ </b>`
      }${file.path.slice(slash + 1)}</span>${changes(file.additions, file.deletions)}</a></li>`
    })
  })
  const kept = [...visit.query]
    .filter(([name]) => name !== 'only')
    .map(([name, value]) => hidden(name, value))
  return html`<form role="search" aria-label="${words.filter}"><label class="unseen" for="file-filter">${words.filter}</label><input id="file-filter" type="search" name="only" value="${only}" placeholder="${words.filter}" data-key="f" maxlength="200">${kept}</form><ul>${rows}</ul>`
}

/** Each page has at least one file, however large. */
export function pagesOf(files: readonly DiffFile[]): DiffFile[][] {
  const pages: DiffFile[][] = [[]]
  let lines = 0
  for (const file of files) {
    const page = pages.at(-1) as DiffFile[]
    const more = file.additions + file.deletions
    const isFull = page.length >= FILES_MAX || (page.length > 0 && lines + more > LINES_MAX)
    if (isFull) pages.push([file])
    else page.push(file)
    lines = isFull ? more : lines + more
  }
  return pages
}

function pagerOf(visit: PageVisit, page: number, pages: number): Html {
  if (pages <= 1) return nothing
  const step = (to: number, text: string) =>
    to < 1 || to > pages
      ? nothing
      : html`<a class="button" href="${sameWith(visit, { page: to === 1 ? undefined : to })}">${text}</a>`
  return html`<nav class="pager" aria-label="${words.pages(page, pages)}">${step(page - 1, words.previous)}<span>${words.pages(page, pages)}</span>${step(page + 1, words.next)}</nav>`
}
