/** Writes the files of a diff into a page, one after the other, from the cache or from git. */
import { setImmediate } from 'node:timers/promises'
import { type Html, html, nothing, trusted } from '#platform/page'
import { changes, icon } from '../parts/basics.ts'
import { diffWords as words } from '../words/diff.ts'
import { languageTag } from '../words/spoken.ts'
import { findRendered, keepRendered } from './cache.ts'
import type { FilePatch } from './patch.ts'
import { type Pictures, picturesView } from './pictures.ts'
import { GAP, type Gap, type RenderedFile, renderFile } from './render.ts'
import type { Diff, DiffFile } from './source.ts'

/** Additions of a page to a file: marks, comments on lines, forms. */
export interface FileExtras {
  readonly isClosed?: boolean
  /** To the right of the file name. */
  readonly acts?: Html
  /** Above the lines. */
  readonly top?: Html | undefined
  /** Addresses that show all lines of the file, and only the changed ones. */
  readonly more?: string | undefined
  readonly less?: string | undefined
  /** Below lines: `R12` is line 12 of the new side, `L7` line 7 of the old side. */
  readonly below?: ReadonlyMap<string, Html> | undefined
}

/** The first lines get full layout, so that what is visible first does not move when lines wrap. */
const SEEN_FIRST = 150
/** Height, in lines, of a note that replaces the lines. */
const NOTE_LINES = 2.2

interface AllExtras extends FileExtras {
  readonly pictures: Pictures | undefined
}

export type Extras = (file: DiffFile) => FileExtras

/** The files of one page of a diff. */
export async function* writeFiles(
  diff: Diff,
  wanted: readonly DiffFile[],
  extras: Extras,
): AsyncGenerator<Html> {
  let lines = 0
  try {
    const pictures = await diff.picturesOf(wanted)
    for await (const [file, rendered] of renderAll(diff, wanted)) {
      const all = { ...extras(file), pictures: pictures.get(file.path) }
      const isOpen = !(all.isClosed ?? file.isFolded)
      yield showFile(file, rendered, all, { isOpen, isFirst: lines < SEEN_FIRST })
      lines += isOpen ? (rendered?.lines ?? 0) : 0
      // Yields to other requests between two files.
      await setImmediate()
    }
  } catch {
    // The page is partly written: report the error and keep what was sent.
    yield html`<p class="flash bad" role="alert">${words.broken}</p>`
  }
}

type Rendered = readonly [DiffFile, RenderedFile | undefined]

/** Git is called only if a file is not cached. */
async function* renderAll(diff: Diff, wanted: readonly DiffFile[]): AsyncGenerator<Rendered> {
  const kept = wanted.map((file) => findRendered(keyOf(diff, file)))
  if (kept.every((it) => it !== undefined)) {
    for (const [i, file] of wanted.entries()) yield [file, kept[i]]
    return
  }
  let next = 0
  const places = new Map(wanted.map(({ path }, i) => [path, i]))
  for await (const patch of diff.patches()) {
    const place = places.get(patch.path)
    if (place === undefined || place < next) continue
    for (; next < place; next++) yield [wanted[next] as DiffFile, kept[next]]
    const file = wanted[next++] as DiffFile
    yield [file, await renderOnce(diff, file, patch)]
    if (next === wanted.length) return
  }
  for (; next < wanted.length; next++) yield [wanted[next] as DiffFile, kept[next]]
}

async function renderOnce(diff: Diff, file: DiffFile, patch: FilePatch): Promise<RenderedFile> {
  const key = keyOf(diff, file)
  const known = findRendered(key)
  if (known !== undefined) return known
  const rendered = await renderFile(patch, !diff.isWhole && diff.wholeOf(file) !== undefined)
  keepRendered(key, rendered)
  return rendered
}

function keyOf({ whitespace, isWhole }: Diff, { change }: DiffFile): string {
  return `${languageTag()} ${whitespace} ${isWhole ? 'whole' : 'changes'} ${change}`
}

function showFile(
  file: DiffFile,
  rendered: RenderedFile | undefined,
  extras: AllExtras,
  { isOpen, isFirst }: { readonly isOpen: boolean; readonly isFirst: boolean },
): Html {
  const { anchor, path } = file
  const { top, below, pictures } = extras
  // The height of comments and pictures is not known in advance.
  const isLaidOut = isFirst || top !== undefined || (below?.size ?? 0) > 0 || pictures !== undefined
  const height = isOpen ? rendered?.lines || NOTE_LINES : 0
  const style = `--n:${height};--w:${rendered?.width ?? 0}${isLaidOut ? ';content-visibility:visible' : ''}`
  return html`<article class="diff-file" id="${anchor}" data-path="${path}" style="${style}"><details${isOpen && html` open`}><summary><h3>${nameOf(file)}</h3>${facts(file)}</summary>${top}${body(file, rendered, extras)}</details><div class="diff-acts">${extras.acts}</div></article>
`
}

