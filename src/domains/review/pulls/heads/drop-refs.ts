/** Deletes the refs of a deleted pull request, so that it can no longer be fetched. */
import { dropRefs } from '#git'
import type { TxContext } from '#platform/context'
import { refsBelow } from './refs.ts'

/** No-op if the repository was deleted meanwhile. */
export async function dropPullRefs(ctx: TxContext, repositoryId: number, number: number): Promise<void> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  if (repo !== undefined) await dropRefs(ctx, repo.storage_id, refsBelow(number))
}
