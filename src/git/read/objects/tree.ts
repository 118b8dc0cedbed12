/** Folders: their entries, one level or recursive. */

import type { Context } from '#platform/context'
import { type RunningGit, runGit, startGit } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached, cachedEach } from '../cached.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { readHeaders } from './objects.ts'
import { assertOids } from './oid.ts'
import { isPath } from './paths.ts'
import { splitNul } from './split.ts'

export interface TreeEntry {
  /** Relative to the requested folder. */
  readonly path: string
  readonly mode: string
  /** `commit`: a submodule. A symbolic link is a blob with its own mode. */
  readonly type: 'blob' | 'tree' | 'commit'
  readonly oid: string
  /** Bytes of a blob; null for others. */
  readonly size: number | null
}

export interface TreePage {
  /** The folder itself. */
  readonly oid: string
  readonly entries: readonly TreeEntry[]
  /** The number of entries in all pages. */
  readonly total: number
  /** There are more entries after this page. */
  readonly isTruncated: boolean
}

export interface TreeQuery {
  /** The folder below the tree; empty for the tree itself. */
  readonly path: string
  readonly isRecursive: boolean
  readonly skip: number
  readonly limit: number
}

const TREE_LIMIT_MAX = 10_000
/** Entries above this number are not even counted. */
const WALKED_MAX = 1_000_000
const TREE_TIMEOUT_MS = 30_000
const LINE = /^(\d{6}) (blob|tree|commit) ([0-9a-f]+)\t(.*)$/s

/** The entry at a path of a commit or tree. */
export async function findEntry(
  ctx: Context,
  storageId: StorageId,
  treeish: string,
  path: string,
): Promise<TreeEntry | undefined> {
  return (await findEntries(ctx, storageId, treeish, [path])).get(path)
}

/** The entries at some paths, by path. Two processes for all that are not cached. */
export async function findEntries(
  ctx: Context,
  storageId: StorageId,
  treeish: string,
  paths: readonly string[],
): Promise<Map<string, TreeEntry>> {
  assertOids(treeish)
  const wanted = paths.filter(isPath)
  const keyOf = (path: string) => [treeish, path]
  return cachedEach(ctx, storageId, 'entry', wanted, keyOf, (unknown) =>
    withRepository(ctx, storageId, async (repository) => {
      // Without «--», which `ls-tree` would take for a path after `--end-of-options`.
      const words = [treeish, ...unknown]
      const command = { name: 'ls-tree', flags: ['-z', '--full-tree'] as const, words }
      const output = await runGit(ctx, command, { path: repository, environment: SAFE_ENV })
      const entries = output
        .toString('utf8')
        .split('\0')
        .flatMap((line) => parseEntry(line) ?? [])
      const found = new Map((await withSizes(ctx, repository, entries)).map((it) => [it.path, it]))
      return unknown.map((path) => found.get(path))
    }),
  )
}

/** A page of a folder, in git's order; undefined when there is no such folder. */
export async function listTree(
  ctx: Context,
  storageId: StorageId,
  treeish: string,
  query: TreeQuery,
): Promise<TreePage | undefined> {
  const oid = await findTree(ctx, storageId, treeish, query.path)
  if (oid === undefined) return undefined
  const limit = Math.min(query.limit, TREE_LIMIT_MAX)
  // Keyed by tree id: the page serves every commit with the same folder.
  return cached(ctx, storageId, 'tree', [oid, query.isRecursive, query.skip, limit], () =>
    withRepository(ctx, storageId, async (path) => {
      const { entries, total } = await walk(ctx, path, oid, { ...query, limit })
      const isTruncated = query.skip + entries.length < total
      return { oid, entries: await withSizes(ctx, path, entries), total, isTruncated }
    }),
  )
}

async function findTree(
  ctx: Context,
  storageId: StorageId,
  treeish: string,
  path: string,
): Promise<string | undefined> {
  if (path !== '') {
    const entry = await findEntry(ctx, storageId, treeish, path)
    return entry?.type === 'tree' ? entry.oid : undefined
  }
  assertOids(treeish)
  const tree = await cached(ctx, storageId, 'tree-of', [treeish], () =>
    withRepository(
      ctx,
      storageId,
      async (repository) => (await readHeaders(ctx, repository, [`${treeish}^{tree}`]))[0],
    ),
  )
  return tree?.oid
}

type Unsized = Omit<TreeEntry, 'size'>

async function walk(
  ctx: Context,
  path: string,
  oid: string,
  query: TreeQuery,
): Promise<{ entries: Unsized[]; total: number }> {
  const flags = ['-z', '--full-tree', ...(query.isRecursive ? (['-r', '-t'] as const) : [])] as const
  const command = { name: 'ls-tree', flags, words: [oid] }
  const running: RunningGit = startGit(ctx, command, {
    path,
    environment: SAFE_ENV,
    timeoutMs: TREE_TIMEOUT_MS,
  })
  const entries: Unsized[] = []
  let total = 0
  for await (const line of splitNul(running.output)) {
    total += 1
    if (total > WALKED_MAX) {
      running.kill()
      return { entries, total }
    }
    if (total <= query.skip || entries.length >= query.limit) continue
    const entry = parseEntry(line)
    if (entry !== undefined) entries.push(entry)
  }
  await running.done
  return { entries, total }
}

/** `ls-tree --long` would look up the size of every entry, not only of those on the page. */
async function withSizes(ctx: Context, path: string, entries: readonly Unsized[]): Promise<TreeEntry[]> {
  const oids = [...new Set(entries.filter(({ type }) => type === 'blob').map(({ oid }) => oid))]
  const headers = oids.length === 0 ? [] : await readHeaders(ctx, path, oids)
  const sizes = new Map(headers.map((it, i) => [oids[i], it?.size]))
  return entries.map((entry) => ({ ...entry, size: sizes.get(entry.oid) ?? null }))
}

function parseEntry(line: string): Unsized | undefined {
  const [, mode, type, oid, path] = LINE.exec(line) ?? []
  if (mode === undefined || oid === undefined || path === undefined) return undefined
  return { path, mode, type: type as TreeEntry['type'], oid }
}
