/** A whole tree or history as one file, streamed: nothing is written to disk. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { isRefName } from '../../refs/names.ts'
import { getStorage } from '../../storage/storage.ts'
import type { GitRef, ObjectFormat, StorageId } from '../../tables.ts'
import { openScratch } from '../../write/scratch.ts'
import { assertOids } from '../objects/oid.ts'
import { isPath } from '../objects/paths.ts'
import { type OpenRepository, streamGit } from './stream.ts'

export interface ArchiveQuery {
  readonly format: 'tar.gz' | 'zip'
  /** The folder that contains everything; none when empty. */
  readonly prefix: string
  /** Only these files and folders, which must exist; all when empty. */
  readonly paths: readonly string[]
}

const LIMITS = { bytesMax: 8 * 1024 * 1024 * 1024, timeoutMs: 1_800_000 }

/** First line of a bundle: SHA-256 needs version 3, which names the object format. */
const BUNDLE_STARTS: Readonly<Record<ObjectFormat, string>> = {
  sha1: '# v2 git bundle\n',
  sha256: '# v3 git bundle\n@object-format=sha256\n',
}

/** The caller must read the stream to its end or destroy it. */
export async function openArchive(
  ctx: Context,
  storageId: StorageId,
  treeish: string,
  { format, prefix, paths }: ArchiveQuery,
): Promise<Readable> {
  assertOids(treeish)
  assert.ok(
    [prefix, ...paths].every((it) => it === '' || isPath(it)),
    'invalid path',
  )
  const flags = [`--format=${format}`, ...(prefix === '' ? [] : [`--prefix=${prefix}/` as const])] as const
  // Without «--», which `archive` would take for a path after `--end-of-options`.
  const command = { name: 'archive', flags, words: [treeish, ...paths] }
  const saying = format === 'zip' ? { command, open: openForZip } : { command }
  return streamGit(ctx, storageId, saying, LIMITS)
}

/**
 * Names that zip programs on Windows take for a parent folder or another drive are left out; the repository's own
 * attributes cannot re-include them.
 */
const LEFT_OUT_OF_ZIPS = String.raw`*\\* export-ignore
[A-Za-z]:* export-ignore
"..[. ]" export-ignore
`

async function openForZip(ctx: Context, storageId: StorageId): Promise<OpenRepository> {
  const scratch = await openScratch(ctx, storageId)
  await mkdir(join(scratch.path, 'info'))
  await writeFile(join(scratch.path, 'info/attributes'), LEFT_OUT_OF_ZIPS)
  return scratch
}

/**
 * The full history of a commit as a bundle, with the commit as the tip of `ref`, so that git can clone from it. A bundle
 * is a list of refs followed by a pack, so no temporary repository with that ref is needed.
 */
export async function openBundle(
  ctx: Context,
  storageId: StorageId,
  commit: string,
  ref: string,
): Promise<Readable> {
  assertOids(commit)
  assert.ok(isRefName(ref), 'not a valid ref name')
  const { object_format } = await getStorage(ctx.db, storageId)
  const opening = `${BUNDLE_STARTS[object_format]}${commit} HEAD\n${commit} ${ref}\n\n`
  const flags = ['--revs', '--stdout', '--delta-base-offset', '--quiet'] as const
  const command = { name: 'pack-objects', flags }
  return streamGit(ctx, storageId, { command, input: `${commit}\n`, opening }, LIMITS)
}

/** For copies of whole repositories, for which somebody waits at a terminal. */
const WHOLE_LIMITS = { bytesMax: 1024 ** 4, timeoutMs: 6 * 3_600_000 }

/** All history of refs as a bundle with these refs. HEAD is among them if it points to one of them. */
export async function openRefsBundle(
  ctx: Context,
  storageId: StorageId,
  refs: readonly Pick<GitRef, 'name' | 'oid'>[],
): Promise<Readable> {
  assert.ok(refs.length > 0, 'git refuses an empty bundle')
  const { object_format, head } = await getStorage(ctx.db, storageId)
  const tip = refs.find(({ name }) => name === head)
  const listed = [...(tip === undefined ? [] : [{ name: 'HEAD', oid: tip.oid }]), ...refs]
  const opening = `${BUNDLE_STARTS[object_format]}${listed.map(({ name, oid }) => `${oid} ${name}\n`).join('')}\n`
  const flags = ['--revs', '--stdout', '--delta-base-offset', '--quiet'] as const
  const input = refs.map(({ oid }) => `${oid}\n`).join('')
  return streamGit(ctx, storageId, { command: { name: 'pack-objects', flags }, input, opening }, WHOLE_LIMITS)
}
