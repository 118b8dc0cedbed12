/** Runs git for new review comments before they are inserted: cuts the hunk and finds the current line. */
import type { PullRow } from '#domains/review/pulls'
import { findRef, HEADS, isAncestor, isOid, isUnreadable, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import type { NewLineRow, Side } from '../tables.ts'
import { cutHunk } from './cut-hunk.ts'
import { type Ends, endOf, findEnds, followTo, hasLine, lookAt } from './place.ts'

/** As clients send it. */
export interface Remark {
  readonly path: string
  readonly body: string
  readonly side: Side
  readonly line: number
  /** The first of several lines. */
  readonly start_line: number | null
}

/** A row without the ids it belongs to. */
export type PreparedLine = Omit<NewLineRow, 'comment_id' | 'review_id' | 'issue_id' | 'version'> & {
  readonly body: string
}

/** The reviewed commit: the head, unless the client names another commit of the pull request. */
export async function findReviewed(
  ctx: Context,
  storageId: StorageId,
  pull: PullRow,
  versions: readonly { readonly head_oid: string }[],
  named: string | undefined,
): Promise<string> {
  if (!named || named === pull.head_oid) return pull.head_oid
  if (versions.some(({ head_oid }) => head_oid === named)) return named
  if (isOid(named) && (await isPartOf(ctx, storageId, pull, named))) return named
  throw invalid('commit is not part of the pull request', { commit_id: named })
}

async function isPartOf(ctx: Context, storageId: StorageId, pull: PullRow, oid: string): Promise<boolean> {
  try {
    return await isAncestor(ctx, storageId, oid, pull.head_oid)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}

export async function prepareLines(
  ctx: Context,
  storageId: StorageId,
  pull: PullRow,
  commit: string,
  remarks: readonly Remark[],
): Promise<PreparedLine[]> {
  if (remarks.length === 0) return []
  const tip = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  const ends = await findEnds(ctx, storageId, commit, tip?.oid)
  const now = commit === pull.head_oid ? ends : await findEnds(ctx, storageId, pull.head_oid, tip?.oid)
  const prepared: PreparedLine[] = []
  for (const remark of remarks) prepared.push(await prepare(ctx, storageId, { ends, now }, remark))
  return prepared
}

async function prepare(
  ctx: Context,
  storageId: StorageId,
  { ends, now }: { readonly ends: Ends; readonly now: Ends },
  remark: Remark,
): Promise<PreparedLine> {
  const { side, line, start_line } = remark
  const file = await lookAt(ctx, storageId, ends.base, ends.head, remark.path)
  // The path of the file on the side that has the line.
  const path = side === 'old' ? (file?.oldPath ?? remark.path) : remark.path
  const diff_hunk = cutHunk(file?.hunks ?? [], side, line, start_line)
  if (start_line !== null && diff_hunk === '') throw invalid('lines are not in one hunk of the diff')
  const place = { oid: endOf(ends, side), path, line, start: start_line }
  const isThere = await hasLine(ctx, storageId, place)
  const oid = endOf(now, side)
  const found = isThere
    ? await followTo(ctx, storageId, { side, diff_hunk, places: [place] }, oid)
    : undefined
  return {
    ...remark,
    path,
    head_oid: ends.head,
    line_oid: place.oid,
    diff_hunk,
    current_head_oid: now.head,
    current_oid: oid,
    current_path: found?.path ?? path,
    current_line: found?.line ?? null,
    current_start_line: found?.start ?? null,
  }
}
