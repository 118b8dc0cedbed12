/** Where a difference comes from: an operation that compares commits, or a text that git has written already. */
import { createHash } from 'node:crypto'
import type { Comparison, OpenDifference, OpenFile, Whitespace } from '#git'
import type { PageVisit } from '#platform/page'
import type { RepositoryPath } from '../links.ts'
import { isWrittenByNobody } from './folded.ts'
import { parsePatch, parsePatchText } from './parse.ts'
import type { Blobs, FilePatch } from './patch.ts'
import { findPictures, type Pictures } from './pictures.ts'

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

/** What an address may ask for. */
const WHITESPACE: ReadonlySet<string> = new Set(['ignore-all', 'ignore-change', 'ignore-eol', 'show-all'])

export function whitespaceOf(query: URLSearchParams): Whitespace {
  const asked = query.get('whitespace') ?? ''
  return WHITESPACE.has(asked) ? (asked as Whitespace) : 'show-all'
}

/** Two commits of the repository that the page is about, by their ids. */
export async function diffOf(visit: PageVisit<RepositoryPath>, { from, to }: Comparison): Promise<Diff> {
  const { owner, repo } = visit.params
  const asked = { owner, repo, ...(from !== null && { from }), to, whitespace: whitespaceOf(visit.query) }
  return diffOfAnswer(visit, await visit.ask('repoGetDiff', asked))
}

/** The repository whose raw files have both sides; a wiki has no such files. */
type Source = OpenDifference & Partial<RepositoryPath>

/** The files are known; lines are read when they are written. */
export function diffOfAnswer(visit: Pick<PageVisit, 'ask'>, source: Source): Diff {
  const { files, stats, isTruncated, whitespace, patch } = source
  const wholes = new Map(files.map(({ path, whole }) => [path, whole]))
  const diff: Diff = {
    files: files.map(fileOf),
    additions: stats.additions,
    deletions: stats.deletions,
    isTruncated,
    whitespace,
    isWhole: false,
    wholeOf: (file) => {
      const whole = wholes.get(file.path) ?? null
      if (whole === null) return undefined
      return { ...diff, isWhole: true, files: [file], patches: () => wholePatch(whole, file) }
    },
    picturesOf: (files) => findPictures(visit, source, files),
    patches: () => parsePatch(patch),
  }
  return diff
}

function fileOf({
  path,
  oldPath,
  status,
  oldMode,
  mode,
  isBinary,
  oldOid,
  oid,
  ...counts
}: OpenFile): DiffFile {
  // Spelled as git does: `viewed_change` stores this text for each file that a reviewer has viewed.
  const none = '0'.repeat((oid ?? oldOid ?? '').length)
  return {
    path,
    oldPath,
    status,
    oldMode,
    mode,
    isBinary,
    additions: counts.additions ?? 0,
    deletions: counts.deletions ?? 0,
    anchor: anchorOf(path),
    change: changeOf([oldPath ?? path, path, oldMode, mode, oldOid ?? none, oid ?? none]),
    oldOid,
    oid,
    isFolded: isWrittenByNobody(path),
  }
}

async function* wholePatch(
  whole: NonNullable<OpenFile['whole']>,
  { path, oldPath, status }: DiffFile,
): AsyncGenerator<FilePatch> {
  // Git was given blobs, and knows neither names nor what became of them.
  for await (const patch of parsePatch(whole)) yield { ...patch, path, oldPath, status }
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
