/** Blame: the commit of each line of a file. */
import { findCommits, findIgnoredRevisions, listBlame, localTime } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'

/** Consecutive lines of one commit. */
export interface BlamedLines {
  readonly oid: string
  readonly parent: string | undefined
  /** The path of the file in that commit. */
  readonly path: string
  readonly author: string
  readonly message: string
  /** The commit date; undefined for a missing commit. */
  readonly date: string | undefined
  readonly start: number
  readonly count: number
}

export interface Blame {
  readonly lines: readonly BlamedLines[]
  /** The number of revisions that the repository ignores; undefined without an ignore file. */
  readonly ignored: number | undefined
}

interface BlameQuery {
  readonly ref: string
  readonly path: string
  /** Whether to include the revisions that the repository ignores. */
  readonly bypasses_ignored: boolean
}

export async function readBlame(ctx: Context, code: Code, query: BlameQuery): Promise<Blame> {
  const { storage_id } = code
  const { ref, path, bypasses_ignored } = query
  const { oid } = await getRevision(ctx, code, ref)
  const ignored = await findIgnoredRevisions(ctx, storage_id, oid)
  const ranges = await listBlame(ctx, storage_id, oid, path, bypasses_ignored ? [] : ignored)
  if (ranges === undefined) throw notFound('file', path)
  const commits = await findCommits(ctx, storage_id, [...new Set(ranges.map((range) => range.oid))])
  const lines = ranges.map(({ oid, start, count, originalPath }) => {
    const commit = commits.get(oid)
    return {
      oid,
      parent: commit?.parents[0],
      path: originalPath,
      author: commit?.author.name ?? '',
      message: commit?.message ?? '',
      date: commit && localTime(commit.committer),
      start,
      count,
    }
  })
  return { lines, ignored: ignored?.length }
}
