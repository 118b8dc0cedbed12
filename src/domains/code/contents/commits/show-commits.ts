/** Commits with all parts of their records. */
import type { LoggedCommit } from '#git'
import type { Context } from '#platform/context'
import type { Code } from '../open-code.ts'
import { type Commit, presentCommits } from './commit-wire.ts'
import { type CommitDetails, loadParts } from './commits.ts'

export async function showCommits(
  ctx: Context,
  code: Code,
  commits: readonly LoggedCommit[],
  details: CommitDetails,
): Promise<Commit[]> {
  const parts = await loadParts(ctx, code, commits, details)
  return presentCommits(commits, parts, code, ctx.site)
}
