/** Diffs of two commits or trees: as a stream of text, and as a list of files with line counts. */

import type { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { startGit } from '../../command/run.ts'
import { getStorage } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import { cached, type Key, peek } from '../cached.ts'
import { assertOids, EMPTY_TREE } from '../objects/oid.ts'
import { splitNul } from '../objects/split.ts'
import { streamGit } from '../streams/stream.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { ChangeCollector, type ChangedFile, type Stats } from './changes.ts'

export interface Comparison {
  /** Null: compare with the empty tree, as for a root commit. */
  readonly from: string | null
  readonly to: string
}

export interface Difference {
  readonly files: readonly ChangedFile[]
  readonly stats: Stats
  /** Some files were left out of the list; the counts include them. */
  readonly isTruncated: boolean
}

const FILES_MAX = 10_000
/** With more candidates than this git does not detect renames: the cost is quadratic. */
const RENAMES_MAX = 1_000
const DIFF_TIMEOUT_MS = 60_000
const DIFF_BYTES_MAX = 512 * 1024 * 1024
const STREAM_LIMITS = { bytesMax: DIFF_BYTES_MAX, timeoutMs: 600_000 }
const SETTINGS = { 'diff.renameLimit': String(RENAMES_MAX) }

/** The unified diff. */
export async function openDiff(
  ctx: Context,
  storageId: StorageId,
  comparison: Comparison,
  options: { readonly withBinary: boolean; readonly whitespace?: Whitespace },
): Promise<Readable> {
  const command = {
    name: 'diff-tree',
    flags: [
      '-r',
      '--patch',
      '--find-renames',
      '--no-ext-diff',
      '--no-textconv',
      ...(options.withBinary ? (['--binary'] as const) : []),
      ...WHITESPACE_FLAGS[options.whitespace ?? 'show-all'],
    ] as const,
    words: await wordsOf(ctx, storageId, comparison),
    settings: SETTINGS,
  }
  return streamGit(ctx, storageId, { command }, STREAM_LIMITS)
}

/** Context lines, enough to include all lines of any file that people read. */
const ALL_LINES = 100_000

/** The unified diff of two blobs with all lines of both; the blobs are named by their ids. */
export async function openWholeDiff(
  ctx: Context,
  storageId: StorageId,
  blobs: { readonly from: string; readonly to: string },
  whitespace: Whitespace,
): Promise<Readable> {
  assertOids(blobs.from, blobs.to)
  const command = {
    name: 'diff',
    flags: [
      `--unified=${ALL_LINES}`,
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      ...WHITESPACE_FLAGS[whitespace],
    ] as const,
    words: [blobs.from, blobs.to],
  }
  return streamGit(ctx, storageId, { command }, STREAM_LIMITS)
}

/** The commits reachable from `to` and not from `from`, as a mailbox for `git am`. */
export async function openPatches(
  ctx: Context,
  storageId: StorageId,
  comparison: Comparison,
  options: { readonly withBinary: boolean },
): Promise<Readable> {
  const { from, to } = comparison
  assertOids(to, ...(from === null ? [] : [from]))
  const command = {
    name: 'format-patch',
    flags: [
      '--stdout',
      '--no-ext-diff',
      '--no-textconv',
      ...(from === null ? (['--root'] as const) : []),
      ...(options.withBinary ? (['--binary'] as const) : (['--no-binary'] as const)),
    ] as const,
    words: from === null ? [to] : [to, `^${from}`],
    settings: SETTINGS,
  }
  return streamGit(ctx, storageId, { command }, STREAM_LIMITS)
}

/** Which whitespace changes are ignored. */
export type Whitespace = 'ignore-all' | 'ignore-change' | 'ignore-eol' | 'show-all'

const WHITESPACE_FLAGS = {
  'ignore-all': ['--ignore-all-space'],
  'ignore-change': ['--ignore-space-change'],
  'ignore-eol': ['--ignore-space-at-eol'],
  'show-all': [],
} as const

export interface DiffOptions {
  readonly withRenames: boolean
  readonly whitespace?: Whitespace
}

export async function diffFiles(
  ctx: Context,
  storageId: StorageId,
  comparison: Comparison,
  options: DiffOptions,
): Promise<Difference> {
  const { withRenames, whitespace = 'show-all' } = options
  const words = await wordsOf(ctx, storageId, comparison)
  const key = [words, withRenames, whitespace] as const
  return (
    findKept(ctx, storageId, key) ??
    keep(
      ctx,
      storageId,
      key,
      await withRepository(ctx, storageId, (path) => readFiles(ctx, path, words, options)),
    )
  )
}

async function readFiles(
  ctx: Context,
  path: string,
  words: readonly string[],
  { withRenames, whitespace = 'show-all' }: DiffOptions,
): Promise<Difference> {
  const renames = withRenames ? '--find-renames' : '--no-renames'
  const spaces = WHITESPACE_FLAGS[whitespace]
  const flags = ['-r', '-z', '--raw', '--numstat', '--no-abbrev', renames, ...spaces] as const
  const running = startGit(
    ctx,
    { name: 'diff-tree', flags, words, settings: SETTINGS },
    { path, environment: SAFE_ENV, timeoutMs: DIFF_TIMEOUT_MS },
  )
  const changes = new ChangeCollector(FILES_MAX)
  for await (const piece of splitNul(running.output)) changes.add(piece)
  await running.done
  return { files: [...changes.files.values()], stats: changes.stats, isTruncated: changes.isTruncated }
}

/**
 * A diff of thousands of files exceeds the maximum size of one cached answer, so it is cached in pieces of this many
 * files.
 */
const KEPT_TOGETHER = 200

function findKept(ctx: Context, storageId: StorageId, key: Key): Difference | undefined {
  const head = peek<Omit<Difference, 'files'>>(ctx, storageId, 'diff', key)
  if (head === undefined) return undefined
  const pieces = Math.ceil(Math.min(head.stats.files, FILES_MAX) / KEPT_TOGETHER)
  const files: ChangedFile[] = []
  for (let i = 0; i < pieces; i++) {
    const piece = peek<readonly ChangedFile[]>(ctx, storageId, 'diff-files', [...key, i])
    if (piece === undefined) return undefined
    files.push(...piece)
  }
  return { ...head, files }
}

async function keep(
  ctx: Context,
  storageId: StorageId,
  key: Key,
  { files, ...head }: Difference,
): Promise<Difference> {
  await cached(ctx, storageId, 'diff', key, async () => head)
  for (let i = 0; i * KEPT_TOGETHER < files.length; i++)
    await cached(ctx, storageId, 'diff-files', [...key, i], async () =>
      files.slice(i * KEPT_TOGETHER, (i + 1) * KEPT_TOGETHER),
    )
  return { ...head, files }
}

async function wordsOf(ctx: Context, storageId: StorageId, { from, to }: Comparison): Promise<string[]> {
  const old = from ?? EMPTY_TREE[(await getStorage(ctx.db, storageId)).object_format]
  assertOids(old, to)
  return [old, to]
}
