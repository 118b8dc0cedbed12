/** Small blobs of a range of commits, such as pointers to content outside git. */
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { GitCommand } from '../../command/command.ts'
import { startGit } from '../../command/run.ts'
import { isZeroOid } from '../../storage/storage.ts'
import type { StorageId } from '../../tables.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import { readObjects } from './objects.ts'
import { assertOids } from './oid.ts'
import { ByteReader } from './split.ts'

/** Blobs below this size are read. */
const SMALL_BYTES = 1_024
const BLOBS_AT_ONCE = 2_000
/** Reading this many takes a minute or two. */
const BLOBS_MAX = 1_000_000
const TIMEOUT_MS = 600_000

export interface PickedBlobs<T> {
  readonly found: readonly T[]
  /** False if there were too many blobs to read them all. */
  readonly isWhole: boolean
}

export interface BlobRange {
  readonly tips: readonly string[]
  readonly known: readonly string[]
  /** Fails if an object is missing; otherwise ids that do not exist are ignored. */
  readonly isStrict?: boolean
}

/** Of blobs that `tips` reach and `known` do not. */
export function pickSmallBlobs<T>(
  ctx: Context,
  storageId: StorageId,
  range: BlobRange,
  pick: (data: Buffer) => T | undefined,
): Promise<PickedBlobs<T>> {
  return withRepository(ctx, storageId, (path) => pickSmallBlobsIn(ctx, path, range, pick))
}

/** The same in a repository on disk. */
export async function pickSmallBlobsIn<T>(
  ctx: Context,
  path: string,
  { tips, known, isStrict = false }: BlobRange,
  pick: (data: Buffer) => T | undefined,
): Promise<PickedBlobs<T>> {
  const [from, to] = [known, tips].map((oids) => oids.filter((oid) => !isZeroOid(oid))) as [
    string[],
    string[],
  ]
  assertOids(...from, ...to)
  if (to.length === 0) return { found: [], isWhole: true }
  const command: GitCommand = {
    name: 'rev-list',
    flags: [
      '--objects',
      '--no-object-names',
      `--filter=combine:object:type=blob+blob:limit=${SMALL_BYTES}`,
      '--filter-provided-objects',
      ...(isStrict ? [] : (['--ignore-missing'] as const)),
      '--stdin',
    ],
  }
  const input = [...to, ...from.map((oid) => `^${oid}`), ''].join('\n')
  const running = startGit(ctx, command, { path, input, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS })
  try {
    const picked = await readPicked(ctx, path, new ByteReader(running.output), pick, isStrict)
    if (picked.isWhole) await running.done
    return picked
  } finally {
    running.kill()
  }
}

async function readPicked<T>(
  ctx: Context,
  path: string,
  listed: ByteReader,
  pick: (data: Buffer) => T | undefined,
  isStrict: boolean,
): Promise<PickedBlobs<T>> {
  const found: T[] = []
  let count = 0
  for (let oids = await take(listed); oids.length > 0; oids = await take(listed)) {
    count += oids.length
    if (count > BLOBS_MAX) return { found, isWhole: false }
    const blobs = await readObjects(ctx, path, oids, SMALL_BYTES)
    if (isStrict && blobs.includes(undefined)) throw notFound('git object', 'of a tree')
    found.push(...blobs.map((it) => it && pick(it.data)).filter((it) => it !== undefined))
  }
  return { found, isWhole: true }
}

async function take(reader: ByteReader): Promise<string[]> {
  const lines: string[] = []
  while (lines.length < BLOBS_AT_ONCE) {
    const line = await reader.line()
    if (line === undefined) break
    lines.push(line)
  }
  return lines
}
