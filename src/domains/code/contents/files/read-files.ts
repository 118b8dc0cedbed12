/** Files and folders of a revision, with all they are shown with. */
import {
  type BlobRecord,
  type CommitRecord,
  findBlob,
  findBlobs,
  findCommits,
  findEntries,
  findEntry,
  findLastCommits,
  findLastCommitsOf,
  listCommits,
  listTree,
  type Revision,
  type TreeEntry,
} from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { BLOB_BYTES_MAX } from '../objects/git-objects.ts'
import type { Code } from '../open-code.ts'
import { parseGitmodules } from './gitmodules.ts'

/** How much is told about a file. */
export interface FileDetails {
  readonly withContent: boolean
  readonly withLastCommit: boolean
  readonly withMessage: boolean
}

export interface LoadedFile {
  readonly path: string
  readonly entry: TreeEntry
  /** Of a file whose content was asked for, and of a symbolic link. */
  readonly blob: BlobRecord | undefined
  readonly lastCommit: CommitRecord | undefined
  /** Where a submodule comes from. */
  readonly submoduleUrl: string | undefined
}

const ENTRIES_MAX = 10_000
/** What is read of all files together; the rest is told without its content. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024
const LINK = '120000'

export function normalizePath(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '')
}

/** A file, or the files of a folder. */
export async function readPath(
  ctx: Context,
  code: Code,
  revision: Revision,
  path: string,
  details: FileDetails,
): Promise<LoadedFile | LoadedFile[]> {
  const entry = path === '' ? undefined : await findEntry(ctx, code.storage_id, revision.oid, path)
  if (entry === undefined && path !== '') throw notFound('file', path)
  if (entry !== undefined && entry.type !== 'tree') return readFile(ctx, code, revision, path, entry, details)
  return readFolder(ctx, code, revision, path, details)
}

/** One process for each of: what it is, what is in it, who changed it last; none when it was seen before. */
async function readFile(
  ctx: Context,
  code: Code,
  { oid }: Revision,
  path: string,
  entry: TreeEntry,
  details: FileDetails,
): Promise<LoadedFile> {
  const isRead = entry.type === 'blob' && (details.withContent || entry.mode === LINK)
  const blob = isRead ? await findBlob(ctx, code.storage_id, entry.oid, BLOB_BYTES_MAX) : undefined
  const window = { skip: 0, limit: 1, withStats: false, withFiles: false }
  const [lastCommit] = details.withLastCommit
    ? await listCommits(ctx, code.storage_id, { start: oid, paths: [path] }, window)
    : []
  const urls = entry.type === 'commit' ? await findSubmodules(ctx, code, oid) : undefined
  return { path, entry, blob, lastCommit, submoduleUrl: urls?.get(path) }
}

/** Content is not told for a folder, only where links lead. */
async function readFolder(
  ctx: Context,
  code: Code,
  { oid }: Revision,
  path: string,
  details: FileDetails,
): Promise<LoadedFile[]> {
  const query = { path, isRecursive: false, skip: 0, limit: ENTRIES_MAX }
  const tree = await listTree(ctx, code.storage_id, oid, query)
  if (tree === undefined) throw notFound('directory', path)
  const last = details.withLastCommit ? await findLastCommits(ctx, code.storage_id, oid, path) : undefined
  const commits = await findCommits(ctx, code.storage_id, [...new Set(last?.commits.values() ?? [])])
  const links = tree.entries.filter(({ mode }) => mode === LINK).map((entry) => entry.oid)
  const blobs = await findBlobs(ctx, code.storage_id, links)
  const hasSubmodules = tree.entries.some(({ type }) => type === 'commit')
  const urls = hasSubmodules ? await findSubmodules(ctx, code, oid) : undefined
  return tree.entries.map((entry) => {
    const whole = path === '' ? entry.path : `${path}/${entry.path}`
    return {
      path: whole,
      entry,
      blob: blobs.get(entry.oid),
      lastCommit: commits.get(last?.commits.get(entry.path) ?? ''),
      submoduleUrl: urls?.get(whole),
    }
  })
}

/** Some files by their paths, in that order; undefined for what is no file. A fixed number of processes. */
export async function readFiles(
  ctx: Context,
  code: Code,
  commit: string,
  paths: readonly string[],
): Promise<(LoadedFile | undefined)[]> {
  const entries = await findEntries(ctx, code.storage_id, commit, paths)
  const files = new Map([...entries].filter(([, { type }]) => type !== 'tree'))
  const blobs = await readBlobs(ctx, code, [...files.values()])
  const wanted = new Map([...files].map(([path, { oid }]) => [path, oid]))
  const last = await findLastCommitsOf(ctx, code.storage_id, commit, wanted)
  const commits = await findCommits(ctx, code.storage_id, [...new Set(last.commits.values())])
  const hasSubmodules = [...files.values()].some(({ type }) => type === 'commit')
  const urls = hasSubmodules ? await findSubmodules(ctx, code, commit) : undefined
  return paths.map((path) => {
    const entry = files.get(path)
    if (entry === undefined) return undefined
    const lastCommit = commits.get(last.commits.get(path) ?? '')
    return { path, entry, blob: blobs.get(entry.oid), lastCommit, submoduleUrl: urls?.get(path) }
  })
}

/** Small ones together, large ones one by one, until it is enough. */
async function readBlobs(
  ctx: Context,
  code: Code,
  entries: readonly TreeEntry[],
): Promise<Map<string, BlobRecord>> {
  const oids = entries.filter(({ type }) => type === 'blob').map(({ oid }) => oid)
  const blobs = await findBlobs(ctx, code.storage_id, oids)
  let bytes = [...blobs.values()].reduce((sum, { data }) => sum + data.length, 0)
  for (const [oid, { isWhole, size }] of blobs) {
    if (isWhole || size > BLOB_BYTES_MAX || bytes + size > CONTENT_BYTES_MAX) continue
    const whole = await findBlob(ctx, code.storage_id, oid, BLOB_BYTES_MAX)
    if (whole === undefined) continue
    blobs.set(oid, whole)
    bytes += size
  }
  return blobs
}

async function findSubmodules(ctx: Context, code: Code, commit: string): Promise<Map<string, string>> {
  const entry = await findEntry(ctx, code.storage_id, commit, '.gitmodules')
  const blob = entry && (await findBlob(ctx, code.storage_id, entry.oid, BLOB_BYTES_MAX))
  return parseGitmodules(blob?.data.toString('utf8') ?? '')
}
