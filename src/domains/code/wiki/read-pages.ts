/** Reads wiki pages. Each call takes a fixed number of queries and processes, whatever the number of pages. */
import {
  type CommitRecord,
  findBlob,
  findCommits,
  findEntries,
  findLastCommitsOf,
  listHistory,
  listTree,
  type StorageId,
  type TreeEntry,
} from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import { filesOf, nameOfFile } from './names.ts'
import type { Wiki } from './open-wiki.ts'

export interface ListedPage {
  readonly name: string
  /** Undefined when searching the history takes too long. */
  readonly lastCommit: CommitRecord | undefined
}

export interface WholePage extends ListedPage {
  readonly content: Buffer
  readonly commits: number
  readonly sidebar: Buffer
  readonly footer: Buffer
}

export interface Revisions {
  readonly commits: readonly CommitRecord[]
  readonly total: number
}

const PAGES_MAX = 10_000
/** Compat: a larger page is returned without its content. */
const CONTENT_BYTES_MAX = 10 * 1024 * 1024
const REVISIONS_A_PAGE = 50
const SIDEBAR = '_Sidebar.md'
const FOOTER = '_Footer.md'
const LINK = '120000'
const ALONE = { withStats: false, withFiles: false }
const NOTHING = Buffer.alloc(0)

/** A page as a file in git. */
export interface PageFile {
  readonly name: string
  readonly path: string
  readonly oid: string
}

export async function listPages(
  ctx: Context,
  wiki: Wiki,
  page: Page,
): Promise<{ pages: ListedPage[]; total: number }> {
  const { storageId, tip } = wiki
  const files = await listFiles(ctx, wiki)
  const shown = files.slice(page.offset, page.offset + page.limit)
  const wanted = new Map(shown.map(({ path, oid }) => [path, oid]))
  const last = await findLastCommitsOf(ctx, storageId, tip, wanted)
  const commits = await findCommits(ctx, storageId, [...new Set(last.commits.values())])
  const pages = shown.map(({ name, path }) => ({
    name,
    lastCommit: commits.get(last.commits.get(path) ?? ''),
  }))
  return { pages, total: files.length }
}

export async function getPage(ctx: Context, wiki: Wiki, name: string): Promise<WholePage> {
  const { storageId, tip } = wiki
  const { path, oid } = await getFile(ctx, wiki, name)
  const around = await findEntries(ctx, storageId, tip, [SIDEBAR, FOOTER])
  const history = { start: tip, paths: [path] }
  const { commits, total } = await listHistory(ctx, storageId, history, { skip: 0, limit: 1, ...ALONE })
  const read = (entry: TreeEntry | undefined) =>
    isFile(entry) ? readBlob(ctx, storageId, entry.oid) : NOTHING
  return {
    name,
    lastCommit: commits[0],
    commits: total,
    content: await readBlob(ctx, storageId, oid),
    sidebar: await read(around.get(SIDEBAR)),
    footer: await read(around.get(FOOTER)),
  }
}

export async function listRevisions(
  ctx: Context,
  wiki: Wiki,
  name: string,
  number: number,
): Promise<Revisions> {
  const { path } = await getFile(ctx, wiki, name)
  const window = { skip: (number - 1) * REVISIONS_A_PAGE, limit: REVISIONS_A_PAGE, ...ALONE }
  return listHistory(ctx, wiki.storageId, { start: wiki.tip, paths: [path] }, window)
}

/** Pushed files can have names the forge would not choose, so the fallback compares with the list of all pages. */
export async function findFile(ctx: Context, wiki: Wiki, name: string): Promise<PageFile | undefined> {
  const paths = filesOf(name)
  const entries = await findEntries(ctx, wiki.storageId, wiki.tip, paths)
  const entry = paths.map((path) => entries.get(path)).find(isFile)
  if (entry !== undefined) return { name, path: entry.path, oid: entry.oid }
  return (await listFiles(ctx, wiki)).find((file) => file.name === name)
}

async function getFile(ctx: Context, wiki: Wiki, name: string): Promise<PageFile> {
  const file = await findFile(ctx, wiki, name)
  if (file === undefined) throw notFound('wiki page', name)
  return file
}

/** Compat: pages in folders are not listed. */
async function listFiles(ctx: Context, { storageId, tip }: Wiki): Promise<PageFile[]> {
  const query = { path: '', isRecursive: false, skip: 0, limit: PAGES_MAX }
  const tree = await listTree(ctx, storageId, tip, query)
  return (tree?.entries ?? []).filter(isFile).flatMap(({ path, oid }) => {
    const name = nameOfFile(path)
    return name === undefined ? [] : [{ name, path, oid }]
  })
}

/** False for directories, symbolic links and submodules. */
function isFile(entry: TreeEntry | undefined): entry is TreeEntry {
  return entry?.type === 'blob' && entry.mode !== LINK
}

async function readBlob(ctx: Context, storageId: StorageId, oid: string): Promise<Buffer> {
  const blob = await findBlob(ctx, storageId, oid, CONTENT_BYTES_MAX)
  return blob?.isWhole ? blob.data : NOTHING
}
