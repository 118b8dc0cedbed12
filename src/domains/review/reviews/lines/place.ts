/** Finds the line of a review comment in another commit: by git's diff, else by the line's text. */
import {
  diffHunks,
  type FileHunks,
  findBlob,
  findEntry,
  findMergeBase,
  type Hunk,
  isUnreadable,
  mapLine,
  type StorageId,
} from '#git'
import type { Context } from '#platform/context'
import type { Side } from '../tables.ts'
import { textsOf } from './cut-hunk.ts'
import { findText, startOf } from './find-text.ts'

/** A line of a file in a commit; line 0 is the whole file. */
export interface Place {
  readonly oid: string
  readonly path: string
  readonly line: number
  /** The first of several lines, which end with `line`. */
  readonly start?: number | null
}

/** What is needed to find the line of a review comment. */
export interface Sought {
  readonly side: Side
  readonly diff_hunk: string
  /** Known places, latest first. */
  readonly places: readonly Place[]
}

/** Larger files are not read to place a comment. */
const FILE_BYTES_MAX = 1024 * 1024

/** The commit of each side of a pull request: the head, and its merge base. */
export interface Ends {
  readonly head: string
  readonly base: string
}

/** `baseTip`: tip of the base branch, if it exists. */
export async function findEnds(
  ctx: Context,
  storageId: StorageId,
  head: string,
  baseTip: string | undefined,
): Promise<Ends> {
  const parting = baseTip === undefined ? undefined : await findMergeBase(ctx, storageId, baseTip, head)
  return { head, base: parting ?? baseTip ?? head }
}

export function endOf({ head, base }: Ends, side: Side): string {
  return side === 'new' ? head : base
}

/** Undefined if the line no longer exists: the comment is outdated. */
export async function followTo(
  ctx: Context,
  storageId: StorageId,
  sought: Sought,
  oid: string,
): Promise<Place | undefined> {
  const paths = new Set<string>()
  for (const place of sought.places) {
    const { path, line, start = null } = await step(ctx, storageId, place, oid)
    if (path !== undefined) paths.add(path)
    if (path === undefined || line === undefined) continue
    const now = { oid, path, line, start }
    if (await hasLine(ctx, storageId, now)) return now
  }
  const texts = textsOf(sought.diff_hunk, sought.side)
  if (texts.length === 0) return undefined
  for (const path of paths) {
    const lines = (await readLines(ctx, storageId, oid, path)) ?? []
    const line = findText(lines, texts)
    if (line === undefined) continue
    const isRange = typeof sought.places.at(-1)?.start === 'number'
    return { oid, path, line, start: isRange ? startOf(lines, texts, line) : null }
  }
  return undefined
}

/** The path of the file in `oid` if it exists, and the line if git's diff maps it. */
async function step(
  ctx: Context,
  storageId: StorageId,
  place: Place,
  oid: string,
): Promise<Partial<Pick<Place, 'path' | 'start'>> & { readonly line?: number | undefined }> {
  if (place.oid === oid) return place
  const file = await lookAt(ctx, storageId, place.oid, oid, place.path)
  if (file === undefined || file.status === 'deleted' || file.status === 'added') return {}
  const line = place.line === 0 ? 0 : mapLine(file.hunks, place.line)
  return { path: file.path, line, start: mapStart(file.hunks, place) }
}

/** If the first of several lines is gone, the first one that is left. Null if only the last is left. */
function mapStart(hunks: readonly Hunk[] | null, { line, start }: Place): number | null {
  for (let at = start ?? line; at < line; at++) {
    const now = mapLine(hunks, at)
    if (now !== undefined) return now
  }
  return null
}

/** How a file differs between two commits; undefined if either cannot be read. */
export async function lookAt(
  ctx: Context,
  storageId: StorageId,
  from: string,
  to: string,
  path: string,
): Promise<FileHunks | undefined> {
  try {
    return await diffHunks(ctx, storageId, { from, to }, path)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return undefined
  }
}

/** Whether the commit has this line; a comment on a missing line is outdated from the start. */
export async function hasLine(
  ctx: Context,
  storageId: StorageId,
  { oid, path, line }: Place,
): Promise<boolean> {
  const entry = await findEntry(ctx, storageId, oid, path)
  if (entry === undefined || entry.type !== 'blob') return false
  const lines = await readLines(ctx, storageId, oid, path)
  return lines === undefined || line <= lines.length
}

/** Undefined if the path is no file or too large. */
async function readLines(
  ctx: Context,
  storageId: StorageId,
  oid: string,
  path: string,
): Promise<string[] | undefined> {
  const entry = await findEntry(ctx, storageId, oid, path)
  if (entry?.type !== 'blob') return undefined
  const blob = await findBlob(ctx, storageId, entry.oid, FILE_BYTES_MAX)
  if (!blob?.isWhole) return undefined
  return blob.data.toString('utf8').split('\n')
}
