/** Sources of a diff: an operation that compares commits, or a patch text. */
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
  /** `diff-` and the SHA-1 of the path, as in Gitea. */
  readonly anchor: string
  /** Equal for the same change of the same file, in whatever commits. */
  readonly change: string
  readonly isFolded: boolean
}

export interface Diff {
  readonly files: readonly DiffFile[]
  readonly additions: number
  readonly deletions: number
  /** The list of files is truncated. */
  readonly isTruncated: boolean
  readonly whitespace: Whitespace
  /** Whether all lines are shown, not only those near changes. */
  readonly isWhole: boolean
  /** One file with all its lines; undefined if there is nothing more to show. */
  readonly wholeOf: (file: DiffFile) => Diff | undefined
  /** The pictures among its files, by path. */
  readonly picturesOf: (files: readonly DiffFile[]) => Promise<ReadonlyMap<string, Pictures>>
  /** In the order of the files; files with nothing to show may be missing. */
  readonly patches: () => AsyncIterable<FilePatch>
}

/** Accepted values of the query parameter `whitespace`. */
const WHITESPACE: ReadonlySet<string> = new Set(['ignore-all', 'ignore-change', 'ignore-eol', 'show-all'])

export function whitespaceOf(query: URLSearchParams): Whitespace {
  const asked = query.get('whitespace') ?? ''
  return WHITESPACE.has(asked) ? (asked as Whitespace) : 'show-all'
}

/** Compares two commits of the page's repository, by their ids. */
export async function diffOf(visit: PageVisit<RepositoryPath>, { from, to }: Comparison): Promise<Diff> {
  const { owner, repo } = visit.params
  const asked = { owner, repo, ...(from !== null && { from }), to, whitespace: whitespaceOf(visit.query) }
  return diffOfAnswer(visit, await visit.ask('repoGetDiff', asked))
}

/** The repository that serves raw files of both sides; a wiki serves none. */
type Source = OpenDifference & Partial<RepositoryPath>

/** The list of files is loaded; lines are read while the page is written. */
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
  // Git compared bare blobs, so its output has neither paths nor status.
  for await (const patch of parsePatch(whole)) yield { ...patch, path, oldPath, status }
}

/** A text has no blob ids, so the change is identified by its lines. */
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
