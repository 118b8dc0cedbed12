/** Resolves a commit from its id, an abbreviated id, or the name of a branch or tag. */
import type { CanRead } from '#domains/code/repositories'
import { type Reach, resolveRevision } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'

export async function findCommitOid(
  ctx: Context,
  repo: CanRead<'code'>,
  revision: string,
  reach?: Reach,
): Promise<string> {
  const found = await resolveRevision(ctx, repo.storage_id, revision, reach)
  if (found === undefined) throw notFound('commit', revision)
  return found.oid
}
