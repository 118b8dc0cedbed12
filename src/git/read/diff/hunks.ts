/** How the lines of one file differ between two commits, following renames. */

import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { gitText } from '../../command/run.ts'
import { isZeroOid } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { findBlob } from '../objects/blob.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import type { ChangedFile } from './changes.ts'
import { type Comparison, diffFiles } from './diff.ts'
import type { Hunk } from './map-line.ts'

export interface FileHunks extends Pick<ChangedFile, 'path' | 'oldPath'> {
  readonly status: ChangedFile['status'] | 'unchanged'
  /** Null when lines are not compared: binary files and non-files. */
  readonly hunks: readonly Hunk[] | null
}

const HUNKS_BYTES_MAX = 1024 * 1024
const TIMEOUT_MS = 30_000
const SUBMODULE = '160000'
const HEADING = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const NO_LINE_FEED = '\\ No newline at end of file'

/** `path` may be the path on either side: git never detects a rename of a file whose path exists on both. */
export async function diffHunks(
  ctx: Context,
  storageId: StorageId,
  comparison: Comparison,
  path: string,
): Promise<FileHunks> {
  const { files, isTruncated } = await diffFiles(ctx, storageId, comparison, { withRenames: true })
  const file =
    files.find((it) => it.path === path) ?? files.find((it) => it.oldPath === path && it.status === 'renamed')
  if (file === undefined && isTruncated) throw new Problem('too_large', 'too many changed files')
  if (file === undefined) return { path, oldPath: null, status: 'unchanged', hunks: [] }
  const { oldPath, status } = file
  return { path: file.path, oldPath, status, hunks: await hunksOf(ctx, storageId, file) }
}

async function hunksOf(
  ctx: Context,
  storageId: StorageId,
  { oldOid, oid, oldMode, mode, isBinary }: ChangedFile,
): Promise<readonly Hunk[] | null> {
  if (isBinary || oldMode === SUBMODULE || mode === SUBMODULE) return null
  if (isZeroOid(oldOid)) return wholeHunk(ctx, storageId, oid, '+')
  if (isZeroOid(oid)) return wholeHunk(ctx, storageId, oldOid, '-')
  if (oldOid === oid) return []
  return cached(ctx, storageId, 'hunks', [oldOid, oid], () =>
    withRepository(ctx, storageId, async (path) => {
      const flags = ['--unified=3', '--no-color', '--no-ext-diff', '--no-textconv'] as const
      const options = { path, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS, outputBytesMax: HUNKS_BYTES_MAX }
      return parseHunks(await gitText(ctx, { name: 'diff', flags, words: [oldOid, oid] }, options))
    }),
  )
}

/** All lines of a file are added, or all are deleted. */
async function wholeHunk(
  ctx: Context,
  storageId: StorageId,
  oid: string,
  mark: '+' | '-',
): Promise<readonly Hunk[]> {
  const blob = await findBlob(ctx, storageId, oid, HUNKS_BYTES_MAX)
  if (blob === undefined) throw notFound('git object', oid)
  if (!blob.isWhole) throw new Problem('too_large', 'git output is too large')
  const texts = blob.data.toString('utf8').split('\n')
  const isOpen = texts.at(-1) !== ''
  if (!isOpen) texts.pop()
  const count = texts.length
  if (count === 0) return []
  const lines = [...texts.map((text) => mark + text), ...(isOpen ? [NO_LINE_FEED] : [])]
  return mark === '+'
    ? [{ oldStart: 0, oldCount: 0, newStart: 1, newCount: count, lines }]
    : [{ oldStart: 1, oldCount: count, newStart: 0, newCount: 0, lines }]
}

/** Ignores everything before the first hunk: the file names are known. */
function parseHunks(text: string): Hunk[] {
  const hunks: (Hunk & { lines: string[] })[] = []
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line)
    if (heading !== null) hunks.push(openHunk(heading))
    else if (line !== '') hunks.at(-1)?.lines.push(line)
  }
  return hunks
}

/** An omitted count is 1. */
function openHunk([, oldStart, oldCount = '1', newStart, newCount = '1']: RegExpExecArray) {
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
    lines: [] as string[],
  }
}
