/** Commits with all parts of their records. */
import type { LoggedCommit } from '#git'
import type { Context } from '#platform/context'
import type { Code } from '../open-code.ts'
import { type Commit, presentCommit } from './commit-wire.ts'
import { type CommitDetails, loadParts } from './commits.ts'

export async function showCommits(
  ctx: Context,
  code: Code,
  commits: readonly LoggedCommit[],
  details: CommitDetails,
): Promise<Commit[]> {
  const parts = await loadParts(ctx, code, commits, details)
  return commits.map((commit) => presentCommit(commit, parts, code, ctx.site))
}
