/** Finds the issues that the commits of a pull request close, for the newest version. */
import { getStorageId } from '#domains/code/repositories'
import { recordClosingCommits } from '#domains/work/issues'
import { isUnreadable, listCommits } from '#git'
import type { Context } from '#platform/context'
import type { PullRow } from '../tables.ts'

/** The newest commits; further ones are not read. */
const COMMITS_MAX = 250

/** Without a merge base the commits of the pull request are unknown, and close nothing. */
export async function readClosingCommits(ctx: Context, pull: PullRow): Promise<void> {
  if (pull.merge_base === '') return
  const storageId = await getStorageId(ctx.db, pull.repository_id)
  const history = { start: pull.head_oid, not: [pull.merge_base] }
  const page = { skip: 0, limit: COMMITS_MAX, withStats: false, withFiles: false }
  const commits = await listCommits(ctx, storageId, history, page).catch(unlessUnreadable)
  if (commits === undefined) return
  await recordClosingCommits(
    ctx,
    pull,
    commits.map(({ message }) => message),
  )
}

function unlessUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}
