/** Reads files and directories of a revision with all parts of their records. */
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

/** The requested parts of a file record. */
export interface FileDetails {
  readonly withContent: boolean
  readonly withLastCommit: boolean
  readonly withMessage: boolean
}

export interface LoadedFile {
  readonly path: string
  readonly entry: TreeEntry
  /** Set for a file whose content was requested, and for a symbolic link. */
  readonly blob: BlobRecord | undefined
  readonly lastCommit: CommitRecord | undefined
  /** The URL of a submodule. */
  readonly submoduleUrl: string | undefined
}

const ENTRIES_MAX = 10_000
/** Bounds the content of all files of one response; further files have no content. */
const CONTENT_BYTES_MAX = 64 * 1024 * 1024
const LINK = '120000'

export function normalizePath(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '')
}

/** A file, or the entries of a directory. */
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

/** One git process each for the entry, the content and the last commit; none when cached. */
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

/** Entries of a directory have no content, only the targets of symbolic links. */
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

/** Files in the order of `paths`; undefined for a path that is no file. A fixed number of git processes. */
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

/** Reads small blobs together and large ones one by one, up to the limit. */
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
