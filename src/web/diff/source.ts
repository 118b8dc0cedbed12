/** Where a difference comes from: two commits of a storage, or a text that git has written already. */
import { createHash } from 'node:crypto'
import { diffFiles, isZeroOid, openDiff, openWholeDiff, type Whitespace } from '#git'
import type { Context } from '#platform/context'
import { isWrittenByNobody } from './folded.ts'
import { parsePatch, parsePatchText } from './parse.ts'
import type { Blobs, FilePatch } from './patch.ts'
import { findPictures, type Pictures, type Source } from './pictures.ts'

export interface DiffFile
  extends Blobs,
    Pick<FilePatch, 'path' | 'oldPath' | 'status' | 'oldMode' | 'mode' | 'isBinary'> {
  readonly additions: number
  readonly deletions: number
  /** `diff-` and the SHA-1 of its path, as elsewhere. */
  readonly anchor: string
  /** The same for the same change of the same file, whatever commits it is between. */
  readonly change: string
  readonly isFolded: boolean
}

export interface Diff {
  readonly files: readonly DiffFile[]
  readonly additions: number
  readonly deletions: number
  /** There are more files than anybody lists. */
  readonly isTruncated: boolean
  readonly whitespace: Whitespace
  /** Whether lines that stay are shown however far they are from a change. */
  readonly isWhole: boolean
  /** One of its files with all lines; undefined where there are no others to show. */
  readonly wholeOf: (file: DiffFile) => Diff | undefined
  /** Those of its files that are pictures, by their paths. */
  readonly picturesOf: (files: readonly DiffFile[]) => Promise<ReadonlyMap<string, Pictures>>
  /** In the order of the files; those in which nothing is left to show may be missing. */
  readonly patches: () => AsyncIterable<FilePatch>
}

const SUBMODULE = '160000'

/** What an address may ask for. */
const WHITESPACE: ReadonlySet<string> = new Set(['ignore-all', 'ignore-change', 'ignore-eol', 'show-all'])

export function whitespaceOf(query: URLSearchParams): Whitespace {
  const asked = query.get('whitespace') ?? ''
  return WHITESPACE.has(asked) ? (asked as Whitespace) : 'show-all'
}

/** Lists the files now; lines are read when they are written. */
export async function diffOf(ctx: Context, source: Source, whitespace: Whitespace): Promise<Diff> {
  const { storageId } = source
  const comparison = { from: source.from, to: source.to }
  const options = { withRenames: true, whitespace }
  const { files, stats, isTruncated } = await diffFiles(ctx, storageId, comparison, options)
  const diff: Diff = {
    files: files.map(({ path, oldPath, status, oldMode, mode, isBinary, oldOid, oid, ...counts }) => ({
      path,
      oldPath,
      status,
      oldMode,
      mode,
      isBinary,
      additions: counts.additions ?? 0,
      deletions: counts.deletions ?? 0,
      anchor: anchorOf(path),
      change: changeOf([oldPath ?? path, path, oldMode, mode, oldOid, oid]),
      oldOid: isZeroOid(oldOid) ? null : oldOid,
      oid: isZeroOid(oid) ? null : oid,
      isFolded: isWrittenByNobody(path),
    })),
    additions: stats.additions,
    deletions: stats.deletions,
    isTruncated,
    whitespace,
    isWhole: false,
    wholeOf: (file) => {
      if (!hasMore(file)) return undefined
      return {
        ...diff,
        isWhole: true,
        files: [file],
        patches: () => wholePatch(ctx, source, file, whitespace),
      }
    },
    picturesOf: (files) => findPictures(ctx, source, files),
    patches: async function* () {
      yield* parsePatch(await openDiff(ctx, storageId, comparison, { withBinary: false, whitespace }))
    },
  }
  return diff
}

/** Of what came or went, every line differs. */
function hasMore({ oldOid, oid, oldMode, mode, isBinary }: DiffFile): boolean {
  return oldOid !== null && oid !== null && !isBinary && oldMode !== SUBMODULE && mode !== SUBMODULE
}

async function* wholePatch(
  ctx: Context,
  { storageId }: Source,
  { path, oldPath, status, oldOid, oid }: DiffFile,
  whitespace: Whitespace,
): AsyncGenerator<FilePatch> {
  const blobs = { from: oldOid ?? '', to: oid ?? '' }
  // Git was given blobs, and knows neither names nor what became of them.
  for await (const patch of parsePatch(await openWholeDiff(ctx, storageId, blobs, whitespace)))
    yield { ...patch, path, oldPath, status }
}

/** A text names no blobs, so its own lines say which change it is. */
export function diffOfText(text: string): Diff {
  const patches = parsePatchText(text)
  const files = patches.map((patch) => {
    const lines = patch.hunks.flatMap((hunk) => hunk.lines)
    const { path, oldPath, status, oldMode, mode, isBinary } = patch
    return {
      path,
      oldPath,
      status,
      oldMode,
      mode,
      isBinary,
      additions: lines.filter((it) => it[0] === '+').length,
      deletions: lines.filter((it) => it[0] === '-').length,
      anchor: anchorOf(path),
      change: changeOf([path, JSON.stringify(patch.hunks)]),
      oldOid: null,
      oid: null,
      isFolded: isWrittenByNobody(path),
    }
  })
  return {
    files,
    additions: files.reduce((sum, it) => sum + it.additions, 0),
    deletions: files.reduce((sum, it) => sum + it.deletions, 0),
    isTruncated: false,
    whitespace: 'show-all',
    isWhole: false,
    wholeOf: () => undefined,
    picturesOf: async () => new Map(),
    patches: async function* () {
      yield* patches
    },
  }
}

export function anchorOf(path: string): string {
  return `diff-${createHash('sha1').update(path).digest('hex')}`
}

function changeOf(facts: readonly string[]): string {
  return createHash('sha256').update(facts.join('\0')).digest('hex').slice(0, 40)
}
