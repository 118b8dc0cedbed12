/** Files and folders of a branch, tag or commit. Redirects old addresses and those of other forges. */
import {
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  type Piece,
  page,
  Redirect,
  type Rendered,
} from '#platform/page'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { icon, menu } from '../../../parts/basics.ts'
import { cloneMenu, pathTrail, refSwitcher } from '../../../parts/code/code-head.ts'
import { inRepository } from '../../../parts/repository.ts'
import { codeWords as words } from '../../../words/code.ts'
import { type FileView, fileBox, loadFile } from './file.ts'
import { type FileTree, fileTree, fileTreeButton, loadFileTree } from './file-tree.ts'
import { type CodeView, loadCode, type PlacePath } from './place.ts'
import { loadTree, readmeBox, type TreeView, treeBox } from './tree.ts'

interface SourceView extends CodeView {
  readonly tree: TreeView | undefined
  readonly file: (FileView & { readonly tree: FileTree }) | undefined
}

const KINDS = new Set(['branch', 'tag', 'commit'])
const INCLUDED = 'file_content,lfs_metadata,commit_metadata,commit_message'

const sourcePage = page({
  path: '/:owner/:repo/src/:kind/*place',
  load: loadSource,
  show: showSource,
})

async function loadSource(visit: PageVisit<PlacePath>): Promise<SourceView> {
  const { owner, repo, kind, place: address } = visit.params
  if (!KINDS.has(kind)) throw await elsewhere(visit, `${kind}/${address}`)
  const view = await loadCode(visit)
  const { path, ref } = view.place
  const found = await visit.ask('repoGetContentsExt', {
    owner,
    repo,
    filepath: path,
    ref,
    includes: INCLUDED,
  })
  const { file_contents: file, dir_contents: entries } = found
  if (!file) return { ...view, file: undefined, tree: await loadTree(visit, view, entries ?? []) }
  const [shown, tree] = await Promise.all([loadFile(visit, view, file), loadFileTree(visit, view)])
  return { ...view, file: { ...shown, tree }, tree: undefined }
}

function showSource(view: SourceView, visit: PageVisit): Rendered {
  const { repository, place, tree, file } = view
  const { repo } = repository
  const now = visit.ctx.now()
  const name = place.kind === 'commit' ? place.name.slice(0, 10) : place.name
  const canonical = html`<link rel="canonical" href="${links.source(repo, place, place.path)}">`
  const body = html`${codeHead(view, file && fileTreeButton())}${
    file === undefined
      ? tree && html`${treeBox(view, tree, now)}${readmeBox(view, tree)}`
      : html`<div class="with-tree">${fileTree(view, file.tree)}${fileBox(view, file, visit)}</div>`
  }`
  return inRepository(repository, 'code', visit, {
    title: words.fileTitle(place.path === '' ? repo.name : place.path, name),
    hidesHeading: true,
    body,
    head: canonical,
    islands: file !== undefined && file.lines.length > 0 ? ['lines.ts'] : [],
  })
}

/** Head of files and folders. */
export function codeHead({ repository, place, refs }: CodeView, more: Piece = nothing): Html {
  const { repo } = repository
  const switcher = refSwitcher(repo, place, refs, (ref) => links.source(repo, ref, place.path))
  return html`<div class="code-head">${switcher}${pathTrail(repo, place, place.path)}<span class="grow"></span>
${codeActs({ repository, place })}${more}</div>`
}

/** Actions on a tree: find, add, download. */
export function codeActs({ repository: { repo, may }, place }: Pick<CodeView, 'place' | 'repository'>): Html {
  const mayAdd = place.kind === 'branch' && may.code.write
  const add = html`<a href="${links.change(repo, '_new', place.name, place.path)}">${icon('file-plus')}${words.newFile}</a>
<a href="${links.change(repo, '_upload', place.name, place.path)}">${icon('upload')}${words.uploadFiles}</a>`
  return html`<a class="button" href="${links.find(repo, place)}" data-key="t">${icon('search')}${words.findFile}</a>${
    mayAdd &&
    html`<div class="add-menu">${menu('menu-add', html`${icon('plus')}${words.addFile}${icon('chevron-down')}`, add, words.addFile)}</div>`
  }${cloneMenu(repo, place)}`
}

const redirectPages = ['tree', 'blob'].map((word) =>
  page({
    path: `/:owner/:repo/${word}/*place`,
    load: async (visit): Promise<never> => {
      const params = visit.params as PlacePath
      throw await elsewhere({ ...visit, params }, params.place)
    },
    show: () => ({ title: '', body: html`` }),
  }),
)

/** Resolves an address that does not state the kind of its ref. */
async function elsewhere(visit: PageVisit<RepositoryPath>, address: string): Promise<Redirect> {
  const { owner, repo } = visit.params
  const { kind, name, path } = await visit.ask('repoGuessPlace', { owner, repo, place: address })
  return new Redirect(links.source(repositoryAt({ owner, repo }), { kind, name }, path), 301)
}

export const sourcePages: readonly Page[] = [sourcePage, ...redirectPages]
