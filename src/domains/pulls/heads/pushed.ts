/** Which commits a version of a pull request brings. */
import { listOids } from '#git'
import type { Context } from '#platform/context'

/** Of more than these, the latest are told. */
const COMMITS_MAX = 250

/** Those that the head has and `known` has not, the oldest first. `path`: of a repository that has them. */
export async function listPushed(
  ctx: Context,
  path: string,
  head: string,
  known: string,
): Promise<readonly string[]> {
  return (await listOids(ctx, path, { head, known: [known], limit: COMMITS_MAX })).toReversed()
}
