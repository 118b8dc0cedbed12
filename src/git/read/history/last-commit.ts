/** The last commit of each entry of a folder, found in one walk through the history of the folder. */

import type { Context } from '#platform/context'
import { startGit } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { assertOids, isOid } from '../objects/oid.ts'
import { splitNul } from '../objects/split.ts'
import { listTree } from '../objects/tree.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'

export interface LastCommits {
  /** Ids of commits by entry name. */
  readonly commits: ReadonlyMap<string, string>
  /** False when time ran out: entries unchanged for long are missing. */
  readonly isComplete: boolean
}

const ENTRIES_MAX = 2_000
const WALK_MS = 5_000
/** One old state for each parent, then the new one: a merge has as many colons as parents. */
const RAW = /^\n?:+(?:\d{6} )+(?:[0-9a-f]+ )*([0-9a-f]+) [A-Z]+$/

/**
 * An entry belongs to the newest commit that gave it its current content. A change discarded by a merge gave it other
 * content, so it does not match.
 */
export async function findLastCommits(
  ctx: Context,
  storageId: StorageId,
  commit: string,
  folder: string,
): Promise<LastCommits | undefined> {
  assertOids(commit)
  const query = { path: folder, isRecursive: false, skip: 0, limit: ENTRIES_MAX }
  const tree = await listTree(ctx, storageId, commit, query)
  if (tree === undefined) return undefined
  const prefix = folder === '' ? '' : `${folder}/`
  const wanted = new Map(tree.entries.map(({ path, oid }) => [`${prefix}${path}`, oid]))
  let found = new Map<string, string>()
  // Only a complete answer is cached: a later attempt may find more.
  const whole = await cached(ctx, storageId, 'last-commits', [commit, folder], async () => {
    const paths = folder === '' ? [] : [folder]
    found = await withRepository(ctx, storageId, (path) => walk(ctx, path, commit, paths, wanted))
    return found.size === wanted.size ? found : undefined
  })
  found = whole ?? found
  const commits = new Map([...found].map(([path, oid]) => [path.slice(prefix.length), oid]))
  return { commits, isComplete: !tree.isTruncated && found.size === wanted.size }
}

/** The same for files and folders given by full path, with their object ids in the commit. */
export async function findLastCommitsOf(
  ctx: Context,
  storageId: StorageId,
  commit: string,
  wanted: ReadonlyMap<string, string>,
): Promise<LastCommits> {
  assertOids(commit)
  if (wanted.size === 0) return { commits: new Map(), isComplete: true }
  const paths = [...wanted.keys()].sort()
  let found = new Map<string, string>()
  const whole = await cached(ctx, storageId, 'last-commits-of', [commit, paths], async () => {
    found = await withRepository(ctx, storageId, (path) => walk(ctx, path, commit, paths, wanted))
    return found.size === wanted.size ? found : undefined
  })
  const commits = whole ?? found
  return { commits, isComplete: commits.size === wanted.size }
}

async function walk(
  ctx: Context,
  path: string,
  commit: string,
  paths: readonly string[],
  wanted: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const flags = ['-z', '--format=%H', '--raw', '-t', '--no-renames', '--no-abbrev'] as const
  const merges = '--diff-merges=combined'
  const running = startGit(
    ctx,
    { name: 'log', flags: [...flags, merges], words: [commit], paths },
    { path, environment: SAFE_ENV },
  )
  let isStopped = false
  const stop = () => {
    isStopped = true
    running.kill()
  }
  const timer = setTimeout(stop, WALK_MS)
  try {
    const found = await match(splitNul(running.output), wanted, stop)
    if (!isStopped) await running.done
    return found
  } finally {
    clearTimeout(timer)
    running.kill()
  }
}

/** The pieces are commit ids, and for each change a raw line and its path. */
async function match(
  pieces: AsyncIterable<string>,
  wanted: ReadonlyMap<string, string>,
  stop: () => void,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let commit = ''
  let content: string | undefined
  for await (const piece of pieces) {
    if (content !== undefined) {
      if (wanted.get(piece) === content && !found.has(piece)) found.set(piece, commit)
      content = undefined
      if (found.size < wanted.size) continue
      stop()
      break
    }
    if (isOid(piece)) commit = piece
    else content = RAW.exec(piece)?.[1]
  }
  return found
}
