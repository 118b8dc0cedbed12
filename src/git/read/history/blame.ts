/** Blame: which commit wrote each line of a file. */

import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { assertOids } from '../objects/oid.ts'
import { findEntry } from '../objects/tree.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'

/** Adjacent lines that came with one commit. */
export interface BlameRange {
  readonly oid: string
  /** The first line, counted from 1. */
  readonly start: number
  readonly count: number
  /** Where these lines were in that commit. */
  readonly originalStart: number
  readonly originalPath: string
}

/** The cost grows with the file and its history; larger files are not read line by line. */
const FILE_BYTES_MAX = 4 * 1024 * 1024
const BLAME_TIMEOUT_MS = 30_000
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
const RANGE = /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+) (\d+)$/
const FILE_NAME = 'filename '

/**
 * In order of lines; undefined when there is no such file. Commits are read with `findCommits`. Changes of commits in
 * `passedOver` are attributed to the commits before them, as far as git can tell.
 */
export async function listBlame(
  ctx: Context,
  storageId: StorageId,
  commit: string,
  file: string,
  passedOver: readonly string[] = [],
): Promise<readonly BlameRange[] | undefined> {
  assertOids(commit, ...passedOver)
  const entry = await findEntry(ctx, storageId, commit, file)
  if (entry?.type !== 'blob') return undefined
  if ((entry.size ?? 0) > FILE_BYTES_MAX) throw new Problem('too_large', 'file is too large to blame')
  return cached(ctx, storageId, 'blame', [commit, file, passedOver], () =>
    withRepository(ctx, storageId, async (path) => {
      // `git blame` has no `--end-of-options`; after «--» it takes the path first and then the revision.
      const ignored = passedOver.map((oid) => `--ignore-rev=${oid}` as const)
      const command = {
        name: 'blame',
        flags: ['--incremental', ...ignored] as const,
        paths: [file, commit],
      }
      const options = { path, environment: SAFE_ENV, timeoutMs: BLAME_TIMEOUT_MS }
      const text = await gitText(ctx, command, { ...options, outputBytesMax: OUTPUT_BYTES_MAX })
      return parseBlame(text)
    }),
  )
}

/** Each range is a line of numbers, headers of the commit when it first appears, and the file name at the end. */
function parseBlame(text: string): BlameRange[] {
  const ranges: BlameRange[] = []
  let range: RegExpExecArray | null = null
  for (const line of text.split('\n')) {
    range ??= RANGE.exec(line)
    if (range === null || !line.startsWith(FILE_NAME)) continue
    const [, oid = '', originalStart, start, count] = range
    ranges.push({
      oid,
      start: Number(start),
      count: Number(count),
      originalStart: Number(originalStart),
      originalPath: unquote(line.slice(FILE_NAME.length)),
    })
    range = null
  }
  return ranges.sort((a, b) => a.start - b.start)
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Names with unusual bytes are quoted like C strings. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name
  const bytes = Buffer.from(name.slice(1, -1)).toString('latin1')
  const plain = bytes.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    String.fromCharCode(
      /^\d{3}$/.test(code) ? Number.parseInt(code, 8) : (ESCAPES[code] ?? code.charCodeAt(0)),
    ),
  )
  return Buffer.from(plain, 'latin1').toString('utf8')
}