function nameOf({ path, oldPath }: DiffFile): Html {
  return oldPath === null || oldPath === path ? html`${path}` : html`${oldPath} → ${path}`
}

function facts({ additions, deletions, status, oldMode, mode, isFolded }: DiffFile): Html {
  const isOtherMode = status === 'modified' && oldMode !== '' && mode !== '' && oldMode !== mode
  return html`${changes(additions, deletions)}${
    status !== 'modified' && html`<span class="quiet-text">${words.statuses[status]}</span>`
  }${isOtherMode && html`<span class="quiet-text">${oldMode} → ${mode}</span>`}${
    isFolded && html`<span class="quiet-text">${words.folded}</span>`
  }`
}

function body(
  file: DiffFile,
  rendered: RenderedFile | undefined,
  { below, more, less, pictures }: AllExtras,
): Html {
  if (pictures !== undefined) return html`${picturesView(file.path, pictures)}${left(below, new Set())}`
  if (rendered === undefined || rendered.markup === '')
    return html`<p class="diff-note">${emptyReason(file)}</p>${left(below, new Set())}`
  const { isCut } = rendered
  const markup = more === undefined ? rendered.markup : fillGaps(rendered.markup, more)
  const seen = new Set<string>()
  const content = below === undefined || below.size === 0 ? trusted(markup) : insert(markup, below, seen)
  return html`${less !== undefined && html`<p class="diff-note"><a href="${less}">${words.less}</a></p>`}<div class="diff-lines" translate="no">${content}</div>${left(below, seen)}${
    isCut && html`<p class="diff-note">${icon('triangle-alert')} ${words.cut}</p>`
  }`
}

function fillGaps(markup: string, address: string): string {
  const known: Partial<Record<Gap, string>> = {}
  return markup.replaceAll(GAP, (_, gap: Gap) => {
    known[gap] ??= gapTo(address, gap)
    return known[gap]
  })
}

/** Without JavaScript the link shows the whole file; with it, all missing lines in place, and buttons show a few. */
function gapTo(address: string, gap: Gap): string {
  const few = (way: 'up' | 'down', label: string, arrow: string) =>
    html`<button type="button" class="with-scripts" data-more="${way}" aria-label="${label}" title="${label}">${arrow}</button>`
  return html`<a href="${address}" aria-label="${words.more}" data-more>⋯</a>${gap !== 'top' && few('down', words.moreBelow, '↓')}${gap !== 'end' && few('up', words.moreAbove, '↑')}`.toString()
}

function emptyReason({ isBinary, status, additions, deletions }: DiffFile): string {
  if (isBinary) return words.binary
  if (additions + deletions > 0) return words.onlySpaces
  return status === 'renamed' || status === 'copied' ? words.unchanged : words.empty
}

/** Text is escaped, so it cannot match. */
const LINE = /(?=<(?:ins|del|span) data-l=)/
const NUMBERS = /^<(ins|del|span) data-l="([^"]*)"/

/** Comments below their lines; those on lines that are not shown are placed at the end of the file. */
function insert(markup: string, below: ReadonlyMap<string, Html>, seen: Set<string>): Html {
  const pieces = markup.split(LINE).map((piece) => {
    const [, name, numbers = ''] = NUMBERS.exec(piece) ?? []
    const [first = '', second = ''] = numbers.match(/\d+/g) ?? []
    const [old, now] = name === 'ins' ? ['', first] : [first, second]
    const found = [`L${old}`, `R${now}`].filter((key) => below.has(key))
    if (found.length === 0) return trusted(piece)
    for (const key of found) seen.add(key)
    // The rest of the piece closes or opens a group.
    const end = piece.indexOf(`</${name}>`) + `</${name}>`.length
    const remarks = found.map((key) => html`<aside>${below.get(key)}</aside>`)
    return html`${trusted(piece.slice(0, end))}${remarks}${trusted(piece.slice(end))}`
  })
  return html`${pieces}`
}

function left(below: ReadonlyMap<string, Html> | undefined, seen: ReadonlySet<string>): Html {
  const rest = [...(below ?? [])].filter(([key]) => !seen.has(key))
  return rest.length === 0
    ? nothing
    : html`${rest.map(([, remark]) => html`<aside class="loose">${remark}</aside>`)}`
}
