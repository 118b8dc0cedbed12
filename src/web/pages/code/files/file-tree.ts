/** File tree beside a file: its parent folders and the entries of its folder. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, type RepositoryPath } from '../../../links.ts'
import { icon } from '../../../parts/basics.ts'
import { codeWords as words } from '../../../words/code.ts'
import type { CodeView } from './place.ts'

export interface FileTree {
  readonly folder: string
  /** Folders first, as on the page of the folder. */
  readonly entries: readonly { readonly name: string; readonly type: 'blob' | 'tree' | 'commit' }[]
  readonly isCut: boolean
}

const ENTRIES_MAX = 500
const ICONS = { tree: ['folder', 0], commit: ['folder-git-2', 1], blob: ['file', 2] } as const

export async function loadFileTree(
  { ask, params: { owner, repo } }: PageVisit<RepositoryPath>,
  { place: { path, ref } }: Pick<CodeView, 'place'>,
): Promise<FileTree> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const asked = { owner, repo, ref, path: folder, is_recursive: false, limit: ENTRIES_MAX }
  const { entries, isTruncated } = await ask('repoListEntries', asked)
  return {
    folder,
    entries: entries
      .map(({ path, type }) => ({ name: path, type }))
      .sort((a, b) => ICONS[a.type][1] - ICONS[b.type][1]),
    isCut: isTruncated,
  }
}

/** On narrow screens it is behind a button. */
export function fileTree({ repository: { repo }, place }: CodeView, tree: FileTree): Html {
  const { folder, entries, isCut } = tree
  const steps = folder === '' ? [] : folder.split('/')
  const row = (depth: number, path: string, name: string, iconName: string) =>
    html`<li style="--depth:${depth}"><a href="${links.source(repo, place, path)}" title="${name}"${path === place.path && html` aria-current="page"`}>${icon(iconName)}<span class="clip">${name}</span></a></li>`
  const parents = steps.map((step, i) => row(i + 1, steps.slice(0, i + 1).join('/'), step, 'folder-open'))
  const inside = entries.map(({ name, type }) =>
    row(steps.length + 1, folder === '' ? name : `${folder}/${name}`, name, ICONS[type][0]),
  )
  return html`<nav class="file-tree" id="file-tree" popover aria-label="${words.filesBeside}"><ul>${row(0, '', repo.name, 'folder-open')}${parents}${inside}</ul>${
    isCut ? html`<p><a href="${links.find(repo, place)}">${words.findFile}</a></p>` : nothing
  }</nav>`
}

export function fileTreeButton(): Html {
  return html`<button type="button" class="button tree-button" popovertarget="file-tree">${icon('list')}${words.filesBeside}</button>`
}
